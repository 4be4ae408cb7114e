"""Hooks of modules that are compiled: what their signatures must be like."""

import inspect

from ._source import piece_of


def described(hook, role, module_class):
    return f"{role.capitalize().replace(' ', '-')} '{hook.__name__}' on {module_class.__name__}"


def check_parameters(hook, role, what):
    """What can be told before a hook is compiled."""
    function = inspect.unwrap(getattr(hook, "__func__", hook))
    wanted = 2 if role == "pre hook" else 3
    found = function.__code__.co_argcount
    if found != wanted:
        raise RuntimeError(f"{what} was expected to only have exactly {wanted} inputs but it had {found} inputs")
    if role == "pre hook" and "return" not in function.__annotations__ and "# type:" not in piece_of(function)[0]:
        raise RuntimeError(f"{what} is missing a return annotation: say whether it returns None or forward's arguments")


def check_types(jit_type, pre_hooks, hooks, module_class):
    """Holds the types of compiled hooks to those of forward, as calls will pass them on."""
    if "forward" not in jit_type.methods():
        return
    (_, *taken), result = jit_type.function("forward").types
    for hook in pre_hooks:
        what = described(hook, "pre hook", module_class)
        (_, given), returned = jit_type.function(hook.__name__).types
        _check_input(what, given, taken)
        _check_pre_hook_result(what, returned, taken)
    for hook in hooks:
        what = described(hook, "hook", module_class)
        (_, given, output), returned = jit_type.function(hook.__name__).types
        _check_input(what, given, taken)
        if output != result:
            raise RuntimeError(f"{what} has the wrong type for the output argument. Received type: "
                               f"'{output.annotation_str}'. Expected type: '{result.annotation_str}'")
        if returned.kind() != "NoneType":
            result = returned


def _check_input(what, given, taken):
    if given.kind() != "TupleType":
        raise RuntimeError(f"{what} expected the input argument to be typed as a Tuple but found type: "
                           f"'{given.annotation_str}' instead")
    wanted = f"Tuple[{', '.join(each.annotation_str for each in taken)}]"
    if len(given.elements()) != len(taken):
        raise RuntimeError(f"{what} has the wrong number of contained types for the input argument's Tuple. Received type: "
                           f"'{given.annotation_str}'. Expected type: '{wanted}'")
    if given.elements() != taken:
        raise RuntimeError(f"{what} has the wrong inner types for the input tuple argument. Received type: "
                           f"'{given.annotation_str}'. Expected type: '{wanted}'")


def _check_pre_hook_result(what, returned, taken):
    if returned.kind() == "NoneType":
        return
    single = len(taken) == 1 and returned == taken[0]
    if single and returned.kind() != "TupleType":
        return
    if single or returned.kind() != "TupleType" or returned.elements() != taken:
        raise RuntimeError(f"{what} returned the wrong type of: '{returned.annotation_str}'. It gives None, or forward's "
                           f"arguments as Tuple[{', '.join(each.annotation_str for each in taken)}]"
                           + (", or the one argument as it is" if len(taken) == 1 and not single else ""))
