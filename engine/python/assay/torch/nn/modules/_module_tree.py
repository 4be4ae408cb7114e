"""The tree that modules make: how its parameters, buffers and children are found and listed."""


def _joined(prefix, name):
    return prefix + ('.' if prefix else '') + name


class ModuleTree:
    """Listing and lookup over a module's `_parameters`, `_buffers` and `_modules`."""

    def get_submodule(self, target):
        """The descendant at the dotted path `target`; the module itself for ''."""
        if target == "":
            return self
        found = self
        for name in target.split("."):
            if not hasattr(found, name):
                raise AttributeError(found._get_name() + " has no attribute `" + name + "`")
            found = getattr(found, name)
            if not isinstance(found, ModuleTree):
                raise AttributeError("`" + name + "` is not an nn.Module")
        return found

    def _get_member(self, target, belongs, kind):
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(owner._get_name() + " has no attribute `" + name + "`")
        found = getattr(owner, name)
        if not belongs(owner, name, found):
            raise AttributeError("`" + name + "` is not " + kind)
        return found

    def get_parameter(self, target):
        """The parameter at the dotted path `target`."""
        return self._get_member(target, lambda owner, name, _: name in owner._parameters, "an nn.Parameter")

    def get_buffer(self, target):
        """The buffer at the dotted path `target`."""
        return self._get_member(target, lambda owner, name, _: name in owner._buffers, "a buffer")

    def _named_members(self, get_members_fn, prefix='', recurse=True, remove_duplicate=True):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for module_prefix, module in modules:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield _joined(module_prefix, name), member

    def parameters(self, recurse=True):
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(self, prefix='', recurse=True, remove_duplicate=True):
        """Pairs of dotted name and parameter; one that is shared comes once, under its first name."""
        yield from self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(self, prefix='', recurse=True, remove_duplicate=True):
        """Pairs of dotted name and buffer; one that is shared comes once, under its first name."""
        yield from self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def children(self):
        for _, module in self.named_children():
            yield module

    def named_children(self):
        """Pairs of name and direct child, each child once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_modules(self, memo=None, prefix='', remove_duplicate=True):
        """Pairs of dotted path and module, parents before children, each module once unless told otherwise."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, _joined(prefix, name), remove_duplicate)
