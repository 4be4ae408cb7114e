"""python -m assay SCRIPT ARGS: as `assay python SCRIPT ARGS`."""

import os
import sys

from .launch import main

if sys.path and sys.path[0] in ("", os.getcwd()):  # A script's own folder stands there instead.
    del sys.path[0]
main(sys.argv[1:])
