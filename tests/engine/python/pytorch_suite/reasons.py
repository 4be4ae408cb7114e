"""Why a test is none of the documented interface: rules over what its source, or the lines on which it
failed, use. No test is named here."""

import io
import re
import tokenize

# The first that fits gives the reason.
RULES = [(reason, re.compile(pattern)) for reason, pattern in [
    ("CUDA", r"\bcuda\b|RUN_CUDA"),
    ("gradients", r"\.backward\(|autograd\.grad\b|\.grad\b(?!_)|\bgradcheck\b|autograd\.Function|autodiff|warmup_backward"
                  r"|requires_grad_analysis|torch\.optim\b|\bdifferentiable"),
    ("ONNX", r"\bonnx\b|\bONNX\b"),
    ("quantization", r"quantiz|qint8|quint8|fbgemm|qnnpack|\.qscheme|Quant(Stub|Wrapper)|QConfig"),
    ("mobile", r"mobile|_for_lite_interpreter|bundled_inputs|flatbuffer"),
    ("classes of C++ (torchbind)", r"_TorchScriptTesting|torch\.classes\b|torchbind|_nnapi|load_library"),
    ("backends", r"_jit_to_backend|to_backend|nnapi"),
    ("oneDNN layout", r"mkldnn"),
    ("distributed and parallel", r"torch\.distributed|\bdp\.|DataParallel|torch\.multiprocessing"),
    ("fuser", r"\bfuser\b|assertAllFused|TensorExprGroup|FusionGroup|tensorexpr|texpr|strict_fusion"),
    ("executor and profiling", r"enable_profiling_mode|graph_for\(|last_executed|get_debug_state|get_execution_plan"
                               r"|GRAPH_EXECUTOR|autograd\.profiler|ProfilingMode|torch\.jit\._logging"
                               r"|_ScriptProfile|num_profiled_runs|profiler\."),
    ("passes of PyTorch's compiler", r"run_pass|_jit_pass|_propagate_shapes|symbolic_shape|_freeze_module"
                                     r"|torch\.jit\._passes|_property_propagation"),
    ("graphs as text (parse_ir)", r"parse_ir|_create_function_from_graph|createFunctionFromGraph|_interpret_graph"),
    ("torch._C", r"torch\._C\.(?!Generator|Size)|\b_C\.(?!_nn)|\._c\b|_get_method\(|from torch\._C"),
    ("undocumented modules", r"torch\.(jit\.frontend|jit\._|_jit_internal|_ops\b|_dispatch|_prims|_refs|fx\.experimental"
                             r"|testing\._internal|utils\._python_dispatch|package\b|overrides\.Torch|_lazy)"),
    ("PyTorch's files of expectations", r"assertExpected\b|assertExpectedGraph|assertExpectedStripMangled"),
]]


def _code(source):
    """The source without its comments."""
    import textwrap
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(textwrap.dedent(source)).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return source
    return tokenize.untokenize(token for token in tokens if token.type != tokenize.COMMENT)


def reason_of(record):
    """The reason why a test lies outside, or None. A test that passes is judged by its source alone, like any
    other."""
    texts = [_code(record.get("source", ""))]
    if record["outcome"] in ("failed", "error"):
        texts += record["lines"] + record.get("outside", [])
    for reason, pattern in RULES:
        for text in texts:
            found = pattern.search(text)
            if found:
                return reason
    if record.get("outside"):
        return "undocumented modules"
    return None
