#include <algorithm>

#include "engine/script/static_value.h"

// What `for` can iterate over besides plain values.

namespace assay::script::detail {

RangeValue::RangeValue(Emission& emission, const Range& range,
                       const std::vector<ir::Value*>& inputs, std::optional<int64_t> length)
    : static_length_(length) {
  for (ir::Value* input : inputs) {
    if (input->type()->is(TypeKind::integer)) continue;
    base::fail_at(range, "range takes ints, but found ", input->type()->annotation());
  }
  if (inputs.empty() || inputs.size() > 3) {
    base::fail_at(range, "range expected at ", inputs.empty() ? "least 1" : "most 3",
                  " arguments, got ", inputs.size());
  }
  if (inputs.size() == 1) {
    end_ = inputs[0];
    start_ = emission.constant(0, range);
    step_ = emission.constant(1, range);
    end_only_ = true;
    return;
  }
  start_ = inputs[0];
  end_ = inputs[1];
  step_ = inputs.size() == 3 ? inputs[2] : emission.constant(1, range);
}

ir::Value* RangeValue::length(Emission& emission, const Range& range) {
  if (static_length_) return emission.constant(*static_length_, range);
  if (end_only_) return end_;
  return call_operator(emission, range, "aten::__range_length", {{start_}, {end_}, {step_}});
}

StaticValuePtr RangeValue::item(Emission& emission, const Range& range, ir::Value* index,
                                const TypePtr&) {
  if (end_only_) return simple(index);
  Actuals args{{index}, {start_}, {step_}};
  return simple(call_operator(emission, range, "aten::__derive_index", args));
}

ir::Value* StaticTuple::value(Emission& emission, const Range& range) {
  std::vector<ir::Value*> values;
  for (const auto& member : members_) values.push_back(member->value(emission, range));
  return emission.tuple(values);
}

StaticValuePtr StaticTuple::item(Emission&, const Range& range, ir::Value* index, const TypePtr&) {
  auto known = ir::constant_value(index);
  if (!known || !known->is_int()) refuse(range, "is indexed by int literals only");
  int64_t size = static_cast<int64_t>(members_.size());
  int64_t at = known->to_int() < 0 ? known->to_int() + size : known->to_int();
  if (at < 0 || at >= size) refuse(range, "of ", size, " members has no member ", known->to_int());
  return members_[static_cast<size_t>(at)];
}

void IterableTree::add(const Range& range, StaticValuePtr child) {
  auto length = child->static_length();
  if (children_.empty()) {
    static_length_ = length;
  } else if (length.has_value() != static_length_.has_value()) {
    base::fail_at(range,
                  "a module list or tuple cannot be iterated over together with something "
                  "that does not have a statically determinable length");
  } else if (length) {
    static_length_ = std::min(*length, *static_length_);
  }
  children_.push_back(std::move(child));
}

void IterableTree::collect_lengths(Emission& emission, const Range& range,
                                   std::vector<ir::Value*>& out) {
  for (const auto& child : children_) {
    if (auto tree = dynamic_cast<IterableTree*>(child.get())) {
      tree->collect_lengths(emission, range, out);
    } else {
      out.push_back(child->length(emission, range));
    }
  }
}

ir::Value* IterableTree::length(Emission& emission, const Range& range) {
  std::vector<ir::Value*> lengths;
  collect_lengths(emission, range, lengths);
  ir::Value* all = emission.list(core::int_type(), lengths);
  return call_operator(emission, range, "prim::min", {{all}});
}

StaticValuePtr IterableTree::item(Emission& emission, const Range& range, ir::Value* index,
                                  const TypePtr&) {
  std::vector<StaticValuePtr> items;
  for (const auto& child : children_) {
    items.push_back(child->item(emission, range, index, nullptr));
  }
  return std::make_shared<StaticTuple>(std::move(items));
}

}  // namespace assay::script::detail
