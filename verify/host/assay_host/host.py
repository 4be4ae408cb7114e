"""The requests: describe, load, run, export, reset. README.md beside this folder has their fields."""

import contextlib
import copy
import hashlib
import inspect
import io
import os
import random
import sys
import time
import zlib

import torch

from assay_host.arguments import check_fits, chosen
from assay_host.escapes import Escapes
from assay_host.exports import function_of, make_storable, move, recording_at_most, scripted_fx, share_memory, trace
from assay_host.frames import clip
from assay_host.gradients import CannotGoBack, Cuts, Leaves, computes_gradients, flow, nudge, parameters_of
from assay_host.listening import Listening, counting_mode, describe_error, ran_out_of_memory
from assay_host.loading import build, example_inputs, find, given_arguments, record_class, user_modules
from assay_host.omissions import Omissions
from assay_host.state import REMOVED, Snapshot
from assay_host.switches import Switches
from assay_host.trees import Decoder, Encoder, as_arguments, class_name, dtype_name, raw_bytes, raw_tree, storage_key


def beginnings(tensors, most=1024):
    """A number for the tensors of a request: of their shapes and first bytes."""
    number = 0
    for name in sorted(tensors):
        _, shape, data = tensors[name]
        number = zlib.crc32(bytes(data[:most]), zlib.crc32(repr(shape).encode(), number))
    return number


def scale(model, factor):
    """All parameters; those that share memory, as tied ones of an archive do, once."""
    scaled = set()
    with torch.no_grad():
        for parameter in model.parameters():
            on_meta = parameter.device.type == "meta"
            memory = id(parameter) if on_meta else (storage_key(parameter), parameter.storage_offset())
            if parameter.is_floating_point() and memory not in scaled:
                scaled.add(memory)
                parameter.mul_(factor)


class Host:
    def __init__(self, channel):
        self._channel = channel
        self._pristine = self._model = self._snapshot = None
        self._before, self._records = set(sys.modules), {}
        self._exports, self._escapes = 0, Escapes()

    def _seed(self, request, tensors=None):
        """PyTorch's generator gets the request's seed. Those of Python and NumPy, which no graph can
        hold, give other numbers in each export, and in calls with other inputs: a decision that was
        drawn for the export is not drawn alike in every call. An export that is to show what a call
        draws asks for that call's numbers."""
        seed, purpose = request.get("seed", 0), request.get("do")
        if request.get("draws_as_runs"):
            purpose = "run"
        if purpose == "export":
            self._exports += 1
            which = self._exports
        else:
            which = beginnings(tensors or {})
        turn = "%s %d %d" % (purpose, seed, which)
        torch.manual_seed(seed)
        random.seed(turn)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(zlib.crc32(turn.encode()))

    def _model_facts(self):
        model, facts = self._model, {"kind": "function"}
        call = model.forward if isinstance(model, torch.nn.Module) else model
        if isinstance(model, torch.nn.Module):
            tensors = {"parameters": list(model.named_parameters()), "buffers": list(model.named_buffers())}
            dims = set(n for named in tensors.values() for _, t in named for n in t.shape)
            facts = {"kind": "script" if isinstance(model, torch.jit.ScriptModule) else "module",
                     "training": getattr(model, "training", False), "weight_dims": sorted(dims)}  # fmt: skip
            for group, named in tensors.items():
                facts[group] = [{"name": name, "shape": list(t.shape), "dtype": dtype_name(t.dtype),
                                 "device": str(t.device)} for name, t in named]  # fmt: skip
        facts["class"] = class_name(model) if isinstance(model, torch.nn.Module) else call.__name__
        with contextlib.suppress(ValueError, TypeError):
            facts["signature"] = [
                {"name": p.name, "kind": p.kind.name.lower(), "optional": p.default is not p.empty,
                 "annotation": "" if p.annotation is p.empty else inspect.formatannotation(p.annotation)}
                for p in inspect.signature(call).parameters.values()]  # fmt: skip
        with contextlib.suppress(TypeError, OSError):
            facts["file"] = inspect.getsourcefile(call if facts["kind"] == "function" else type(model))
        return facts

    def do_describe(self, request, tensors):
        devices = ["cpu", "meta"] + ["cuda:%d" % n for n in range(torch.cuda.device_count())]
        reply = {"torch": str(torch.__version__), "devices": devices,
                 "default_dtype": dtype_name(torch.get_default_dtype()),
                 "threads": torch.get_num_threads()}  # fmt: skip
        if self._model is not None:
            reply["model"] = self._model_facts()
        return reply, []

    def do_load(self, request, tensors):
        text, phase = request["model"], "import"
        try:
            self._seed(request)
            if text.endswith((".pt", ".pth", ".ts")):
                model = torch.jit.load(text, map_location="cpu")
            else:
                found, behind_name = find(text)
                phase = "build"
                model = build(found, text, given_arguments(text, behind_name, request.get("build_args")))
            phase, reply, encoder = "example", {}, Encoder()
            if request.get("example"):
                self._seed(request)
                inputs = example_inputs(request["example"])
                reply["example"] = [encoder.encode(as_arguments(value)) for value in inputs]
        except BaseException as error:
            return {"ok": False, "error": describe_error(error, phase)}, []
        self._pristine, self._model, self._records = model, model, {}
        self._archive, self._spoiled = text, False
        if not isinstance(model, torch.jit.ScriptModule):
            self._snapshot = Snapshot(model, user_modules(self._before))
        self._restore()
        reply["model"] = self._model_facts()
        return reply, encoder.tensors

    def _restore(self):
        if isinstance(self._pristine, torch.jit.ScriptModule):
            if self._spoiled and os.path.exists(self._archive):
                self._pristine, self._spoiled = torch.jit.load(self._archive, map_location="cpu"), False
            self._model = self._copy_of_archive()
            self._snapshot = Snapshot(self._model, [], self._pristine)
        else:
            self._snapshot.restore()

    def _copy_of_archive(self):
        """Of tensors that look into one memory PyTorch's deepcopy of a script makes one tensor."""
        if share_memory(self._pristine) and os.path.exists(self._archive):
            return torch.jit.load(self._archive, map_location="cpu")
        return copy.deepcopy(self._pristine)

    def _restore_tensors(self):
        """Undoes what running the model for the export did to the buffers that the export shares."""
        if not isinstance(self._pristine, torch.jit.ScriptModule):
            self._snapshot.restore_tensors(apart=True)

    def do_reset(self, request, tensors):
        if self._model is not None:
            self._restore()
        return {}, []

    def do_weights(self, request, tensors):
        """SHA-256 of each parameter's elements."""
        named = self._model.named_parameters() if isinstance(self._model, torch.nn.Module) else []
        hashes = dict((name, hashlib.sha256(raw_bytes(tensor)).hexdigest()) for name, tensor in named)
        return {"weights": hashes}, []

    def _prepare(self, request, tensors):
        """(function to call, args, kwargs), with the state, the seed and the mode as asked for."""
        if self._model is None:
            raise ValueError("no model is loaded")
        if request.get("keep"):
            self._snapshot.expect_changes()
        else:
            self._restore()
        model, mode = self._model, request.get("mode", "eval")
        device = request.get("device", "cpu")
        if isinstance(model, torch.nn.Module):
            if mode != "as_is":
                model.train(mode == "train")
            if device != "cpu":
                move(model, device)
            if request.get("dtype"):
                model.to(getattr(torch, request["dtype"]))
            if request.get("scale") and not request.get("keep"):
                scale(model, request["scale"])
        decoder = Decoder(tensors, device, self._record_class)
        args = tuple(decoder.decode(tree) for tree in request.get("args", []))
        kwargs = dict((name, decoder.decode(tree)) for name, tree in request.get("kwargs", []))
        self._seed(request, tensors)
        return model, args, kwargs

    def _record_class(self, name, fields):
        key = (name,) + tuple(fields)
        if key not in self._records:
            self._records[key] = record_class(name, fields, self._pristine, user_modules(self._before))
        return self._records[key]

    @contextlib.contextmanager
    def _surroundings(self, request):
        """Grad mode, autocast and printed text for one call; global settings are put back after it."""
        default, self._channel.printed.text = torch.get_default_dtype(), ""
        try:
            with contextlib.ExitStack() as stack:
                stack.enter_context(torch.enable_grad() if request.get("grad") else torch.no_grad())
                if request.get("autocast"):
                    kind = torch.device(request.get("device", "cpu")).type
                    stack.enter_context(torch.autocast(kind, dtype=getattr(torch, request["autocast"])))
                yield
        finally:
            torch.set_default_dtype(default)

    def _state(self, request, encoder):
        """Changed state, and which parameters and buffers share memory with what was encoded."""
        device = request.get("device", "cpu")
        dtype = getattr(torch, request["dtype"]) if request.get("dtype") else None
        changed = [{"path": path, "kind": kind, "value": value if value is REMOVED else encoder.encode(value)}
                   for path, kind, value in self._snapshot.changes(device, dtype, request.get("scale"))]  # fmt: skip
        shared = {}
        for path, tensor in self._snapshot.named_tensors():
            number = encoder.storage_of(tensor, add=False) if tensor.layout == torch.strided else None
            if number is not None:
                shared[path] = number
        return {"changed": changed, "storages": shared}

    def _call(self, request, model, args, kwargs):
        """What the model gives, in surroundings as asked for."""
        method = request.get("method", "forward")
        if request.get("taken"):
            args, kwargs = chosen(args, kwargs, request["taken"]), {}
        return (model if method == "forward" else getattr(model, method))(*args, **kwargs)

    def do_run(self, request, tensors):
        encoder = Encoder()
        return self.observe(request, tensors, encoder), encoder.tensors

    def observe(self, request, tensors, encoder):
        """One call and everything about it; tensors gather in the encoder."""
        reply = {"outputs": None, "error": None}
        counting = counting_mode() if request.get("touched") else None
        phase, args, kwargs = "prepare", (), {}
        started = time.time()
        with Listening() as listening:
            try:
                model, args, kwargs = self._prepare(request, tensors)
                before = [raw_tree(Encoder(), as_arguments(value)) for value in (args, kwargs)]
                phase, started = "run", time.time()
                omissions = Omissions(request.get("omitted", []))
                with self._surroundings(request), omissions, counting or contextlib.suppress():
                    outputs = self._call(request, model, args, kwargs)
                wall = time.time() - started
                phase = "outputs"
                reply["outputs"] = encoder.encode(outputs)
            except BaseException as error:
                wall = time.time() - started
                # What PyTorch's executor learnt of an archive's call stays with all copies of it, also
                # of one that failed.
                self._spoiled = True
                reply["error"] = describe_error(error, phase)
                if ran_out_of_memory(error):
                    reply["ending"] = "exhausted"
        if phase != "prepare":
            args, kwargs = as_arguments(args), as_arguments(kwargs)
            after = [raw_tree(Encoder(), value) for value in (args, kwargs)]
            reply["inputs_changed"] = before != after
            reply["args_after"] = [encoder.encode(value) for value in args]
            reply["kwargs_after"] = [[name, encoder.encode(value)] for name, value in kwargs.items()]
            reply["state"] = self._state(request, encoder)
        if counting is not None:
            reply["touched"] = {"ops": counting.ops, "devices": counting.devices,
                                "syncs": counting.syncs, "copies": counting.copies}  # fmt: skip
        reply.update(warnings=listening.found, printed=clip(self._channel.printed.text), wall_s=wall)
        return reply

    def do_gradients(self, request, tensors):
        """How gradients flow through one call. Where the model takes no inputs that ask for them, those
        of its parameters are told; a call that follows others is made once. "failed": what going back
        from the outputs to inputs that ask for gradients raised."""
        encoder, reason, failed = Encoder(), "", None
        with Listening():
            for with_inputs in [True] if request.get("keep") else [True, False]:
                try:
                    reply = self._flow(request, tensors, with_inputs)
                    reply["of"] = dict((name, None if numbers is None else encoder.encode(numbers))
                                       for name, numbers in reply["of"].items())  # fmt: skip
                    reply["failed"] = failed
                    return reply, encoder.tensors
                except BaseException as error:
                    on_the_way_back = isinstance(error, CannotGoBack)
                    raised = error.__cause__ if on_the_way_back else error
                    self._spoiled, told = True, describe_error(raised, "gradients")
                    text = "%s: %s" % (told["type"], told["message"])
                    reason = reason or text
                    if with_inputs and on_the_way_back:
                        failed = text
        return {"kind": "unknown", "reason": reason, "failed": failed}, []

    def _flow(self, request, tensors, with_inputs):
        model, args, kwargs = self._prepare(request, tensors)
        nudged, leaves = request.get("nudged"), parameters_of(model)
        rounded = nudged and computes_gradients()
        if rounded:
            for _, parameter in leaves:
                nudge(parameter)
        if with_inputs:
            stand_ins = Leaves(args, kwargs, rounded)
            args, kwargs = stand_ins.replace(args, "args"), stand_ins.replace(kwargs, "kwargs")
            leaves = leaves + stand_ins.named
        if not leaves:
            raise ValueError("neither an input nor a parameter can ask for gradients")
        with self._surroundings(request), Switches(request.get("ignored", [])) as switches:
            if computes_gradients():
                reply = flow(self._call(request, model, args, kwargs), leaves, request.get("autocast"))
            else:
                with Cuts(moving=bool(nudged)) as cuts:
                    reply = cuts.flow(self._call(request, model, args, kwargs))
        reply["switches"] = switches.found
        return reply

    def do_export(self, request, tensors):
        reply, encoder, phase, data = {"error": None}, Encoder(), "prepare", b""
        method, started = request.get("method", "forward"), time.time()
        escapes = self._escapes
        escapes.found = []
        with Listening() as listening:
            try:
                model, args, kwargs = self._prepare(request, tensors)
                phase = "export"
                with self._surroundings(request), recording_at_most(request.get("most_nodes")), escapes:
                    if request["kind"] == "script":
                        if args or kwargs:
                            check_fits(function_of(model, method), args, kwargs)
                        exported = torch.jit.script(model)
                    elif request["kind"] == "fx":
                        exported = scripted_fx(model, method, args, kwargs)
                    else:
                        exported, taken = trace(model, method, args, kwargs, request.get("strict", True))
                        if taken:
                            reply["taken"] = taken
                phase = "save"
                reply["state"] = self._state(request, encoder)
                self._restore_tensors()
                if request.get("device", "cpu") == "meta":
                    make_storable(exported)
                buffer = io.BytesIO()
                torch.jit.save(exported, buffer)
                data = buffer.getvalue()
            except BaseException as error:
                reply["error"] = describe_error(error, phase)
        if phase == "export":
            reply["state"] = self._state(request, encoder)
        of_tracer = [w for w in listening.found if w["category"] == "TracerWarning"]
        reply.update(warnings=of_tracer, escapes=escapes.found, wall_s=time.time() - started,
                     printed=clip(self._channel.printed.text))  # fmt: skip
        return reply, encoder.tensors + ([("archive", "U8", [len(data)], data)] if data else [])

    def answer(self, request, tensors):
        handler = getattr(self, "do_" + str(request.get("do")), None)
        try:
            if handler is None:
                raise ValueError("unknown request %r" % request.get("do"))
            reply, out = handler(request, tensors)
        except BaseException as error:  # A reply could not be made: still an answer, never a death.
            reply, out = {"ok": False, "error": describe_error(error, "host")}, []
        reply.setdefault("ok", True)
        reply["id"] = request.get("id")
        return reply, out
