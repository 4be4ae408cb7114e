"""Prints what torch.fx makes of fx_cases.py and fx_programs.py, beside the torch that is imported."""

import json

import fx_cases
import fx_programs

print(json.dumps({"cases": fx_cases.cases(), "programs": fx_programs.answers()}))
