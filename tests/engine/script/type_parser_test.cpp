#include "engine/script/type_parser.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/script/parser.h"

namespace assay::script {
namespace {

core::TypePtr find(const std::string& name, const base::SourceRange&) {
  if (name != "__torch__.a.Net") return nullptr;
  static const auto net = std::make_shared<core::ClassType>(name, true);
  return net;
}

std::string round_trip(const std::string& text) {
  return TypeParser(find).parse(text)->annotation();
}

TEST(TypeParser, ReadsAnnotations) {
  for (const char* text :
       {"int", "Tensor", "List[Tensor]", "Dict[str, List[int]]", "Optional[int]", "Tuple[int, str]",
        "Tuple[()]", "Union[int, str]", "Future[int]", "RRef[int]", "number", "Device", "NoneType",
        "Any", "__torch__.a.Net", "List[Optional[Tuple[__torch__.a.Net, complex]]]"}) {
    EXPECT_EQ(round_trip(text), text);
  }
  EXPECT_EQ(round_trip("Union[int, None]"), "Optional[int]");
  EXPECT_EQ(round_trip("typing.List[torch.Tensor]"), "List[Tensor]");
  EXPECT_EQ(round_trip("Final[int]"), "int");
}

TEST(TypeParser, RefusesWhatIsNoType) {
  for (const char* text : {"", "Lst[int]", "List", "List[int, int]", "Dict[int]", "1", "int +",
                           "__torch__.b.Net", "List[int"}) {
    EXPECT_THROW(TypeParser(find).parse(text), base::Error) << text;
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "List[";
  EXPECT_THROW(TypeParser(find).parse(deep), base::Error);
}

TEST(TypeParser, ReadsIntegersToTheLastBit) {
  EXPECT_EQ(parse_integer("-9223372036854775808", {}), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(parse_integer("0x7fffffffffffffff", {}), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(parse_integer("0b101", {}), 5);
  EXPECT_THROW(parse_integer("9223372036854775808", {}), base::Error);
}

TEST(TypeParser, GivesParametersTheirDefaults) {
  auto source = std::make_shared<base::Source>();
  source->text =
      "def f(a, b: float = 1, *, c: List[int] = [1, 2], d: Optional[float] = None): pass";
  Block block = parse_module(source);
  ops::Schema schema = TypeParser(find).signature(*block.at(0)->function, nullptr);
  EXPECT_EQ(schema.str(), "f(Tensor a, float b=1.0, *, int[] c=[1, 2], float? d=None) -> ()");
}

TEST(TypeParser, SpreadsOneDefaultOverABroadcastingList) {
  auto source = std::make_shared<base::Source>();
  source->text =
      "def f(a: BroadcastingList2[int] = 0, b: Optional[BroadcastingList3[float]] = 1.5): pass";
  Block block = parse_module(source);
  ops::Schema schema = TypeParser(find).signature(*block.at(0)->function, nullptr);
  EXPECT_EQ(schema.arguments.at(0).default_value->list().items.size(), 2u);
  EXPECT_EQ(schema.arguments.at(1).default_value->list().items.size(), 3u);
}

std::string error_of_default(const std::string& parameter) {
  auto source = std::make_shared<base::Source>();
  source->text = "def f(" + parameter + "): pass";
  Block block = parse_module(source);
  try {
    TypeParser(find).signature(*block.at(0)->function, nullptr);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TEST(TypeParser, RefusesADefaultThatIsNotOfItsParametersType) {
  for (const char* wrong :
       {"a: int = None", "a: int = 2.5", "a: str = 1", "a: Tensor = 3", "a: List[int] = [True]",
        "a: List[int] = [1, None]", "a: Dict[str, int] = {1: 2}", "a: Dict[str, int] = {'a': None}",
        "a: Tuple[int, str] = ('a', 1)", "a: Tuple[int, int] = (1,)",
        "a: Tuple[List[int], int] = ([1, 'b'], 2)", "a: Optional[List[int]] = ['b']",
        "a: BroadcastingList2[int] = 1.5", "a: Any = [1, 'b']"}) {
    EXPECT_NE(error_of_default(wrong).find("the default value or constant"), std::string::npos)
        << wrong << ": " << error_of_default(wrong);
  }
}

TEST(TypeParser, TakesDefaultsThatTheDeclaredTypeHolds) {
  for (const char* right :
       {"a: float = 1", "a: Optional[float] = 1", "a: List[float] = [1, 2.5]",
        "a: Tuple[float, int] = (1, 2)", "a: Optional[List[float]] = [1]",
        "a: Dict[str, List[float]] = {'a': [1]}", "a: BroadcastingList2[float] = 1",
        "a: Optional[BroadcastingList2[float]] = 1", "a: List[int] = []", "a: Any = None",
        "a: Tensor = None"}) {
    EXPECT_EQ(error_of_default(right), "") << right;
  }
}

}  // namespace
}  // namespace assay::script
