"""python -m assay SCRIPT ARGS: as `assay python SCRIPT ARGS`."""

import sys

from .launch import main

main(sys.argv[1:])
