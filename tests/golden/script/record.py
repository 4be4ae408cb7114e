"""Re-records the graphs in *.txt with PyTorch 1.13: python3 record.py [file...]

A file starts with `# source` (functions as for torch.jit.CompilationUnit) or `# archive` (what an
archive holds in code/__torch__.py). After it stands one section `==> name` with the printed graph
for each function. bad-*.txt hold what must be refused and are left alone.
"""
import glob
import os
import sys
import tempfile

import torch


def functions_of_source(text):
    unit = torch.jit.CompilationUnit(text)
    return [("__torch__." + f.name, f.graph) for f in unit.get_functions()]


def functions_of_archive(text):
    # A module without attributes, so that loading compiles the class M and what it uses.
    pickle = b"\x80\x02c__torch__\nM\nq\x00)\x81}q\x01b."
    empty = b"\x80\x02)."
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gold.pt")
        writer = torch._C.PyTorchFileWriter(path)
        for name, data in [("data.pkl", pickle), ("constants.pkl", empty),
                           ("code/__torch__.py", text.encode())]:
            writer.write_record(name, data, len(data))
        writer.write_end_of_file()
        unit = torch._C.CompilationUnit()
        torch._C.import_ir_module(unit, path, None, {})
        return [(f.qualified_name, f.graph) for f in unit.get_functions()]


def record(path):
    with open(path) as file:
        text = file.read()
    kind, program = text.split("\n", 1)
    program = program.split("==> ", 1)[0]
    found = {"# source": functions_of_source, "# archive": functions_of_archive}[kind](program)
    with open(path, "w") as file:
        file.write(kind + "\n" + program)
        for name, graph in found:
            file.write("==> %s\n%s" % (name, graph))


for name in sys.argv[1:] or sorted(glob.glob(os.path.join(os.path.dirname(__file__), "*.txt"))):
    if not os.path.basename(name).startswith("bad-"):
        record(name)
