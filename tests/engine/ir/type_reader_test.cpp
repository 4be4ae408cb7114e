#include "engine/ir/type_reader.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/text_cursor.h"
#include "engine/ir/type_text.h"

namespace assay::ir {
namespace {

core::TypePtr read(const std::string& text, const TypeResolver& resolver = {}) {
  auto source = std::make_shared<base::Source>();
  source->text = text;
  TextCursor cursor(source);
  core::TypePtr type = TypeReader(resolver).read(cursor);
  if (!cursor.at_end()) cursor.fail("more than a type");
  return type;
}

/// Types as PyTorch 1.13 prints them in graphs.
TEST(TypeReader, ReadsWhatGraphsShow) {
  for (std::string text : {"Tensor",
                           "int",
                           "float",
                           "bool",
                           "str",
                           "complex",
                           "Scalar",
                           "Device",
                           "NoneType",
                           "Any",
                           "int[]",
                           "Tensor?[]",
                           "int[][]?",
                           "(int, Tensor)",
                           "(int)",
                           "()",
                           "Dict(str, int[])",
                           "Future[Tensor]",
                           "RRef[int]",
                           "Union(int, str)",
                           "Float(2, 3, strides=[3, 1], device=cpu)",
                           "Float(*, 3, requires_grad=1, device=cuda:0)",
                           "__torch__.a.b.Net",
                           "Long()",
                           "Generator?"}) {
    EXPECT_EQ(type_text(read(text)), text);
  }
}

TEST(TypeReader, NamesMeanWhatTheResolverSays) {
  auto known = core::named_tuple("__torch__.P", {core::int_type()}, {"a"});
  auto resolver = [&](const std::string& name) { return name == "__torch__.P" ? known : nullptr; };
  EXPECT_EQ(read("__torch__.P[]", resolver)->element(), known);
  EXPECT_TRUE(read("__torch__.Q", resolver)->is(core::TypeKind::class_));
}

TEST(TypeReader, RefusesWhatIsNoType) {
  for (std::string text : {"", "[]", "(int", "Dict(int)", "Dict(int, ", "Future[int", "Float(2,",
                           "int[", "Tensor!", "(,)", "Float(x)", "Union("}) {
    EXPECT_THROW(read(text), base::Error) << text;
  }
}

TEST(TypeReader, NestingIsBounded) {
  auto deep = [](int n) {
    return std::string(static_cast<size_t>(n), '(') + "int" +
           std::string(static_cast<size_t>(n), ')');
  };
  EXPECT_NO_THROW(read(deep(60)));
  EXPECT_THROW(read(deep(65)), base::Error);
  EXPECT_THROW(read(deep(1000000)), base::Error);
  std::string lists = "int";
  for (int i = 0; i < 1000000; ++i) lists += "[]";
  EXPECT_THROW(read(lists), base::Error);
}

}  // namespace
}  // namespace assay::ir
