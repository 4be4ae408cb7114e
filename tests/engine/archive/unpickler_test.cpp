#include "engine/archive/unpickler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::Value;

Value load(std::string_view bytes) { return unpickle(bytes, {}); }

std::string error_of(std::string_view bytes, const PickleContext& context = {}) {
  try {
    unpickle(bytes, context);
  } catch (const base::Error& e) {
    EXPECT_NE(e.kind(), base::ErrorKind::internal) << e.describe();
    return e.message();
  }
  return "";
}

/// A pickle literal, which may contain zero bytes.
#define PICKLE(text) std::string_view(text, sizeof(text) - 1)

TEST(Unpickler, scalars) {
  EXPECT_TRUE(load(PICKLE("N.")).is_none());
  EXPECT_EQ(load(PICKLE("\x88.")).to_bool(), true);
  EXPECT_EQ(load(PICKLE("I01\n.")).to_bool(), true);
  EXPECT_EQ(load(PICKLE("I-7\n.")).to_int(), -7);
  EXPECT_EQ(load(PICKLE("K\xff.")).to_int(), 255);
  EXPECT_EQ(load(PICKLE("M\x01\x02.")).to_int(), 0x0201);
  EXPECT_EQ(load(PICKLE("J\xff\xff\xff\xff.")).to_int(), -1);
  EXPECT_EQ(load(PICKLE("\x8a\x00.")).to_int(), 0);
  EXPECT_EQ(load(PICKLE("\x8a\x02\x00\x80.")).to_int(), -32768);
  EXPECT_EQ(load(PICKLE("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80.")).to_int(), INT64_MIN);
  EXPECT_EQ(load(PICKLE("G\x3f\xf8\x00\x00\x00\x00\x00\x00.")).to_float(), 1.5);
  EXPECT_EQ(load(PICKLE("\x80\x02X\x02\x00\x00\x00hi.")).to_string(), "hi");
}

TEST(Unpickler, containers_and_memo) {
  Value value =
      load(PICKLE("\x80\x02](K\x01]q\x00"
                  "h\x00}(U\x01kK\x02u\x86"
                  "e."));
  // The list holds 1, an empty list, and the pair of that list and a dict.
  ASSERT_TRUE(value.is_list());
  EXPECT_EQ(value.list().items[0].to_int(), 1);
  const Value& pair = value.list().items[2];
  EXPECT_TRUE(pair.tuple().items[0].same(value.list().items[1]));
  EXPECT_EQ(pair.tuple().items[1].dict().find(Value("k"))->to_int(), 2);
}

TEST(Unpickler, what_holds_itself_is_refused) {
  for (std::string_view bytes : {PICKLE("]q\x01h\x01"
                                        "a."),
                                 PICKLE("]q\x01(K\x01h\x01\x85"
                                        "e."),
                                 PICKLE("}q\x01U\x01kh\x01s."),
                                 PICKLE("]q\x01]q\x02h\x01"
                                        "a0h\x01h\x02"
                                        "a."),
                                 PICKLE("]q\x01"
                                        "0ctorch.jit._pickle\nbuild_intlist\nh\x01\x85Rh\x01"
                                        "a.")}) {
    EXPECT_NE(error_of(bytes).find("takes in a further container"), std::string::npos)
        << error_of(bytes);
  }
}

TEST(Unpickler, typed_lists_and_tags) {
  Value ints =
      load(PICKLE("ctorch.jit._pickle\nbuild_intlist\n](K\x01K\x02"
                  "e\x85R."));
  EXPECT_EQ(ints.type()->annotation(), "List[int]");
  PickleContext context;
  context.parse_type = [](const std::string& text) {
    EXPECT_EQ(text, "Dict[str, float]");
    return core::dict_of(core::string_type(), core::simple_type(core::TypeKind::floating));
  };
  Value dict = unpickle(PICKLE("ctorch.jit._pickle\nrestore_type_tag\n}U\x10"
                               "Dict[str, float]\x86R."),
                        context);
  EXPECT_EQ(dict.type()->annotation(), "Dict[str, float]");
}

TEST(Unpickler, devices_and_complex) {
  EXPECT_EQ(load(PICKLE("ctorch\ndevice\nU\x06"
                        "cuda:1\x85R."))
                .to_device()
                .text(),
            "cuda:1");
  EXPECT_EQ(
      load(PICKLE("cbuiltins\ncomplex\nG\x3f\xf0\x00\x00\x00\x00\x00\x00K\x02\x86R.")).to_complex(),
      core::Complex128(1, 2));
  EXPECT_EQ(load(PICKLE("ctorch\nfloat64\n.")).to_int(), 7);
}

TEST(Unpickler, other_constructors_are_refused_by_name) {
  std::string message = error_of(PICKLE("cposix\nsystem\nU\x02ls\x85R."));
  EXPECT_NE(message.find("posix.system"), std::string::npos) << message;
  EXPECT_NE(error_of(PICKLE("\x8c\x02os\x8c\x06system\x93.")).find("os.system"), std::string::npos);
  EXPECT_NE(error_of(PICKLE("c__torch__\nNet\n.")), "");
  EXPECT_NE(error_of(PICKLE("(i__main__\nX\n.")).find("opcode"), std::string::npos);
}

TEST(Unpickler, storages_are_checked_by_who_loads_them) {
  PickleContext context;
  StorageId seen;
  context.load_storage = [&](const StorageId& id) {
    seen = id;
    return core::Tensor::empty(core::Dims{6}, id.dtype);
  };
  constexpr auto pickle = PICKLE(
      "ctorch._utils\n_rebuild_tensor_v2\n(("
      "U\x07storagectorch\nFloatStorage\nU\x01"
      "0U\x03"
      "cpuK\x06tQ"
      "K\x01(K\x02K\x02t(K\x02K\x01t\x88}tR.");
  core::Tensor tensor = unpickle(pickle, context).to_tensor();
  EXPECT_EQ(seen.key, "0");
  EXPECT_EQ(seen.location, "cpu");
  EXPECT_EQ(seen.numel, 6);
  EXPECT_EQ(tensor.sizes(), (core::Dims{2, 2}));
  EXPECT_EQ(tensor.offset(), 1);
  EXPECT_TRUE(tensor.requires_grad());
  // A view that reaches outside the storage.
  std::string outside(pickle);
  outside.replace(outside.find("(K\x02K\x02t"), 6, "(K\x09K\x02t");
  EXPECT_NE(error_of(outside, context).find("out of bounds"), std::string::npos);
}

TEST(Unpickler, claims_are_held_against_the_bytes) {
  EXPECT_NE(error_of(PICKLE("X\xff\xff\xff\x7fhi.")), "");
  EXPECT_NE(error_of(PICKLE("\x8d\xff\xff\xff\xff\xff\xff\xff\xffhi.")), "");
  EXPECT_NE(error_of(PICKLE("Nr\xff\xff\xff\x7f.")).find("memo index"), std::string::npos);
  EXPECT_NE(error_of(PICKLE("h\x05.")).find("memo index"), std::string::npos);
}

TEST(Unpickler, nesting_is_bounded) {
  auto nested = [](size_t depth) {
    std::string bytes(depth, ']');
    bytes.append(depth - 1, 'a');
    return bytes + ".";
  };
  EXPECT_EQ(error_of(nested(max_nesting)), "");
  EXPECT_NE(error_of(nested(max_nesting + 1)).find("nested deeper"), std::string::npos);
  EXPECT_NE(error_of(nested(1000000)).find("nested deeper"), std::string::npos);
  std::string tuples = ")" + std::string(1000000, '\x85') + ".";
  EXPECT_NE(error_of(tuples).find("nested deeper"), std::string::npos);
}

TEST(Unpickler, nesting_through_containers_that_grow_later_is_bounded) {
  // Each list is put, empty, into the one before it and only then gets the next one.
  std::string bytes = "]q";
  bytes += '\0';
  for (int i = 0; i < 100000; ++i) {
    char to = static_cast<char>((i + 1) % 2);
    bytes += std::string("]q") + to;   // list, list'
    bytes += std::string("a0h") + to;  // append, pop, list'
  }
  EXPECT_NE(error_of(bytes + "."), "");
}

TEST(Unpickler, stack_misuse_is_refused) {
  for (std::string_view bytes :
       {PICKLE("."), PICKLE("0."), PICKLE("(."), PICKLE("t."), PICKLE("N(0."), PICKLE("Na."),
        PICKLE("NNa."), PICKLE("NR."), PICKLE("}(Nu."), PICKLE("}])s."), PICKLE("NNb."),
        PICKLE("NQ."), PICKLE("ctorch\nFloatStorage\n."), PICKLE("]}s.")}) {
    EXPECT_NE(error_of(bytes), "") << bytes;
  }
}

TEST(Unpickler, shared_lists_do_not_multiply_work) {
  // One list of 3,000 pairs, of which ever more dicts are made.
  std::string bytes = "(";
  for (int i = 0; i < 3000; ++i) bytes += "K\x01K\x02\x86";
  bytes += "lq\x01";
  for (int i = 0; i < 3000; ++i) bytes += "ccollections\nOrderedDict\nh\x01\x85R0";
  EXPECT_NE(error_of(bytes + "."), "");
}

TEST(Unpickler, shared_tuples_do_not_multiply_work) {
  // t(n+1) = (t(n), t(n)): 2^60 leaves if anything walks it.
  std::string bytes = ")";
  for (int i = 0; i < 60; ++i) bytes += "2\x86";
  EXPECT_TRUE(load(bytes + ".").is_tuple());
}

RC_GTEST_PROP(Unpickler, any_bytes_give_a_value_or_an_input_error, (const std::string& bytes)) {
  error_of(bytes);
}

RC_GTEST_PROP(Unpickler, opcode_soup_gives_a_value_or_an_input_error, ()) {
  static const std::vector<std::string> pieces{"N",
                                               "K\x01",
                                               "(",
                                               ")",
                                               "]",
                                               "}",
                                               "t",
                                               "l",
                                               "d",
                                               "a",
                                               "e",
                                               "s",
                                               "u",
                                               "0",
                                               "1",
                                               "2",
                                               "q\x01",
                                               "h\x01",
                                               "R",
                                               "\x81",
                                               "b",
                                               "Q",
                                               "\x85",
                                               "\x86",
                                               "\x87",
                                               "U\x01k",
                                               "\x93",
                                               "\x94",
                                               "ctorch\nFloatStorage\n",
                                               "ctorch._utils\n_rebuild_tensor_v2\n",
                                               "ccollections\nOrderedDict\n",
                                               "ctorch.jit._pickle\nbuild_intlist\n",
                                               "ctorch.jit._pickle\nrestore_type_tag\n",
                                               "ctorch._tensor\n_rebuild_from_type_v2\n",
                                               "cbuiltins\ncomplex\n",
                                               "ctorch\ndevice\n"};
  auto picks = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, pieces.size()));
  std::string bytes;
  for (size_t pick : picks) bytes += pieces[pick];
  error_of(bytes + ".");
}

}  // namespace
}  // namespace assay::archive
