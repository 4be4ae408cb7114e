"""Prints what torch.fx makes of fx_cases.py, fx_programs.py, fx_passes.py and fx_tools.py, beside the torch that is imported."""

import json

import fx_cases
import fx_passes  # noqa: F401: adds to the programs
import fx_programs
import fx_tools  # noqa: F401: adds to the programs

print(json.dumps({"cases": fx_cases.cases(), "programs": fx_programs.answers()}))
