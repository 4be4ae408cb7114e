"""One planted fault: a model file that has it, and PyTorch's word that it is one."""

import contextlib
import copy
import importlib.util
import json
import pathlib
import shutil
import sys

import torch

import networks

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "verify" / "host"))
from assay_host.exports import move  # noqa: E402

MODEL = '''"""{title}"""

import random

import torch
import torch.nn.functional as F

import networks

{prepare}
class Planted(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        {setup}

    def forward(self, *inputs):
        y = {before}
{code}
        return {after}


class Net(torch.nn.Module):
    def __init__(self, order=(0, 1, 2), stale=False):
        super().__init__()
        self.order = list(order)
        self.net = networks.build("{network}")
{build}

    def train(self, mode=True):
        """Training of the planted lines alone."""
        super().train(mode)
        self.net.eval()
        for module in self.net.modules():
            if isinstance(module, Planted):
                module.training = mode
        return self

    def forward(self, x):
{forward}


def example():
    torch.manual_seed({seed})
    return (torch.randn({shape}),)
'''
PLAIN = "return self.net(x)"
ORDERED = """y = self.net(x)
y = y[0] if isinstance(y, tuple) else y
outputs = [y.mean(dim=-1), y.amax(dim=-1), y.amin(dim=-1)]
return tuple(outputs[i] for i in self.order)  # cause"""
STALE = """if stale:
    with torch.no_grad():
        self.net.state_dict()["{parameter}"].mul_({factor})"""
TRIES = 30  # Places and lines that are drawn until PyTorch calls one a fault.
PROBES = 16
TRACED_CENTRES = networks.centres
LAYOUTS = {"contiguous": lambda x: x,
           "channels_last": lambda x: x.contiguous(memory_format=torch.channels_last),
           "transposed": lambda x: x.transpose(-1, -2).contiguous().transpose(-1, -2)}


class NoFault(Exception):
    """What was drawn does not show on the declared inputs."""


def indented(text, spaces):
    return "\n".join(" " * spaces + line if line else "" for line in text.split("\n"))


def load(path):
    """A model file as a module; its name is its own, as PyTorch keeps types by their names."""
    name = "_".join(path.with_suffix("").parts[-2:]).replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def places_of(network):
    """{path: dimensions of its output that vary, with their greatest size} of each submodule that
    takes one tensor and gives one."""
    declared = networks.NETWORKS[network]
    net = networks.build(network)
    seen = {}

    def watch(path):
        def hook(_, inputs, output):
            one = len(inputs) == 1 and isinstance(output, torch.Tensor) and output.dim() > 1
            seen.setdefault(path, []).append(list(output.shape) if one else None)
        return hook

    hooks = [m.register_forward_hook(watch(path)) for path, m in net.named_modules() if path]
    ends = [{letter: r[end] for letter, r in declared.dims.items()} for end in (0, -1)]
    for point in ends:
        with torch.no_grad():
            net(torch.randn(declared.sizes(point)))
    for hook in hooks:
        hook.remove()
    places = {}
    for path, shapes in seen.items():
        if None in shapes:
            continue
        half = len(shapes) // 2
        vary = {k: max(s[k] for s in shapes) for k in range(len(shapes[0]))
                if all(small[k] != great[k] for small, great in zip(shapes[:half], shapes[half:]))}
        if vary:
            places[path] = vary
    return places


class Planting:
    """A fault at a random place of a network; `fault` None: the network itself."""

    def __init__(self, network, fault, random, folder):
        self.network, self.declared, self.fault, self.random = network, networks.NETWORKS[network], fault, random
        self.folder = folder
        self.place, self.parameter, self.order = "", "", None
        self.causes, self.also = set(), set()
        self.archive = self.reference = None
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "networks.py", folder / "networks.py")

    def make(self):
        """Draws until PyTorch calls it a fault; raises NoFault when nothing drawn is one."""
        if self.fault is None:
            self.write("model.py", "pass", "")
            return self.confirm_clean()
        why = ""
        for _ in range(TRIES):
            try:
                self.draw()
                return self.confirm()
            except NoFault as error:
                why = str(error)
            finally:
                networks.centres = TRACED_CENTRES
        raise NoFault(why)

    # --- model files --------------------------------------------------------------------------

    def draw(self):
        if self.fault.by == "order":
            return self.draw_order()
        if self.fault.by == "weights":
            return self.draw_weights()
        places = places_of(self.network)
        self.place = self.random.choice(sorted(places))
        sizes = {k: size for k, size in places[self.place].items() if size <= self.fault.most}
        if not sizes:
            raise NoFault(f"no dimension of {self.place} is small enough")
        k = self.random.choice(sorted(sizes))
        which = self.random.randrange(len(self.fault.codes))
        code = self.fault.codes[which].replace("{k}", str(k))
        if "{t}" in code:
            code = code.replace("{t}", repr(self.threshold(self.fault.threshold.replace("{k}", str(k)))))
        build = f'networks.wrap(self.net, "{self.place}", Planted)'
        self.write("model.py", code, build)
        if self.fault.twins:
            self.write("twin.py", self.fault.twins[which], build)

    def draw_order(self):
        self.order = self.random.choice([(0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
        self.place = f"outputs {self.order}"
        self.write("model.py", "pass", "", ORDERED)

    def draw_weights(self):
        state = networks.build(self.network).state_dict()
        names = sorted(name for name, value in state.items() if value.is_floating_point())
        self.place = self.parameter = self.random.choice(names)
        factor = self.random.choice([0.5, 0.9, 1.25])
        self.write("model.py", "pass", STALE.format(parameter=self.parameter, factor=factor))

    def write(self, name, code, build, forward=PLAIN):
        prepare = ""
        if self.fault and "devices" in self.fault.spec:
            prepare = "networks.follow_devices()\n\n"
        shape = ", ".join(map(str, self.declared.draw(self.random))) if name == "model.py" else self.shape
        self.shape = shape
        in_front = self.fault and self.fault.before
        around = ("inputs[0]", "self.inner(y)") if in_front else ("self.inner(*inputs)", "y")
        text = MODEL.format(
            title=f"{self.network}, {self.fault.class_id if self.fault else 'clean'} {self.place}",
            prepare=prepare, setup=self.fault.setup if self.fault else "pass", code=indented(code, 8),
            before=around[0], after=around[1],
            network=self.network, build=indented(build, 8), forward=indented(forward, 8),
            seed=self.random.randrange(1000), shape=shape)
        (self.folder / name).write_text(text)
        if name == "model.py":
            lines = list(enumerate(text.split("\n"), 1))
            self.causes = {i for i, line in lines if line.endswith("# cause")}
            self.also = {i for i, line in lines if line.endswith("# also")}

    def threshold(self, expression):
        """The middle of what an expression over `y` gives at the place, over some inputs."""
        net, values = networks.build(self.network), []
        hook = net.get_submodule(self.place).register_forward_hook(
            lambda _, inputs, y: values.append(eval(expression, {"y": y})))
        with torch.no_grad():
            for _ in range(PROBES):
                net(torch.randn(self.declared.draw(self.random)))
        hook.remove()
        middle = sorted(values)[len(values) // 2 - 1]
        return round(float(middle), 5) if isinstance(middle, torch.Tensor) else middle

    # --- PyTorch's word ------------------------------------------------------------------------

    def confirm(self):
        torch.manual_seed(self.random.randrange(10 ** 6))
        try:
            model = load(self.folder / "model.py")
            net, other = model.Net().eval(), self.subject(model)
            archive = self.export(other, model.example(), "subject.pt")
        except Exception as error:
            raise NoFault(f"cannot be exported: {error}") from None
        if self.fault.twins:
            twin = load(self.folder / "twin.py")
            self.export(twin.Net().eval(), model.example(), "twin.pt")
            self.reference = "twin.pt"
        if self.fault.by != "wrapper" or self.fault.twins:
            self.archive = "subject.pt"
        shows_everywhere = self.fault.by != "wrapper" or self.fault.everywhere
        if not shows_everywhere and differs(net, archive, model.example(), {}):
            raise NoFault("differs at the example")
        settings = self.settings()
        inputs = [(torch.randn(self.declared.draw(self.random)),) for _ in range(PROBES)]
        wrong = [i for i, x in enumerate(inputs) if differs(net, archive, x, settings[i % len(settings)])]
        if len(wrong) * len(settings) < PROBES / 4:
            raise NoFault(f"{len(wrong)} of {PROBES} probes are wrong")
        # A layout that follows from sizes, say, makes a branch on it one on sizes: another class.
        if len(settings) > 1 and any(i % len(settings) == 0 for i in wrong):
            raise NoFault("shows at other sizes alone")

    def confirm_clean(self):
        model = load(self.folder / "model.py")
        net = model.Net().eval()
        archive = self.export(net, model.example(), "subject.pt")
        for _ in range(PROBES):
            if differs(net, archive, (torch.randn(self.declared.draw(self.random)),), {}):
                raise RuntimeError(f"{self.network} itself is not clean: it is no network to plant in")

    def subject(self, model):
        if self.order:
            return model.Net(order=self.order).eval()
        return model.Net(stale=bool(self.parameter)).eval()

    def export(self, net, example, name):
        exported = torch.jit.trace(copy.deepcopy(net), example, check_trace=False)
        exported.save(str(self.folder / name))
        return torch.jit.load(str(self.folder / name))

    def settings(self):
        """What the probes vary beside sizes."""
        spec = self.fault.spec
        if "devices" in spec:
            return [{}, {"device": "meta"}]
        if "dtypes" in spec:
            return [{}, {"dtype": torch.float64}]
        if "modes" in spec:
            return [{}, {"train": True}]
        if "layouts" in spec:
            return [{}, {"layout": self.layout()}]
        return [{"calls": 2}] if "calls" in spec else [{}]

    def layout(self):
        """The one that a network hands on from its input."""
        return "channels_last" if len(self.declared.shape) == 4 else "transposed"

    # --- what assay is told ----------------------------------------------------------------------

    def command(self, assay, python):
        spec = {**self.declared.spec(), **(self.fault.spec if self.fault else {})}
        text = json.dumps(spec, indent=2).replace("{layout}", self.layout())
        (self.folder / "spec.json").write_text(text)
        words = [assay, "check", self.archive or "model.py:Net", "--spec", "spec.json",
                 "--example", "model.py:example", "--python", python]
        if self.archive:
            words += ["--source", "model.py:Net"]
        if self.reference:
            words += ["--against", self.reference]
        return words


def outcome(net, inputs, setting):
    """What the last of the calls returned, or None where it raised."""
    net = move(copy.deepcopy(net), setting.get("device", "cpu")).train(bool(setting.get("train")))
    if "dtype" in setting:
        net = net.to(setting["dtype"])
    inputs = [x.to(setting.get("device", "cpu"), setting.get("dtype", x.dtype)) for x in inputs]
    lay = LAYOUTS[setting.get("layout", "contiguous")]
    with torch.no_grad(), contextlib.suppress(Exception):
        for _ in range(setting.get("calls", 1)):
            torch.manual_seed(0)
            output = net(*[lay(x.clone()) for x in inputs])
        return output if isinstance(output, tuple) else (output,)
    return None


def differs(net, archive, inputs, setting):
    """Whether the archive does anything else than the model, far beyond rounding."""
    wanted, got = outcome(net, inputs, setting), outcome(archive, inputs, setting)
    if wanted is None or got is None:
        return (wanted is None) != (got is None)
    return len(wanted) != len(got) or any(unlike(a, b) for a, b in zip(wanted, got))


def unlike(a, b):
    if (a.shape, a.dtype, a.device) != (b.shape, b.dtype, b.device):
        return True
    if a.is_meta or a.numel() == 0:
        return False
    scale = float(a.double().abs().max()) + 1e-9
    return not float((a.double() - b.double()).abs().max()) < 1e-3 * scale
