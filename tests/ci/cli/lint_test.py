"""`assay lint --json` writes what its schema says, for every archive of the corpus.

Use: lint_test.py ASSAY    (from the repository's root; needs no PyTorch)
"""

import json
import pathlib
import subprocess
import sys

import jsonschema


def main(assay):
    schema = json.loads(pathlib.Path("reports/lint.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    archives = sorted(pathlib.Path("corpus").glob("*/*/*.pt"))
    wrong = 0
    for archive in archives:
        run = subprocess.run([assay, "lint", archive, "--json", "-"], capture_output=True, text=True)
        errors = [e.message for e in validator.iter_errors(json.loads(run.stdout))] if run.stdout else [run.stderr]
        for error in errors:
            wrong += 1
            print(f"{archive}: {error}")
    print(f"{len(archives)} archives, {wrong} errors")
    return 1 if wrong or not archives else 0


sys.exit(main(sys.argv[1]))
