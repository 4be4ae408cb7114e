#include "engine/script/detail/emitter.h"
#include "engine/script/module_value.h"

// Indexing and slicing.

namespace assay::script::detail {
namespace {

bool is_optional_tensor(const TypePtr& type) {
  return core::is_subtype(type, core::optional_of(core::tensor_type()));
}

// The elements of a sequence of `length` that start:stop:step takes (Python's rules), as positions.
std::vector<int64_t> slice_positions(const SourceRange& range, int64_t length,
                                     std::optional<int64_t> start, std::optional<int64_t> stop,
                                     int64_t step) {
  if (step == 0) base::fail_at(range, "the step of a slice cannot be 0");
  auto clip = [&](int64_t at, int64_t least, int64_t most) {
    if (at < 0) at += length;
    return std::min(std::max(at, least), most);
  };
  int64_t least = step > 0 ? 0 : -1, most = step > 0 ? length : length - 1;
  int64_t from = start ? clip(*start, least, most) : (step > 0 ? 0 : length - 1);
  int64_t to = stop ? clip(*stop, least, most) : (step > 0 ? length : -1);
  std::vector<int64_t> positions;
  for (int64_t at = from; step > 0 ? at < to : at > to; at += step) positions.push_back(at);
  return positions;
}

// A bound of a slice that has to be known while compiling.
std::optional<int64_t> known_bound(const SourceRange& range, ir::Value* bound) {
  if (!bound) return std::nullopt;
  auto constant = ir::constant_value(bound);
  if (!constant || !constant->is_int()) {
    base::fail_at(range, "the bounds of a slice of a tuple must be int literals");
  }
  return constant->to_int();
}

}  // namespace

// A slice of something whose members are known while compiling; null for anything else.
StaticValuePtr Emitter::static_slice(const StaticValuePtr& owner, const Expr& index,
                                     const SourceRange& range) {
  bool is_static =
      dynamic_cast<ModuleValue*>(owner.get()) || dynamic_cast<StaticTuple*>(owner.get());
  if (!is_static || index.kind != ExprKind::slice) return nullptr;
  auto bound = [&](size_t i) {
    return index.items[i] ? known_bound(range, value_of(*index.items[i])) : std::nullopt;
  };
  auto start = bound(0), stop = bound(1), step = bound(2);
  std::vector<StaticValuePtr> members = owner->parts(emission_, range, std::nullopt), taken;
  for (int64_t at : slice_positions(range, static_cast<int64_t>(members.size()), start, stop,
                                    step.value_or(1))) {
    taken.push_back(members[static_cast<size_t>(at)]);
  }
  return std::make_shared<StaticTuple>(std::move(taken));
}

StaticValuePtr Emitter::subscript(const Expr& expr, const TypePtr& hint) {
  StaticValuePtr owner = expression(*expr.items[0]);
  const SourceRange& owner_range = expr.items[0]->range;
  if (expr.items.size() != 2) {
    return simple(index_tensor(expr.range, owner->value(emission_, owner_range), expr));
  }
  if (auto members = static_slice(owner, *expr.items[1], expr.range)) return members;
  if (dynamic_cast<StaticTuple*>(owner.get())) {
    return owner->item(emission_, expr.range, value_of(*expr.items[1]), hint);
  }
  ir::Value* value = owner->value(emission_, owner_range);
  if (expr.items[1]->kind == ExprKind::slice) {
    ir::Value* dim = is_tensor(value) ? emission_.constant(0, expr.range) : nullptr;
    return simple(slice(expr.range, value, dim, *expr.items[1]));
  }
  // `x[...]` is for tensors alone; anything else needs the value of its index first.
  if (expr.items[1]->kind == ExprKind::ellipsis) {
    return simple(index_tensor(expr.range, value, expr));
  }
  ir::Value* index = value_of(*expr.items[1]);
  if (value->type()->is(TypeKind::tuple)) return simple(tuple_item(expr.range, value, index));
  if (is_tensor(value)) return simple(index_tensor(expr.range, value, expr));
  return owner->item(emission_, expr.range, index, hint);
}

ir::Value* Emitter::slice(const SourceRange& range, ir::Value* value, ir::Value* dim,
                          const Expr& slice) {
  ir::Value* bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    bounds[i] = slice.items[i] ? value_of(*slice.items[i]) : nullptr;
  }
  if (value->type()->is(TypeKind::tuple)) {
    return tuple_slice(range, value, bounds[0], bounds[1], bounds[2]);
  }
  Actuals args{{value, "self"}};
  if (dim) args.push_back({dim});
  if (!bounds[2]) bounds[2] = emission_.constant(1, range);
  args.push_back({bounds[0], "start"});
  args.push_back({bounds[1], "end"});
  args.push_back({bounds[2], "step"});
  return call_operator(emission_, range, "aten::slice", args);
}

ir::Value* Emitter::tuple_item(const SourceRange& range, ir::Value* tuple, ir::Value* index) {
  const auto& members = tuple->type()->contained();
  if (!index->type()->is(TypeKind::integer)) {
    base::fail_at(range, "a tuple's index must be an integer");
  }
  auto known = ir::constant_value(index);
  if (!known) {
    // Where all members are of one type, any of them will do.
    if (members.empty() || !convertible_to_list(tuple->type(), core::list_of(members[0]))) {
      base::fail_at(range, "this tuple's index must be an int literal, because we cannot resolve ",
                    "the output type otherwise: its members are of several types");
    }
    return emission_.tuple_index(tuple, index, members[0]);
  }
  int64_t size = static_cast<int64_t>(members.size());
  int64_t at = known->to_int() < 0 ? known->to_int() + size : known->to_int();
  if (at < 0 || at >= size) {
    base::fail_at(range, "index out of range: ", known->to_int(), ", in a tuple of ", size);
  }
  return emission_.tuple_index(tuple, index, members[static_cast<size_t>(at)]);
}

ir::Value* Emitter::tuple_slice(const SourceRange& range, ir::Value* tuple, ir::Value* start,
                                ir::Value* stop, ir::Value* step) {
  const auto& members = tuple->type()->contained();
  int64_t stride = known_bound(range, step).value_or(1);
  std::vector<ir::Value*> taken;
  for (int64_t at : slice_positions(range, static_cast<int64_t>(members.size()),
                                    known_bound(range, start), known_bound(range, stop), stride)) {
    ir::Value* index = emission_.constant(at);
    taken.push_back(emission_.tuple_index(tuple, index, members[static_cast<size_t>(at)]));
  }
  return emission_.tuple(taken);
}

// Ints, slices and None are applied from left to right; each leaves a dimension, removes one or
// adds one, so that the next index applies to another dimension. What follows `...` counts from the
// end. Tensor indices are left over, at their dimension.
Emitter::Indexed Emitter::index_dims(const SourceRange& range, ir::Value* value,
                                     const Expr& subscript) {
  size_t count = subscript.items.size() - 1;
  std::vector<int64_t> dims(count, 0);
  std::vector<ir::Value*> indices(count, nullptr);
  auto item = [&](size_t i) -> const Expr& { return *subscript.items[i + 1]; };
  // Gives back the dimension for the next index.
  auto place = [&](size_t i, int64_t dim, bool reverse) {
    dims[i] = dim;
    int64_t step = reverse ? -1 : 1;
    if (item(i).kind == ExprKind::slice) return dim + step;
    // As PyTorch, which first looks whether the index is a slice object.
    expression(item(i));
    ir::Value* index = value_of(item(i));
    if (index->type()->is(TypeKind::list)) {
      Actual dtype{nullptr, "dtype", static_cast<int64_t>(core::DType::int64)};
      index = call_operator(emission_, {}, "aten::tensor", {{index}}, {dtype});
    }
    indices[i] = index;
    if (index->type()->is(TypeKind::none)) return reverse ? dim : dim + 1;
    if (index->type()->is(TypeKind::integer)) return reverse ? dim - 1 : dim;
    if (!is_optional_tensor(index->type())) {
      base::fail_at(range, "a tensor cannot be indexed by a value of type ",
                    index->type()->annotation());
    }
    if (reverse) base::fail_at(range, "a tensor index cannot follow `...`");
    return dim + 1;
  };
  size_t i = 0;
  int64_t dim = 0;
  for (; i < count && item(i).kind != ExprKind::ellipsis; ++i) dim = place(i, dim, false);
  int64_t reverse_dim = -1;
  for (size_t k = count; k-- > i + 1;) {
    if (item(k).kind == ExprKind::ellipsis) base::fail_at(range, "an index may have one `...`");
    reverse_dim = place(k, reverse_dim, true);
  }
  Indexed result{value, {}};
  for (size_t k = 0; k < count; ++k) {
    if (item(k).kind == ExprKind::ellipsis) continue;
    if (item(k).kind == ExprKind::slice) {
      result.value = slice(range, result.value, emission_.constant(dims[k], range), item(k));
    } else if (indices[k]->type()->is(TypeKind::none)) {
      ir::Value* at = emission_.constant(dims[k], range);
      result.value = call_operator(emission_, range, "aten::unsqueeze", {{result.value}, {at}});
    } else if (indices[k]->type()->is(TypeKind::integer)) {
      ir::Value* at = emission_.constant(dims[k], range);
      result.value =
          call_operator(emission_, range, "aten::select", {{result.value}, {at}, {indices[k]}});
    } else {
      result.rest.resize(static_cast<size_t>(dims[k]) + 1, nullptr);
      result.rest.back() = indices[k];
    }
  }
  for (ir::Value*& index : result.rest) {
    if (!index) index = emission_.constant({});
  }
  return result;
}

ir::Value* Emitter::index_list(const std::vector<ir::Value*>& indices) {
  return emission_.list(core::optional_of(core::tensor_type()), indices);
}

ir::Value* Emitter::index_tensor(const SourceRange& range, ir::Value* value,
                                 const Expr& subscript) {
  if (!is_tensor(value)) base::fail_at(range, "only a tensor can be indexed like this");
  Indexed place = index_dims(range, value, subscript);
  if (place.rest.empty()) return place.value;
  return call_operator(emission_, range, "aten::index", {{place.value}, {index_list(place.rest)}});
}

}  // namespace assay::script::detail
