"""Ends with exit code 0 where the interpreter that runs this has the modules that are named:

    /usr/bin/python3 tests/has_modules.py torch numpy

They are looked for and not imported, as importing PyTorch takes a second."""

import importlib.util
import sys

sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))
