#include "engine/ops/schema_parser.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/catalog.h"

namespace assay::ops {
namespace {

TEST(SchemaParser, ReadsWhatItPrints) {
  for (const char* text : {
           "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
           "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
           "aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]",
           "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
           "aten::__getitem__.t(t[](a) list, int idx) -> t(*)",
           "aten::keys.str(Dict(str, t) self) -> str[](*)",
           "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
           "indices)",
           "aten::zeros(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
           "device=None, bool? pin_memory=None) -> Tensor",
           "aten::format(str self, ...) -> str",
           "prim::RaiseException(str msg, str? cls=None) -> ()",
       }) {
    EXPECT_EQ(parse_schema(text).str(), text);
  }
}

TEST(SchemaParser, EveryRowOfTheCatalogReadsAndReadsBack) {
  for (size_t id = 0; id < catalog_rows().size(); ++id) {
    const Schema& schema = operator_of(id).schema;
    SCOPED_TRACE(schema.str());
    EXPECT_EQ(parse_schema(schema.str()).str(), schema.str());
  }
}

TEST(SchemaParser, PointsAtWhatDoesNotFit) {
  try {
    parse_schema("aten::f(Tensor self, Wrong x) -> Tensor");
    FAIL() << "Wrong is no type";
  } catch (const base::Error& e) {
    EXPECT_EQ(e.range().column(), 21);
    EXPECT_NE(e.message().find("Wrong"), std::string::npos);
  }
  for (const char* bad : {"", "aten::f", "aten::f(", "aten::f(Tensor self) ->",
                          "aten::f() -> Tensor x y", "aten::f(int x=) -> ()"}) {
    EXPECT_THROW(parse_schema(bad), base::Error) << bad;
  }
  EXPECT_THROW(parse_schema_type(std::string(100000, '(')), base::Error);
}

}  // namespace
}  // namespace assay::ops
