"""What parts of the compiler ask of parts above them: a type names a class, which is compiled with its methods, in which
types are named. Each of these is filled in by the part that has it."""

class_name = None  # (cls, compiled_only=False) -> the name of a class in programs; of _names
class_of_object = None  # (cls) -> the same for an object's class, if it is compiled; of _names
names_of = None  # (function) -> what its names mean; of _names
ScriptModule = RecursiveScriptModule = wrap_cpp_module = None  # Of _script_module.
become_compiled = None  # (module) gives a module that is written for the compiler its compiled form; of _script
