"""cmake/batches.py puts sources together exactly where no name of one could mean the other's."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BATCHES = pathlib.Path(__file__).parents[2] / "cmake/batches.py"


def source(unnamed="", named="", top=""):
    return f"{top}namespace assay {{\n\nnamespace {{\n\n{unnamed}\n}}  // namespace\n\n{named}\n}}  // namespace assay\n"


def grouped(*texts, header=""):
    """How many files each batch has, where they can include a header."""
    return [len(batch) for batch in batches(*texts, header=header)]


def batches(*texts, header=""):
    """The numbers of the files in each batch, in the order in which they are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [folder / f"{number}.cpp" for number in range(len(texts))]
        for file, text in zip(files, texts):
            file.write_text(text)
        (folder / "own").mkdir()
        (folder / "own/header.h").write_text(header)
        (folder / "sources").write_text("".join(f"some;{file}\n" for file in files))
        subprocess.run([sys.executable, BATCHES, folder, folder / "sources", folder / "out"], check=True)
        lines = (folder / "out").read_text().splitlines()
        return [[int(number) for number in re.findall(r"(\d+)[.]cpp", line)] for line in lines
                if line.startswith("set_source_files_properties")]


class Batches(unittest.TestCase):
    def test_files_without_names_in_common_are_together(self):
        self.assertEqual(grouped(source("int one() { return 1; }\n"), source("int two() { return 2; }\n")), [2])

    def test_no_batch_has_more_than_sixteen(self):
        self.assertEqual(grouped(*[source()] * 18), [16, 2])

    def test_what_two_files_define_for_themselves_keeps_them_apart(self):
        for definition in ("int size() { return 1; }\n", "template <typename T>\nT* size(T) {\n}\n",
                           "constexpr int size = 1;\n", "const Size none{}, size{1};\n",
                           "const char* size[] = {};\n", "struct size {};\n",
                           "enum class size { small };\n", "using size = int;\n", "std::map<int, int> size{};\n"):
            self.assertEqual(grouped(source(definition), source("int size(int) { return 2; }\n")), [], definition)

    def test_what_one_defines_for_itself_and_the_other_calls_keeps_them_apart(self):
        self.assertEqual(grouped(source("int size() { return 1; }\n"), source(named="int a() { return size(); }")), [])

    def test_a_variable_of_a_function_and_a_member_may_be_called_like_a_function(self):
        for use in ("int size = 3;", "return list.size();", "return list->size();", "return std::size(list);",
                    "// size() of it", 'return "size()";'):
            self.assertEqual(grouped(source("int size() { return 1; }\n"), source(named=f"int a() {{ {use} }}")),
                             [2], use)

    def test_a_variable_is_not_shadowed(self):
        self.assertEqual(grouped(source("const int size = 1;\n"), source(named="int a() { int size = 3; }")), [])

    def test_a_name_taken_from_another_namespace_keeps_away_who_has_its_own(self):
        taken = source("using core::Value;\n")
        for own in ("using ir::Value;\n", "struct Value;\n", "using Value = int;\n"):
            self.assertEqual(grouped(taken, source(own)), [], own)
            self.assertEqual(grouped(taken, source(named=own)), [], own)
        for same in ("using core::Value;\n", "Value* a();\n", "namespace core {\n\nstruct Value;\n}  // namespace core\n"):
            self.assertEqual(grouped(taken, source(named=same)), [2], same)

    def test_a_name_taken_in_an_inner_namespace_is_not_taken_for_the_outer_ones(self):
        inner = source(named="namespace inner {\n\nusing ir::Block;\n}  // namespace inner\n")
        self.assertEqual(grouped(inner, source(named="struct Block;\n")), [])

    def test_a_header_that_declares_a_name_keeps_away_who_takes_over_another(self):
        block, user = source("using ir::Block;\n"), source(top='#include "own/header.h"\n')
        for header, together in (("struct Block;", []), ("inline int a(Block);", [2])):
            header = f"namespace assay {{\n\n{header}\n}}  // namespace assay\n"
            self.assertEqual(grouped(block, user, header=header), together)
            self.assertEqual(grouped(user, block, header=header), together)

    def test_a_header_is_not_read_behind_what_hides_its_names(self):
        own, user = source("struct Block {};\n"), source(top='#include "own/header.h"\n')
        self.assertEqual(batches(own, user, header="inline int a(Block);\n"), [[1, 0]])

    def test_files_that_take_a_whole_namespace_are_among_themselves(self):
        taking = source("using namespace constraints;\n")
        self.assertEqual(grouped(taking, source()), [])
        self.assertEqual(grouped(taking, source(), taking), [2])
        self.assertEqual(grouped(taking, source("using namespace normalizing;\n")), [])

    def test_macros_stay_away_from_their_names(self):
        self.assertEqual(grouped(source(top="#define ROW(name) name\n"), source(named="int a = ROW(1);")), [])


if __name__ == "__main__":
    unittest.main()
