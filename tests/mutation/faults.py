"""The faults that can be planted: lines of code behind a submodule's output `y`.

`{k}` is a dimension of `y` that varies with the inputs, `{t}` a threshold that some inputs pass and
others do not. A line that ends in `# cause` is what assay has to name; `# also` marks lines where the
effect enters the graph, which are right, too.
"""

import dataclasses


@dataclasses.dataclass
class Fault:
    class_id: str
    codes: list  # One is drawn.
    spec: dict = dataclasses.field(default_factory=dict)  # What varies beside the sizes.
    # Of which `{t}` is the middle over inputs; empty where no code has one.
    threshold: str = ""
    setup: str = "pass"  # In the constructor of the wrapper.
    most: int = 1000  # Greatest size of dimension k.
    twins: list = None  # The same functions without the fault, where the reference has to be an archive.
    by: str = "wrapper"  # Or how the subject differs from the model: "order", "weights".
    before: bool = False  # The code stands in front of the submodule, and `y` is what it takes.
    everywhere: bool = False  # Shows at the example, too.


FAULTS = {
    "captured_size": Fault("AS102", [
        "n = int(y.shape[{k}])  # cause\n"
        "y = y * (1 + n / 10)  # also",
        "y = y / int(y.shape[{k}])  # cause",
        "y = y.narrow({k}, 0, len(y.transpose(0, {k})))  # cause",
        "shape = [int(size) for size in y.shape]  # cause\n"
        "y = y.tanh().reshape(shape)  # also",
        "ramp = torch.arange(int(y.shape[{k}]))  # cause\n"
        "y = (y.transpose({k}, -1) + ramp).transpose({k}, -1)",
    ]),
    "captured_value": Fault("AS102", [
        "largest = y.abs().max().item()  # cause\n"
        "y = y / largest  # also",
        "mean = float(y.mean())  # cause\n"
        "y = y - mean  # also",
    ]),
    "captured_tensor": Fault("AS101", [
        "mean = torch.from_numpy(y.detach().numpy().mean(keepdims=True))  # cause\n"
        "y = y - mean  # also",
        "largest = torch.tensor([y.abs().max().item()])  # cause\n"
        "y = y / largest  # also",
    ]),
    "frozen_branch_size": Fault("AS103", [
        "if y.shape[{k}] > {t}:  # cause\n"
        "    y = y.flip({k}) * 2  # also",
        "if y.shape[{k}] <= {t}:  # cause\n"
        "    y = y.tanh()  # also\n"
        "else:\n"
        "    y = y.sigmoid()  # also",
    ], threshold="y.shape[{k}]"),
    "frozen_branch_value": Fault("AS103", [
        "if y.mean() > {t}:  # cause\n"
        "    y = y - 0.5  # also",
        "if y.mean() > {t}:  # cause\n"
        "    y = y.tanh()  # also\n"
        "else:\n"
        "    y = y.sigmoid()  # also",
    ], threshold="y.mean()"),
    "unrolled_loop": Fault("AS104", [
        "for _ in range(y.shape[{k}]):  # cause\n"
        "    y = torch.tanh(y) * 1.25 + 0.1  # also",
        "rows = []\n"
        "for i in range(y.shape[{k}]):  # cause\n"
        "    rows.append(y.select({k}, i) / (i + 1))  # also\n"
        "y = torch.stack(rows, dim={k})  # also",
    ], most=12),
    "fixed_arity": Fault("AS105", [
        "parts = y.split(1, dim={k})  # cause\n"
        "y = torch.cat(parts[::-1], dim={k})  # also",
    ], most=12),
    "pinned_device": Fault("AS106", [
        "y = y + torch.ones(1, device=y.device)  # cause",
        "y = y + y.new_ones(1)  # cause",
        "half = torch.tensor([0.5], device=y.device)  # cause\n"
        "y = y * half  # also",
    ], spec={"devices": ["cpu", "fake:0"]},
        twins=["y = y + 1", "y = y + 1", "y = y * 0.5"]),
    "pinned_dtype": Fault("AS107", [
        "y = y.cumsum({k}, dtype=y.dtype)  # cause",
        "y = y.softmax({k}, dtype=y.dtype)  # cause",
        "same = torch.eye(y.shape[-1], dtype=y.dtype)  # cause\n"
        "y = y @ same  # also",
    ], spec={"dtypes": {"x": ["f32", "f64"]}}),
    "frozen_mode": Fault("AS108", [
        "y = F.dropout(y, 0.3, training=self.training)  # cause",
        "y = F.rrelu(y, training=self.training)  # cause",
        "if self.training:  # cause\n"
        "    y = y.tanh() * 0.5  # also",
    ], spec={"modes": ["eval", "train"]}),
    "lost_state": Fault("AS109", [
        "self.calls += 1  # cause\n"
        "y = y * (0.5 * self.calls)  # also",
    ], spec={"calls": "1..3"}, setup="self.calls = 0"),
    "lost_update": Fault("AS110", [
        "y.detach().numpy()[...] *= 0.5  # cause",
        "y.data.clamp_(min=0.1)  # cause",
        "y.data.mul_(2)  # cause",
    ], everywhere=True),
    # While tracing a size is a tensor: what changes one name of it changes the other.
    "spurious_mutation": Fault("AS111", [
        "count = most = y.shape[{k}]\n"
        "count += 1  # cause\n"
        "y = y * (most / count)  # also",
        "rows = y.size({k})\n"
        "sizes = {'rows': rows}\n"
        "rows *= 2  # cause\n"
        "y = y / sizes['rows']  # also",
        "left = width = y.shape[{k}]\n"
        "left //= 2  # cause\n"
        "y = (y.narrow({k}, 0, left).mean({k}, keepdim=True) + y) / width  # also",
    ], everywhere=True),
    "pinned_layout": Fault("AS112", [
        "copy = y.contiguous()  # cause\n"
        "copy *= 2  # also\n"
        "y = y + copy  # also",
        "if not y.is_contiguous():  # cause\n"
        "    y = y.contiguous() * 2  # also",
        "y = y / y.stride(-1)  # cause",
        "step = y.stride(-1)  # cause\n"
        "y = y * (1 + step / 10)  # also",
    ], spec={"layouts": {"x": ["contiguous", "{layout}"]}}, before=True),
    "baked_randomness": Fault("AS113", [
        "y = y + random.random()  # cause",
    ], everywhere=True),
    "lost_guard": Fault("AS114", [
        "assert y.shape[{k}] <= {t}  # cause",
        "if y.shape[{k}] <= {t}:  # also\n"
        "    raise ValueError('too few')  # cause",
    ], threshold="y.shape[{k}]"),
    "swapped_outputs": Fault("AS115", [""], by="order"),
    "stale_weights": Fault("AS120", [""], by="weights"),
}
