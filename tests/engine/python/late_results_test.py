"""While a trace is made, results are computed when somebody looks, or in the end if somebody still holds them.
Expected: what the same model gives when it just runs."""

import copy
import pickle
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
from assay import torch  # noqa: E402


class Keeping(torch.nn.Module):
    """Leaves results in itself and in its arguments, and writes to what it has."""

    def __init__(self, look=lambda x: None):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.register_buffer("total", torch.zeros(2, 4))
        self.look, self.seen, self.kept = look, [], []

    def forward(self, x):
        y = torch.relu(self.linear(x))
        self.seen.append(self.look(y))
        self.kept = [y, (y * 2).view(-1)[3:]]
        self.total.add_(y.detach())
        hidden = self.linear(y)
        hidden.relu_()  # In memory that nobody holds in the end, or the output's.
        self.newest = torch.tanh(hidden)
        x.mul_(3)
        y = self.norm(hidden) + x
        return y.transpose(0, 1), torch.sigmoid(hidden)


class LateResults(unittest.TestCase):
    def same(self, look=lambda x: None, train=False, recorded=True):
        torch.manual_seed(1)
        plain = Keeping(look).train(train)
        traced = copy.deepcopy(plain)
        x = torch.randn(2, 4)
        other = x.clone()
        with torch.no_grad():
            given = plain(x)
            graph = torch.jit.trace(traced, other, check_trace=False)
        self.assertTrue(torch.equal(x, other))
        for mine, its in zip(plain.kept + [plain.newest], traced.kept + [traced.newest]):
            self.assertTrue(torch.equal(mine, its))
        for (name, mine), (_, its) in zip(plain.state_dict().items(), traced.state_dict().items()):
            self.assertTrue(torch.equal(mine, its), name)
        self.assertEqual(plain.seen, traced.seen)
        if recorded:
            for mine, its in zip(given, graph(x / 3)):
                self.assertTrue(torch.allclose(mine, its))

    def test_what_is_left_behind_is_computed(self):
        self.same()

    def test_statistics_of_training_are_kept(self):
        self.same(train=True, recorded=False)  # Which the graph would train on.

    def test_whoever_looks_sees_it(self):
        for look in (lambda x: x.sum().item(), lambda x: x.tolist(), str, lambda x: bool(x[0, 0] > 0),
                     lambda x: float(x[1, 1]), lambda x: pickle.loads(pickle.dumps(x)).tolist(),
                     lambda x: torch.equal(x, x.clone()), lambda x: x.nonzero().shape[0],
                     lambda x: x.argmax().item(), lambda x: copy.deepcopy(x).tolist(),
                     lambda x: x.to(torch.float64).to(torch.int32).tolist(), lambda x: x.unique().tolist(),
                     lambda x: list(x.storage()), lambda x: x.numpy().sum().item(),
                     lambda x: x[x > 0].tolist()):
            self.same(look)

    def test_who_writes_to_its_memory_finds_it_computed(self):
        self.same(lambda x: x.numpy().__setitem__((0, 0), 5.0), recorded=False)

    def test_an_error_comes_where_it_would_without_a_trace(self):
        class Wrong(torch.nn.Module):
            def forward(self, x, at):
                y = torch.relu(x) * 2
                try:
                    y[at]
                except IndexError as error:
                    self.error = str(error)
                return y + 1

        for trace in (False, True):
            model, args = Wrong(), (torch.ones(2, 2), torch.tensor([5]))
            torch.jit.trace(model, args, check_trace=False) if trace else model(*args)
            self.assertIn("out of bounds", model.error)

    def test_a_trace_that_fails_leaves_what_it_has_computed(self):
        class Failing(Keeping):
            def forward(self, x):
                super().forward(x)
                raise ValueError("no")

        torch.manual_seed(1)
        plain = Keeping().eval()
        failing = Failing().eval()
        failing.load_state_dict(plain.state_dict())
        x = torch.randn(2, 4)
        plain(x.clone())
        with self.assertRaisesRegex(ValueError, "no"):
            torch.jit.trace(failing, x.clone(), check_trace=False)
        self.assertTrue(torch.equal(plain.newest, failing.newest))
        self.assertTrue(torch.equal(plain.total, failing.total))
        self.assertTrue(torch.equal(torch.relu(plain.linear(x)), torch.relu(failing.linear(x))))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
