"""Attributes of classes and modules in whose place others stand for a while."""


class Exchanges:
    def __init__(self):
        self._own = []

    def put(self, owner, name, value):
        self._own.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, value)

    def put_back(self):
        """Each original again; what a class has from a base class only, it has from there again."""
        for owner, name, own in reversed(self._own):
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)
        self._own = []
