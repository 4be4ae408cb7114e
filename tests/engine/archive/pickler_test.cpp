#include "engine/archive/pickler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "engine/archive/unpickler.h"
#include "engine/base/error.h"
#include "engine/core/backends.h"

namespace assay::archive {
namespace {

using core::Value;

/// Pickles and unpickles, with storages kept by key and type tags read by a table.
Value round_trip(const Value& value, const std::map<std::string, core::TypePtr>& types = {}) {
  std::vector<core::StorageRef> storages;
  PickleSink sink;
  sink.store = [&](const core::StorageRef& storage) {
    for (size_t i = 0; i < storages.size(); ++i) {
      if (storages[i] == storage) return std::to_string(i);
    }
    storages.push_back(storage);
    return std::to_string(storages.size() - 1);
  };
  PickleContext context;
  context.load_storage = [&](const StorageId& id) {
    return core::Tensor::view_of(storages.at(std::stoul(id.key)), 0, core::Dims{id.numel},
                                 core::Dims{1}, id.dtype);
  };
  context.parse_type = [&](const std::string& text) { return types.at(text); };
  return unpickle(pickle(value, sink), context);
}

RC_GTEST_PROP(Pickler, ints_round_trip, (int64_t value)) {
  RC_ASSERT(round_trip(Value(value)).to_int() == value);
}

RC_GTEST_PROP(Pickler, floats_round_trip, (double value)) {
  RC_ASSERT(round_trip(Value(value)).to_float() == value);
}

RC_GTEST_PROP(Pickler, texts_and_tuples_round_trip, (std::string text, std::vector<int64_t> ints)) {
  Value value(core::make_tuple({Value(text), Value(core::make_int_list(ints)), Value(text), Value(),
                                Value(true), Value(core::Complex128(1.5, -2))}));
  Value back = round_trip(value);
  RC_ASSERT(back.equals(value));
  RC_ASSERT(back.tuple().items[1].type()->annotation() == "List[int]");
}

TEST(Pickler, containers_keep_their_types) {
  auto type = core::dict_of(core::string_type(), core::list_of(core::string_type()));
  auto dict = core::make_dict(core::string_type(), type->contained()[1]);
  dict->set(Value("a"), Value(core::make_list(core::string_type(), {Value("x")})));
  std::map<std::string, core::TypePtr> types{{"Dict[str, List[str]]", type},
                                             {"List[str]", type->contained()[1]}};
  Value back = round_trip(Value(dict), types);
  EXPECT_EQ(back.type()->annotation(), "Dict[str, List[str]]");
  EXPECT_TRUE(back.equals(Value(dict)));
}

TEST(Pickler, tensors_that_share_a_storage_still_do) {
  auto whole = core::Tensor::empty(core::Dims{2, 3}, core::DType::float32);
  whole.impl()->requires_grad = true;
  auto row = whole.view(core::Dims{3}, core::Dims{1}, 3);
  Value back = round_trip(Value(core::make_tuple({Value(whole), Value(row), Value(whole)})));
  const core::Values& items = back.tuple().items;
  EXPECT_TRUE(items[0].same(items[2]));
  EXPECT_FALSE(items[0].same(items[1]));
  EXPECT_EQ(items[0].to_tensor().storage(), items[1].to_tensor().storage());
  EXPECT_EQ(items[1].to_tensor().offset(), 3);
  EXPECT_TRUE(items[0].to_tensor().requires_grad());
  EXPECT_FALSE(items[1].to_tensor().requires_grad());
}

TEST(Pickler, shared_lists_stay_one_list) {
  Value list(core::make_int_list(std::vector<int64_t>{1, 2}));
  Value back = round_trip(Value(core::make_tuple({list, list})));
  EXPECT_TRUE(back.tuple().items[0].same(back.tuple().items[1]));
}

TEST(Pickler, what_a_pickle_cannot_hold_is_an_input_error) {
  Value function(base::make_ref<core::FunctionObject>("__torch__.f", Value()));
  EXPECT_THROW(round_trip(function), base::Error);
  core::register_fake_devices(true);
  auto fake = core::Tensor::empty(core::Dims{1}, core::DType::float32,
                                  core::Device{core::DeviceType::fake, 0});
  EXPECT_THROW(round_trip(Value(fake)), base::Error);
}

}  // namespace
}  // namespace assay::archive
