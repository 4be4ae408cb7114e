#include "engine/archive/source_origins.h"

#include <gtest/gtest.h>

#include "engine/archive/pickler.h"
#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::make_tuple;
using core::Value;

base::SourceRange origin(const Value& map, size_t offset) {
  return source_origins([bytes = pickle(map, {})] { return bytes; })(offset);
}

Value record(int64_t offset, const Value& source, int64_t begin, int64_t end) {
  return Value(make_tuple({offset, Value(make_tuple({source, begin, end})), 0}));
}

TEST(SourceOrigins, PlainMapsNameFileAndLine) {
  Value source(make_tuple({"a\nbc\n", "model.py", 10}));
  Value map(make_tuple({record(5, source, 2, 4), record(20, source, 0, 1)}));
  EXPECT_FALSE(origin(map, 4));
  EXPECT_EQ(origin(map, 5).place(), "model.py:11");
  EXPECT_EQ(origin(map, 19).place(), "model.py:11");
  EXPECT_EQ(origin(map, 5).column(), 0);
  EXPECT_EQ(origin(map, 1000).place(), "model.py:10");
}

TEST(SourceOrigins, TablesHoldTheLinesOnce) {
  Value source(make_tuple({Value(core::make_int_list(std::vector<int64_t>{1, 0})), 2, 3}));
  Value map(
      make_tuple({"FORMAT_WITH_STRING_TABLE", Value(make_tuple({"x = 1\n", "def f():\n", "m.py"})),
                  Value(make_tuple({record(0, source, 9, 10)}))}));
  base::SourceRange found = origin(map, 0);
  EXPECT_EQ(found.place(), "m.py:4");
  EXPECT_EQ(found.source->text, "def f():\nx = 1\n");
}

TEST(SourceOrigins, BrokenMapsAreAsGoodAsNone) {
  Value source(make_tuple({"a\n", "m.py", 1}));
  const Value maps[] = {Value(),
                        3,
                        Value(make_tuple({1})),
                        Value(make_tuple({record(0, 7, 0, 1)})),
                        Value(make_tuple({Value(make_tuple({0}))})),
                        Value(make_tuple({record(0, Value(make_tuple({0, 0, 1})), 0, 1)})),
                        Value(make_tuple({"FORMAT_WITH_STRING_TABLE", 1, 2}))};
  for (const Value& map : maps) EXPECT_FALSE(origin(map, 0));
  EXPECT_FALSE(source_origins([] { return std::string("junk"); })(0));
  EXPECT_FALSE(source_origins([]() -> std::string { base::fail("damaged"); })(0));
  // Offsets outside of the text are cut to it.
  EXPECT_EQ(origin(Value(make_tuple({record(0, source, -5, 99)})), 0).end, 2u);
}

TEST(SourceOrigins, AreReadWhenFirstAskedFor) {
  int reads = 0;
  auto find = source_origins([&] {
    ++reads;
    return pickle(Value(make_tuple({})), {});
  });
  EXPECT_EQ(reads, 0);
  find(0);
  find(1);
  EXPECT_EQ(reads, 1);
}

}  // namespace
}  // namespace assay::archive
