"""A weight divided by its largest singular value."""
from ..._package import torch
from ..functional import normalize
from ...utils import hooks
from ..modules import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ..parameter import Parameter, is_lazy

__all__ = ['SpectralNorm', 'SpectralNormLoadStateDictPreHook', 'SpectralNormStateDictHook', 'spectral_norm',
           'remove_spectral_norm']


def default_dim(module):
    """The dimension of a weight that has the outputs."""
    return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0


def check_iterations(count):
    if count <= 0:
        raise ValueError(f'n_power_iterations must be at least 1, got {count}')


def outputs_first(weight, dim):
    """The weight with the dimension of its outputs in front."""
    if dim == 0:
        return weight
    others = [d for d in range(weight.dim()) if d != dim]
    return weight.permute(dim, *others)


def random_unit_vectors(matrix, eps):
    """A vector to start from on either side of the matrix."""
    drawn = [matrix.new_empty(size).normal_(0, 1) for size in matrix.size()]
    return [normalize(vector, dim=0, eps=eps) for vector in drawn]


def kept(*vectors):
    """Copies that the next power iteration does not overwrite."""
    return [vector.clone(memory_format=torch.contiguous_format) for vector in vectors]


class SpectralNorm:
    """The hook that divides `<name>_orig` before each call; in training it improves the singular vectors first."""

    _version = 1

    def __init__(self, name='weight', n_power_iterations=1, dim=0, eps=1e-12):
        check_iterations(n_power_iterations)
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight):
        weight_mat = outputs_first(weight, self.dim)
        height = weight_mat.size(0)
        return weight_mat.reshape(height, -1)

    def compute_weight(self, module, do_power_iteration):
        weight, u, v = (getattr(module, self.name + suffix) for suffix in ('_orig', '_u', '_v'))
        weight_mat = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):  # into the buffers, which keep the state
                    v = normalize(torch.mv(weight_mat.t(), u), dim=0, eps=self.eps, out=v)
                    u = normalize(torch.mv(weight_mat, v), dim=0, eps=self.eps, out=u)
                u, v = kept(u, v)
        sigma = torch.dot(u, torch.mv(weight_mat, v))
        return weight / sigma

    def remove(self, module):
        with torch.no_grad():
            weight = self.compute_weight(module, False)
        for suffix in ('', '_u', '_v', '_orig'):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        weight = self.compute_weight(module, module.training)
        setattr(module, self.name, weight)

    def _solve_v_and_rescale(self, matrix, u, sigma):
        """The v with u^T W v = sigma, which state dicts before version 1 lack."""
        v = ((matrix.t().mm(matrix)).pinverse() @ matrix.t() @ u.unsqueeze(1)).squeeze(1)
        return v.mul_(sigma / torch.dot(u, torch.mv(matrix, v)))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        if hooks.key_of(module._forward_pre_hooks, SpectralNorm, name) is not None:
            raise RuntimeError(f"'{name}' has spectral_norm already: call remove_spectral_norm before")
        made = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"spectral_norm needs a weight, and '{name}' is None")
        if is_lazy(weight):
            raise ValueError("spectral_norm needs a weight with a shape: call the lazy module once before")
        with torch.no_grad():
            u, v = random_unit_vectors(made.reshape_weight_to_matrix(weight), eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)  # a plain tensor: the computed weight is no state
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(made)
        module._register_state_dict_hook(SpectralNormStateDictHook(made))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(made))
        return made


class SpectralNormLoadStateDictPreHook:
    """Adds the v that state dicts before version 1 lack."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        version = local_metadata.get('spectral_norm', {}).get(self.fn.name + '.version', None)
        if version is not None and version >= 1:
            return
        key = prefix + self.fn.name
        if version is None and key not in state_dict and all(
                key + suffix in state_dict for suffix in ('_orig', '_u', '_v')):
            return  # version 1 that lost its metadata
        missing = [key + suffix for suffix in ('_orig', '', '_u') if key + suffix not in state_dict]
        if missing:
            if strict:
                missing_keys.extend(missing)
            return
        with torch.no_grad():
            original = state_dict[key + '_orig']
            weight = state_dict.pop(key)
            sigma = (original / weight).mean()
            matrix = self.fn.reshape_weight_to_matrix(original)
            state_dict[key + '_v'] = self.fn._solve_v_and_rescale(matrix, state_dict[key + '_u'], sigma)


class SpectralNormStateDictHook:
    """Puts the version of the state into its metadata."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, module, state_dict, prefix, local_metadata):
        versions = local_metadata.setdefault('spectral_norm', {})
        key = self.fn.name + '.version'
        if key in versions:
            raise RuntimeError(f"the state dict's metadata has the key '{key}' already")
        versions[key] = self.fn._version


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    """Divides the parameter `name` by its largest singular value, found by power iteration."""
    SpectralNorm.apply(module, name, n_power_iterations, default_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module, name='weight'):
    """Makes the divided weight a parameter again."""
    key = hooks.key_of(module._forward_pre_hooks, SpectralNorm, name)
    if key is None:
        raise ValueError(f"'{name}' has no spectral_norm in {module}")
    module._forward_pre_hooks.pop(key).remove(module)
    for registry, kind in ((module._state_dict_hooks, SpectralNormStateDictHook),
                           (module._load_state_dict_pre_hooks, SpectralNormLoadStateDictPreHook)):
        registry.pop(hooks.key_of(registry, kind, name), None)
    return module
