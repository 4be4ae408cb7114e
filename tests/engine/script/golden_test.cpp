#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/base/error.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"
#include "engine/script/compiler.h"
#include "engine/script/importer.h"

// Programs in tests/golden/script with the graphs that PyTorch 1.13 makes of them (record.py).

namespace assay::script {
namespace {

struct Section {
  std::string function;
  std::string graph;
};

struct Golden {
  std::string kind;  // "source" or "archive"
  std::string program;
  std::vector<Section> sections;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

Golden parse(const std::string& text) {
  Golden golden;
  size_t line = text.find('\n');
  golden.kind = text.substr(2, line - 2);
  size_t at = text.find("==> ", line);
  golden.program = text.substr(line + 1, at - line - 1);
  while (at != std::string::npos) {
    size_t end = text.find('\n', at);
    size_t next = text.find("==> ", end);
    golden.sections.push_back(
        {text.substr(at + 4, end - at - 4),
         text.substr(end + 1, next == std::string::npos ? next : next - end - 1)});
    at = next;
  }
  return golden;
}

std::shared_ptr<const base::Source> source(const std::string& text, const std::string& name) {
  auto made = std::make_shared<base::Source>();
  made->text = text;
  made->name = name;
  return made;
}

// Numbers of nameless values tell how often the compiler tried an overload in vain, and so depend
// on the catalog's size; here they are counted from the top.
std::string renumbered(const std::string& text) {
  std::map<std::string, std::string> names;
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = text[i] == '%' ? text.find_first_not_of("0123456789", i + 1) : i;
    if (end <= i + 1) {
      out += text[i++];
      continue;
    }
    auto [name, fresh] = names.try_emplace(text.substr(i, end - i), std::to_string(names.size()));
    out += "%" + name->second;
    i = end;
  }
  return out;
}

void check(ir::Unit& unit, const Golden& golden) {
  for (const auto& section : golden.sections) {
    SCOPED_TRACE(section.function);
    const ir::Graph& graph = unit.function(section.function).graph();
    EXPECT_EQ(renumbered(ir::print(graph)), renumbered(section.graph));
    for (const auto& violation : ir::verify(graph)) {
      ADD_FAILURE() << violation.rule << " " << violation.message;
    }
  }
}

class GoldenPrograms : public testing::TestWithParam<std::string> {};

TEST_P(GoldenPrograms, CompileToPyTorchsGraphs) {
  Golden golden = parse(read("tests/golden/script/" + GetParam() + ".txt"));
  ASSERT_FALSE(golden.sections.empty());
  ir::Unit unit;
  if (golden.kind == "source") {
    compile_source(unit, source(golden.program, "<string>"));
    return check(unit, golden);
  }
  Importer importer(unit, {}, [&](const std::string& file) {
    return file == "__torch__.py" ? source(golden.program, "code/__torch__.py") : nullptr;
  });
  importer.resolve_type("__torch__.M");
  check(unit, golden);
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/script")) {
    std::string name = entry.path().stem();
    if (entry.path().extension() == ".txt" && !name.starts_with("bad-")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Script, GoldenPrograms, testing::ValuesIn(programs()),
                         [](const auto& test) { return test.param; });

// Each bad-*.txt starts with a line `# <what the error says>`.
TEST(BadPrograms, AreRefusedWithAPlace) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/script")) {
    if (!entry.path().filename().string().starts_with("bad-")) continue;
    SCOPED_TRACE(entry.path().string());
    std::string text = read(entry.path());
    size_t line = text.find('\n');
    std::string wanted = text.substr(2, line - 2);
    ir::Unit unit;
    try {
      compile_source(unit, source(text.substr(line + 1), "bad.py"));
      ADD_FAILURE() << "accepted";
    } catch (const base::Error& error) {
      EXPECT_NE(error.kind(), base::ErrorKind::internal);
      EXPECT_NE(error.message().find(wanted), std::string::npos) << error.describe();
      EXPECT_TRUE(error.range()) << error.describe();
    }
    EXPECT_TRUE(unit.functions().empty());
    ++seen;
  }
  EXPECT_GE(seen, 15);
}

}  // namespace
}  // namespace assay::script
