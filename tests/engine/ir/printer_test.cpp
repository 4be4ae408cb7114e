#include "engine/ir/printer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

core::TypePtr known_types(const std::string& name) {
  if (name != "__torch__.Colour") return nullptr;
  auto colour = std::make_shared<core::EnumType>(name, core::int_type());
  colour->members.push_back({"BLUE", std::make_shared<core::Value>(int64_t{2})});
  return colour;
}

ParseOptions options() {
  ParseOptions made;
  made.resolve_type = known_types;
  return made;
}

// Graphs that PyTorch 1.13 printed read and print back to the letter.
TEST(Text, PyTorchGraphsRoundTrip) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/ir")) {
    if (entry.path().filename().string().starts_with("bad-")) continue;
    SCOPED_TRACE(entry.path().string());
    std::string text = read(entry.path());
    auto graph = parse(text, options());
    EXPECT_EQ(print(*graph), text);
    for (const Violation& violation : verify(*graph))
      ADD_FAILURE() << violation.rule << " " << violation.message
                    << (violation.node ? print(*violation.node) : "");
    auto copied = graph->copy();
    EXPECT_TRUE(verify(*copied).empty());
    ++seen;
  }
  EXPECT_GE(seen, 5);
}

// Each bad-*.txt starts with a line `# <what the error says>`.
TEST(Text, BadGraphsAreRefused) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/ir")) {
    if (!entry.path().filename().string().starts_with("bad-")) continue;
    SCOPED_TRACE(entry.path().string());
    std::string text = read(entry.path());
    size_t line = text.find('\n');
    std::string wanted = text.substr(2, line - 2);
    try {
      parse(text.substr(line + 1), options());
      ADD_FAILURE() << "accepted";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::input);
      EXPECT_NE(error.message().find(wanted), std::string::npos) << error.describe();
      EXPECT_TRUE(error.range());
    }
    ++seen;
  }
  EXPECT_GE(seen, 5);
}

TEST(Text, LargeTensorsTravelBeside) {
  Graph graph;
  core::Tensor big = core::Tensor::empty(core::Dims{20}, core::DType::float32);
  Node* constant = graph.block()->append(graph.create_constant(big));
  graph.add_output(constant->output());
  std::string text = print(graph);
  EXPECT_NE(text.find("Float(20, strides=[1], requires_grad=0, device=cpu) = "
                      "prim::Constant[value=<Tensor>]()"),
            std::string::npos)
      << text;
  EXPECT_THROW(parse(text), base::Error);
  PrintOptions print_options;
  std::vector<core::Tensor> tensors;
  print_options.tensors = &tensors;
  ParseOptions parse_options;
  text = print(graph, print_options);
  parse_options.tensors = tensors;
  EXPECT_EQ(parse(text, parse_options)->str(), text);
}

}  // namespace
}  // namespace assay::ir
