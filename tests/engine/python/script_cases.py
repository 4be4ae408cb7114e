"""Functions, classes and modules that script_test.py compiles with assay's torch and with PyTorch, in a
process each. Prints, as JSON, for each: its graph and code and what it gives, or that it is refused.

Run by itself: `python script_cases.py [NAME]`.
"""

import json
import sys

import script_classes
import script_exact  # noqa: F401
import script_expressions  # noqa: F401
import script_modules  # noqa: F401
import script_outside  # noqa: F401
import script_signatures  # noqa: F401
import script_texts
from script_harness import CASES, plain, run


def main():
    import warnings
    warnings.simplefilter("ignore")
    if len(sys.argv) > 1:
        out = run(*CASES[sys.argv[1]])
        for key, value in out.items():
            print(f"--- {key}\n{value}")
        return
    out = {name: run(*each) for name, each in CASES.items()}
    out["what errors say"] = {"result": script_texts.refusals()}
    out["what archives give"] = {"result": script_texts.results_of_reloaded()}
    out["what a program raises"] = {"result": script_texts.program_raises()}
    for behaviour in script_classes.BEHAVIOURS:
        out[behaviour.__name__] = {"result": plain(behaviour())}
    print(json.dumps(out))


if __name__ == "__main__":
    main()
