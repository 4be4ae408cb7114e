#include "engine/ops/item_order.h"

#include <gtest/gtest.h>

#include "engine/api/engine.h"
#include "engine/base/error.h"

namespace assay::ops {
namespace {

using core::make_tuple;
using core::Value;

class ItemOrder : public ::testing::Test {
 protected:
  bool before(const Value& a, const Value& b, const ObjectOrder* objects = nullptr) {
    return comes_before(engine_.context(), a, b, objects);
  }

  api::Engine engine_;
};

TEST_F(ItemOrder, TuplesByTheirFirstMembersThatDiffer) {
  auto pair = [](int64_t number, const char* text) {
    return make_tuple({number, std::string(text)});
  };
  EXPECT_TRUE(before(pair(1, "b"), pair(2, "a")));
  EXPECT_TRUE(before(pair(1, "a"), pair(1, "b")));
  EXPECT_FALSE(before(pair(1, "a"), pair(1, "a")));
  EXPECT_FALSE(before(pair(2, "a"), pair(1, "b")));
}

TEST_F(ItemOrder, ObjectsAsTheySay) {
  auto type = std::make_shared<core::ClassType>("__torch__.Card");
  type->add_attribute("n", core::int_type());
  auto card = [&](int64_t n) {
    auto object = base::make_ref<core::Object>(type);
    object->set_attribute("n", n);
    return make_tuple({int64_t{1}, object});
  };
  ObjectOrder larger_first{[](const core::ClassType&) { return true; },
                           [](const Value& a, const Value& b) {
                             return a.object().attribute("n").to_int() >
                                    b.object().attribute("n").to_int();
                           }};
  EXPECT_NO_THROW(check_sortable({card(1), card(2)}, &larger_first));
  EXPECT_TRUE(before(card(2), card(1), &larger_first));
  EXPECT_FALSE(before(card(1), card(2), &larger_first));
  EXPECT_THROW(check_sortable({card(1)}), base::Error);
  ObjectOrder none{[](const core::ClassType&) { return false; }, larger_first.less};
  EXPECT_THROW(check_sortable({card(1)}, &none), base::Error);
}

// As PyTorch 1.13 refuses them, before it compares any.
TEST(CheckSortable, RefusesItemsWithoutAnOrder) {
  Value dict = core::make_dict(core::int_type(), core::int_type());
  EXPECT_THROW(check_sortable({make_tuple({dict})}), base::Error);
  Value numbers = make_tuple({int64_t{1}, make_tuple({int64_t{2}})});
  Value texts = make_tuple({int64_t{2}, make_tuple({std::string("two")})});
  EXPECT_THROW(check_sortable({numbers, texts}), base::Error);
  EXPECT_THROW(check_sortable({int64_t{1}, std::string("two")}), base::Error);
  EXPECT_THROW(check_sortable({int64_t{1}, 2.0}), base::Error);
  EXPECT_NO_THROW(check_sortable({numbers, numbers}));
  EXPECT_NO_THROW(check_sortable({}));
}

}  // namespace
}  // namespace assay::ops
