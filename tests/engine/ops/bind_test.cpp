#include "engine/ops/bind.h"

#include <gtest/gtest.h>

#include "engine/ops/schema_parser.h"

namespace assay::ops {
namespace {

/// Arguments are texts; what was taken is written down in order.
struct TextView {
  std::vector<std::string> given;
  std::vector<std::pair<std::string, std::string>> named;
  std::optional<std::string> self = {};
  std::string taken = {};

  size_t positional() const { return given.size(); }
  size_t keywords() const { return named.size(); }
  std::string_view keyword(size_t i) const { return named[i].first; }
  bool has_self(size_t parameter) const { return self && parameter == 0; }
  bool may_gather(size_t, size_t argument) const { return given[argument] != "[]"; }
  bool put(const std::string& text) {
    taken += (taken.empty() ? "" : " ") + text;
    return text != "bad";
  }
  bool take(size_t, size_t argument) {
    return put(argument < given.size() ? given[argument] : named[argument - given.size()].second);
  }
  bool take_self(size_t) { return put(*std::exchange(self, std::nullopt)); }
  bool gather(size_t, size_t first, size_t count) {
    put("[");
    for (size_t k = 0; k < count; ++k) put(given[first + k]);
    return put("]");
  }
  bool take_default(size_t) { return put("default"); }
  void take_vararg(size_t argument) { put("..." + given[argument]); }
};

/// What was taken, or why the call does not fit.
std::string bound(const std::string& schema_text, TextView view) {
  Schema schema = parse_schema(schema_text);
  auto mismatch = bind(schema, view);
  if (!mismatch) return view.taken;
  return mismatch->kind == Mismatch::Kind::wrong_type ? "wrong type of " + mismatch->name
                                                      : describe(*mismatch, schema);
}

TEST(Bind, GivesArgumentsToParameters) {
  const char* f = "aten::f(Tensor self, int a=3, *, int b=4) -> Tensor";
  EXPECT_EQ(bound(f, {{"x"}, {}}), "x default default");
  EXPECT_EQ(bound(f, {{"x", "1"}, {{"b", "2"}}}), "x 1 2");
  EXPECT_EQ(bound(f, {{"x"}, {{"b", "2"}, {"a", "1"}}}), "x 1 2");
  EXPECT_EQ(bound(f, {{}, {{"input", "x"}}}), "x default default");
  EXPECT_EQ(bound(f, {{"1"}, {}, "x"}), "x 1 default");
}

TEST(Bind, SpellsListsOutAndTakesVarargs) {
  const char* view = "aten::view(Tensor(a) self, int[] size) -> Tensor(a)";
  EXPECT_EQ(bound(view, {{"x", "2", "3"}, {}}), "x [ 2 3 ]");
  EXPECT_EQ(bound(view, {{"x", "[]"}, {}}), "x []");
  EXPECT_EQ(bound("aten::format(str self, ...) -> str", {{"x", "1", "2"}, {}}), "x ...1 ...2");
  // A list of fixed length takes one argument.
  EXPECT_EQ(bound("aten::g(int[2] size) -> int", {{"1", "2"}, {}}),
            "Expected at most 1 arguments but found 2 positional arguments");
}

TEST(Bind, SaysWhyACallDoesNotFit) {
  const char* f = "aten::f(Tensor self, int a=3, *, int b=4) -> Tensor";
  EXPECT_EQ(bound(f, {{}, {}}), "Argument self not provided");
  EXPECT_EQ(bound(f, {{"x", "1", "2"}, {}}),
            "Expected at most 2 arguments but found 3 positional arguments");
  EXPECT_EQ(bound(f, {{"x"}, {{"c", "1"}}}), "there is no argument 'c'");
  EXPECT_EQ(bound(f, {{"x", "1"}, {{"a", "1"}}}), "argument 'a' is given twice");
  EXPECT_EQ(bound(f, {{"x"}, {{"b", "1"}, {"b", "2"}}}), "argument 'b' is given twice");
  EXPECT_EQ(bound(f, {{"x", "bad"}, {}}), "wrong type of a");
}

TEST(Bind, RepeatsTheDefaultOfAListOfFixedLength) {
  Schema schema = parse_schema("aten::f(Tensor self, int[2] stride=1, int[1] dim=[1]) -> Tensor");
  EXPECT_EQ(default_of(schema.arguments[1]).list().items.size(), 2U);
  EXPECT_EQ(default_of(schema.arguments[2]).list().items.size(), 1U);
}

}  // namespace
}  // namespace assay::ops
