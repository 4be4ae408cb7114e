#!/usr/bin/python3
"""Confirms every case of the corpus against PyTorch, without assay.

    corpus/confirm.py                 check the stored archives and recordings
    corpus/confirm.py --write [CASE]  make them anew, then check
    corpus/confirm.py --draw 100      check so many, others each time

For each case: the model, run eagerly, and the stored archive are called with the inputs of
probes.py; what comes out is compared here, and must be what probes.py says ("agrees", "silent",
"loud", "lenient", "rejected"). A case that is called faulty must have an input where both agree and
show exactly the visibilities that it claims; a clean one must show none; one that is called refused has
no archive, and an export must fail as the label has it. The scripted reference must
agree with the model everywhere. Each case runs in a process of its own, in its own folder, so that no
path of this machine gets into an archive. Exit code 0: all are confirmed; 77: there is no PyTorch.
"""

import argparse
import contextlib
import copy
import io
import json
import os
import random
import re
import sys
import types
import zlib

if __name__ == "__main__" and sys._getframe().f_code.co_filename != "confirm.py":
    # Again under its bare name, as archives keep the names of the files on the stack, and with
    # fixed hashes, as the order of sets shows in archives.
    start = """import sys
__file__, sys.argv = sys.argv[1], sys.argv[1:]
exec(compile(open(__file__).read(), "confirm.py", "exec"))"""
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(sys.executable, [sys.executable, "-c", start, os.path.abspath(__file__)] + sys.argv[1:])

os.environ.setdefault("OMP_NUM_THREADS", "1")
try:
    import torch
    import torch.utils._pytree
except ModuleNotFoundError:
    print("skipped: %s has no PyTorch" % sys.executable)
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "verify", "host"))
from assay_host.exports import move  # noqa: E402

BAD = ("silent", "loud", "lenient")
CHANGED = 1.25  # What parameters are multiplied by where a probe has other weights than the export.


def load_source(name):
    """A file of the case as a module whose code knows it by its bare name."""
    module = types.ModuleType(name)
    module.__file__ = name + ".py"
    sys.modules[name] = module
    with open(module.__file__) as file:
        exec(compile(file.read(), module.__file__, "exec"), module.__dict__)
    return module


def seed(turn, number=0):
    """PyTorch's generator the same each time, but where a probe has another number; those of Python and
    NumPy, which no graph can hold, as the turn says: others for the export than for calls, which all have
    the same."""
    torch.manual_seed(number)
    random.seed(turn)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(zlib.crc32(turn.encode()))


def probes():
    """(what the export does there, inputs, options of the call) of each probe of the case."""
    for probe in sys.modules["probes"].probes():
        yield probe if len(probe) == 3 else probe + ({},)


def begin_anew(model):
    """Dictionaries and lists of the model's file are as it was read, as in a process of its own."""
    kept = vars(model).setdefault("__kept__", {})
    for name, value in list(vars(model).items()):
        if type(value) in (dict, list) and not name.startswith("__"):
            vars(model)[name] = copy.deepcopy(kept.setdefault(name, copy.deepcopy(value)))


def make_net(model):
    begin_anew(model)
    torch.manual_seed(0)
    return model.Net()


def export(model, expected):
    """{file name: exported module}."""
    mode, out = expected.get("mode", "eval"), {}
    wanted = {expected["subject"], expected.get("reference")}
    if "export" in expected:
        seed("export")
        out[expected["subject"]] = getattr(model, expected["export"].partition(":")[2])()
    if "trace.pt" in wanted:
        net, inputs = make_net(model).train(mode == "train"), model.example()
        strict = expected.get("strict", True)
        before = copy.deepcopy(net.state_dict())
        seed("export")
        out["trace.pt"] = torch.jit.trace(net, inputs, check_trace=False, strict=strict)
        net.load_state_dict(before)  # Tracing ran the model; the two share their tensors.
    if "script.pt" in wanted:
        out["script.pt"] = torch.jit.script(make_net(model).train(mode == "train"))
    return out


# --- an independent comparison --------------------------------------------------------------------


def gradients(net, args):
    """(outputs, gradients by input and by parameter), of the outputs times cosines; a text in place of the
    gradients where there is no way back from the outputs."""
    inputs = [a.clone().requires_grad_() if a.is_floating_point() else a for a in args]
    named = [(i, a) for i, a in enumerate(inputs) if a.requires_grad]
    named += [(name, p) for name, p in net.named_parameters() if p.requires_grad]
    outputs = net(*(a.clone() for a in inputs))
    total = (outputs * torch.cos(torch.arange(outputs.numel()).reshape(outputs.shape))).sum()
    try:
        found = torch.autograd.grad(total, [tensor for _, tensor in named], allow_unused=True)
    except RuntimeError as error:
        return outputs.detach(), str(error)
    return outputs.detach(), dict((name, torch.zeros_like(tensor) if grad is None else grad)
                                  for (name, tensor), grad in zip(named, found))  # fmt: skip


def call(net, args, options, device):
    """("raised", text), or ("returned", outputs, inputs after) of the last of options["calls"]; with "grad"
    of one call, the gradients in place of the inputs."""
    mode = options.get("mode", "eval")
    net = move(net, device).train(mode == "train")
    if "dtype" in options:
        net.to(getattr(torch, options["dtype"]))
    if options.get("state") == "changed":
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.mul_(CHANGED)
    if options.get("grad") == "on":
        return ("returned",) + gradients(net, args)
    try:
        autocast = torch.autocast("cpu", enabled=options.get("autocast") == "on")
        with torch.no_grad(), autocast:
            for _ in range(options.get("calls", 1)):
                inputs = copy.deepcopy(args)
                seed("call", options.get("seed", 0))
                outputs = net(*inputs)
        return "returned", outputs, inputs
    except Exception as error:
        return "raised", "%s: %s" % (type(error).__name__, str(error).strip().split("\n")[-1])


def same(a, b):
    if isinstance(a, torch.Tensor):
        if not isinstance(b, torch.Tensor) or (a.shape, a.dtype, a.device) != (b.shape, b.dtype, b.device):
            return False
        return a.is_meta or torch.allclose(a.double(), b.double(), rtol=1e-5, atol=1e-6, equal_nan=True)
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        both = isinstance(b, (list, tuple)) and isinstance(a, list) == isinstance(b, list)
        return both and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return type(a) is type(b) and a == b


def outcome(model_did, export_did):
    if model_did[0] == "raised":
        return "rejected" if export_did[0] == "raised" else "lenient"
    if export_did[0] == "raised":
        return "loud"
    return "agrees" if same(model_did[1:], export_did[1:]) else "silent"


def device_of(args):
    return next((a.device for a in args if isinstance(a, torch.Tensor)), torch.device("cpu"))


def load_for(path, device):
    """A fresh copy of a stored archive; parameters on `meta` where the probe is there."""
    return move(torch.jit.load(path), device)


def check_case(model, expected, say):
    torch.manual_seed(1)
    seen = {}
    for wanted, args, options in probes():
        device = device_of(args)
        model_did = call(make_net(model), args, options, device)
        export_did = call(load_for(expected["subject"], device), args, options, device)
        found = outcome(model_did, export_did)
        shapes = [list(a.shape) if isinstance(a, torch.Tensor) else a for a in args]
        if found != wanted:
            say("at %s %s: expected %s, found %s\n    model: %s\n    export: %s"
                % (shapes, options, wanted, found, model_did[:2], export_did[:2]))  # fmt: skip
        seen[found] = seen.get(found, 0) + 1
        if expected["reference"].endswith(".pt") and expected["reference"] != expected["subject"]:
            reference = call(load_for(expected["reference"], device), args, options, device)
            if outcome(model_did, reference) not in ("agrees", "rejected"):
                say("the reference differs from the model at %s %s: %s" % (shapes, options, reference[:2]))
    shown = sorted(kind for kind in seen if kind in BAD)
    if shown != sorted(expected.get("visibility", [])):
        say("shows %s, claims %s" % (shown, expected.get("visibility", [])))
    if "agrees" not in seen:
        say("no probe agrees")
    if (expected["verdict"] == "fault") != bool(shown):
        say("called %s, shows %s" % (expected["verdict"], shown))
    return seen


def check_refusal(model, expected, say):
    """Of a model that PyTorch refuses to export."""
    try:
        export(model, expected)
    except RuntimeError as error:
        if expected["refusal"] not in str(error):
            say("is refused for another reason: %s" % error)
    else:
        say("is exported")
    return {"refused": 1}


def check_files(expected, say):
    with open("model.py") as file:
        marked = [i for i, line in enumerate(file, 1) if "# cause" in line]
    causes = [label["cause"]["line"] for label in [expected, *expected.get("further", [])] if "cause" in label]
    if marked != sorted(causes):
        say("the line marked as the cause is %s" % marked)
    for name in os.listdir("."):
        if os.path.isfile(name) and os.path.getsize(name) > 100000:
            say("%s has %d bytes" % (name, os.path.getsize(name)))


# --- recordings -----------------------------------------------------------------------------------


def recorder():
    """The host of verify/host inside this process: what it answers is what a recording holds."""
    from assay_host.frames import Printed, write_frame
    from assay_host.host import Host
    from assay_host.trees import Encoder

    class Silent:
        printed = Printed(io.StringIO())

    return Host(Silent()), Encoder, write_frame


def write_recording(path, expected, tools):
    host, encoder_class, write_frame = tools
    reply, _ = host.do_load({"model": expected["model"].replace(".py:", ":"), "seed": 0}, {})
    if not reply.get("ok", True):
        raise RuntimeError(reply["error"]["message"])
    with open("spec.json") as file:
        spec = file.read()
    torch.manual_seed(1)
    calls = 0
    with open(path, "wb") as file:
        write_frame(file, {"assay_recording": 1, "model": expected["model"], "model_sha256": "",
                           "torch": torch.__version__, "python": sys.version.split()[0], "spec": spec})  # fmt: skip
        for _, args, options in probes():
            if device_of(args).type == "meta" or {"state", "autocast"} & set(options):
                continue  # Has no values, or surroundings that a recording does not hold.
            for number in range(options.get("calls", 1)):
                encoder = encoder_class()
                call = {"args": [encoder.encode(a) for a in args], "kwargs": [], "method": "forward",
                        "mode": options.get("mode", "eval"), "grad": False,
                        "seed": options.get("seed", 0), "device": "cpu", "keep": number > 0}  # fmt: skip
                if "dtype" in options:
                    call["dtype"] = options["dtype"]
                tensors = dict((t[0], t[1:]) for t in encoder.tensors)
                observation = host.observe(dict(call, do="run"), tensors, encoder)
                observation["wall_s"] = 0  # So that the file is the same every time.
                if not observation.get("inputs_changed"):
                    observation.pop("args_after", None)
                    observation.pop("kwargs_after", None)
                write_frame(file, {"call": call, "observation": observation}, encoder.tensors)
                calls += 1
        if expected["subject"] == "trace.pt" or "class" in expected:
            for recorded, tensors in further_exports(expected, host, encoder_class):
                write_frame(file, {"export": recorded}, tensors)
        write_frame(file, {"calls": calls})


def further_exports(expected, host, encoder_class):
    """(what is recorded of the export, its tensors): the model traced again at the probes, once per
    shapes and signs and for each other graph, at each of several calls, and under `meta` at the
    first; what diagnosis needs where there is no PyTorch."""
    seen, graphs = set(), set()
    all_probes = list(probes())
    seeded = any("seed" in options for _, _, options in all_probes)
    for _, args, options in all_probes:
        calls = options.get("calls", 1)
        around = {name: options[name] for name in ("mode", "state", "seed", "dtype") if name in options}
        if seeded:
            around.setdefault("seed", 0)
        if device_of(args).type == "meta":
            continue
        key, first = features(args) + (calls, str(around)), not seen
        for call in range(1, calls + 1):
            for meta in [False, True] if first else [False]:
                strict = expected.get("strict", True)
                made = one_export(host, encoder_class(), args, around, call, meta, strict)
                if made is None:
                    continue
                graph = graph_text(made[1][-1][-1]) if not meta else None
                if key not in seen or graph not in graphs:
                    yield made
                graphs.add(graph)
        seen.add(key)


def features(args):
    """What an export may depend on: how the inputs are nested, their shapes and signs."""
    leaves, form = torch.utils._pytree.tree_flatten(args)
    tensors = [a for a in leaves if isinstance(a, torch.Tensor)]
    return str(form), str([(a.shape, bool(a.sum() > 0)) for a in tensors if not a.is_meta])


def graph_text(archive):
    """The graph of an archive, without the numbers by which PyTorch tells classes of one name apart."""
    return re.sub(r"___torch_mangle_\d+\.", "", str(torch.jit.load(io.BytesIO(archive)).inlined_graph))


def one_export(host, encoder, args, around, call, meta, strict):
    """`around`: the mode, the state, the seed and the element type of the model, where a probe has others
    than the plain ones."""
    mode = around.get("mode", "eval")
    # Without a second device, archives name `meta` where the literal follows the input.
    request = {"args": [encoder.encode(a) for a in args], "kwargs": [], "mode": mode,
               "seed": around.get("seed", 1), "kind": "trace", "strict": strict,
               "device": "meta" if meta else "cpu"}  # fmt: skip
    if around.get("state") == "changed":
        request["scale"] = CHANGED
    if "dtype" in around:
        request["dtype"] = around["dtype"]
    tensors = dict((t[0], t[1:]) for t in encoder.tensors)
    for before in range(1, call):
        host.do_run(dict(request, do="run", keep=before > 1), tensors)
    reply, made = host.do_export(dict(request, do="export", keep=call > 1), tensors)
    if reply["error"] is not None:
        return None  # The model rejects these inputs, or needs values.
    recorded = {"args": request["args"], "kwargs": [], "mode": mode, "call": call, "meta": meta,
                "escapes": reply["escapes"]}  # fmt: skip
    recorded.update((name, around[name]) for name in ("state", "seed") if name in around)
    return recorded, encoder.tensors + [made[-1]]


# --- driver ---------------------------------------------------------------------------------------


def run_case(path, write):
    """The list of complaints."""
    complaints = []
    os.chdir(os.path.join(HERE, path))
    with open("expected.json") as file:
        expected = json.load(file)
    tools = recorder() if write else None
    torch.manual_seed(0)
    model = load_source("model")
    load_source("probes")
    refused = expected["verdict"] == "refused"
    if write and not refused:
        with contextlib.redirect_stderr(io.StringIO()):
            for name, exported in export(model, expected).items():
                exported.save(name)
        begin_anew(model)
        write_recording("calls.rec", expected, tools)
    seen = (check_refusal if refused else check_case)(model, expected, complaints.append)
    check_files(expected, complaints.append)
    counts = ", ".join("%s %d" % item for item in sorted(seen.items()))
    print("%-36s %-6s %s" % (path, expected.get("class", ""), "; ".join(complaints) or counts), flush=True)
    return complaints


def isolated(path, write):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 1 if run_case(path, write) else 0
        except BaseException as error:
            print("%-36s %s: %s" % (path, type(error).__name__, error), flush=True)
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="make archives and recordings anew")
    parser.add_argument("--draw", type=int, metavar="N", help="only N of the cases, others each time")
    parser.add_argument("cases", nargs="*", help="such as sizes/arange_len; all where none is named")
    options = parser.parse_args()
    found = sorted(os.path.relpath(folder, HERE) for folder, _, files in os.walk(HERE) if "model.py" in files)
    cases = [case.strip("/") for case in options.cases] or found
    if options.draw is not None:
        cases = sorted(random.sample(cases, min(options.draw, len(cases))))
    import warnings

    warnings.simplefilter("ignore")
    failed = [case for case in cases if isolated(case, options.write) != 0]
    print("%d of %d cases confirmed under torch %s" % (len(cases) - len(failed), len(cases), torch.__version__))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
