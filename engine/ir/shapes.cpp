#include "engine/ir/shapes.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ops/composite/register.h"
#include "engine/ops/dispatch.h"

namespace assay::ir {

using core::DType;
using core::Tensor;
using core::TypeKind;

namespace {

/// Runs of rules in one analysis: a graph of a hostile program ends it, not the other way round.
constexpr int64_t max_runs = 50'000;

/// Stand-ins of a size or a number in the first run, and in one that must agree with it.
constexpr int64_t first_size = 64, second_size = 90;
/// What a single one, then all of them together, are exchanged for.
constexpr int64_t other_sizes[] = {1, 2, 65, 2373};
constexpr DType dtypes[] = {DType::float32, DType::int64, DType::float64, DType::boolean};
constexpr double reals[] = {0.5, 2.5};

/// Rules and composites; no kernels, so that nothing computes.
ops::Context context_without_kernels() {
  static const auto table = [] {
    ops::KernelTable made;
    ops::composite::register_kernels(made);
    return made;
  }();
  ops::Context context;
  context.kernels = &table;
  return context;
}

const core::Device meta{core::DeviceType::meta};

Tensor without_memory(core::DimSpan sizes, DType dtype) {
  return Tensor::empty(sizes, dtype, meta);
}

/// Whether nobody changes what the list held when it was made.
bool only_read(const Value* list) {
  return std::all_of(list->uses().begin(), list->uses().end(), only_reads);
}

/// Whether the operator may run on stand-ins: nothing happens but that it gives results.
bool is_harmless(const ops::Operator& op) {
  return !op.is_host() && op.effect() == ops::Effect::none;
}

}  // namespace

/// Runs of one node's operator on stand-ins for what is not known of its arguments.
class Trial {
 public:
  Trial(Shapes& shapes, const Node& node) : shapes_(shapes), node_(node) {}

  struct Outcome {
    std::vector<std::optional<Shape>> shapes;  ///< One per output; nothing for what is no tensor.
    std::vector<std::optional<Shapes::Integers>> integers;
  };

  /// What all accepted runs agree on; nothing if none was accepted.
  std::optional<Outcome> run() {
    auto first = settle(first_size);
    if (!first) return std::nullopt;
    agreed_ = std::move(*first);
    vary();
    if (auto second = settle(second_size)) {
      agree(*second);
    } else {
      forget_sizes();
    }
    if (shapes_.runs_left_ < 0) return std::nullopt;
    return std::move(agreed_);
  }

 private:
  /// Something unknown, and what stands for it now.
  struct Slot {
    enum class Kind : uint8_t { integer, dtype, real, boolean } kind;
    int64_t integer = 0;  ///< Or the position in `dtypes` or `reals`, or the truth value.
    bool fixed = false;   ///< The operator takes only certain values.
  };

  // Arguments ------------------------------------------------------------------------------------

  int64_t next(Slot::Kind kind) {
    if (used_ == slots_.size()) {
      slots_.push_back({kind, kind == Slot::Kind::integer ? size_ : 0});
    }
    return slots_[used_++].integer;
  }

  std::optional<core::Value> tensor(const Value* value) {
    const Shape* shape = shapes_.of(value);
    if (!shape) return std::nullopt;
    core::Dims sizes;
    for (const auto& size : shape->sizes) {
      sizes.push_back(size ? *size : next(Slot::Kind::integer));
    }
    DType dtype =
        shape->dtype ? *shape->dtype : dtypes[static_cast<size_t>(next(Slot::Kind::dtype))];
    return core::Value(without_memory(sizes, dtype));
  }

  static core::Value constant(const core::Value& held) {
    if (!held.is_tensor() || !held.to_tensor()) return held;
    return core::Value(without_memory(held.to_tensor().sizes(), held.to_tensor().dtype()));
  }

  std::optional<core::Value> list(const Value* value) {
    if (!only_read(value)) return std::nullopt;
    const core::TypePtr& element = value->type()->element();
    core::Values items;
    auto known = shapes_.integers_.find(value);
    if (known != shapes_.integers_.end()) {
      for (const auto& item : known->second) {
        items.emplace_back(item ? *item : next(Slot::Kind::integer));
      }
      return core::make_list(element, std::move(items));
    }
    const Node* maker = value->node();
    if (!maker->is(kinds().list)) return std::nullopt;
    for (const Value* part : maker->inputs()) {
      auto item = argument(part);
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    }
    return core::make_list(element, std::move(items));
  }

  std::optional<core::Value> argument(const Value* value) {
    if (auto held = constant_value(value)) return constant(*held);
    switch (value->type()->kind()) {
      case TypeKind::tensor:
        return tensor(value);
      case TypeKind::list:
        return list(value);
      case TypeKind::integer: {
        auto known = shapes_.integers_.find(value);
        bool fixed = known != shapes_.integers_.end() && known->second[0];
        return core::Value(fixed ? *known->second[0] : next(Slot::Kind::integer));
      }
      case TypeKind::floating:
        return core::Value(reals[static_cast<size_t>(next(Slot::Kind::real))]);
      case TypeKind::boolean:
        return core::Value(next(Slot::Kind::boolean) != 0);
      default:
        return std::nullopt;
    }
  }

  /// Everything stays without memory, wherever the program wants it.
  bool is_device(size_t i) const {
    const auto& formal = node_.op()->schema.arguments;
    if (i >= formal.size()) return false;
    const core::TypePtr& type = formal[i].type;
    return type->is(TypeKind::device) ||
           (type->is(TypeKind::optional) && type->element()->is(TypeKind::device));
  }

  // Runs -----------------------------------------------------------------------------------------

  std::optional<Outcome> attempt() {
    used_ = 0;
    if (shapes_.runs_left_-- <= 0) return std::nullopt;
    core::Values arguments;
    for (size_t i = 0; i < node_.inputs().size(); ++i) {
      auto made = is_device(i) ? core::Value(meta) : argument(node_.input(i));
      if (!made) return std::nullopt;
      arguments.push_back(std::move(*made));
    }
    try {
      return outcome_of(ops::call(context_, *node_.op(), arguments));
    } catch (const std::exception&) {  // The operator does not take these.
      return std::nullopt;
    }
  }

  Outcome outcome_of(const ops::Results& results) const {
    Outcome outcome;
    bool plain = node_.op()->layout() == ops::Layout::ignores_layout;
    for (const core::Value& result : results) {
      std::optional<Shape> shape;
      std::optional<Shapes::Integers> integers;
      if (result.is_tensor()) {
        shape.emplace();
        for (int64_t size : result.to_tensor().sizes()) shape->sizes.emplace_back(size);
        shape->dtype = result.to_tensor().dtype();
      } else if (plain && result.is_int()) {
        integers = {result.to_int()};
      } else if (plain && result.is_list()) {
        integers.emplace();
        for (const core::Value& item : result.list().items) integers->push_back(item.to_int());
      }
      outcome.shapes.push_back(std::move(shape));
      outcome.integers.push_back(std::move(integers));
    }
    return outcome;
  }

  /// The first run that the operator accepts, with this stand-in for all sizes; where it wants a
  /// certain one (as many channels as a weight has), with one of those that its arguments show.
  std::optional<Outcome> settle(int64_t size) {
    size_ = size;
    slots_.clear();
    if (auto made = attempt()) return made;
    std::vector<int64_t> shown = shown_sizes();
    size_t count = slots_.size();
    for (size_t i = 0; i < count; ++i) {
      Slot plain = slots_[i];
      if (plain.kind != Slot::Kind::integer) continue;
      for (int64_t candidate : shown) {
        slots_[i] = {plain.kind, candidate, true};
        if (auto made = attempt()) return made;
      }
      slots_[i] = plain;
    }
    return std::nullopt;
  }

  /// Sizes of constant arguments, and products of the stand-in.
  std::vector<int64_t> shown_sizes() const {
    std::vector<int64_t> shown;
    for (const Value* input : node_.inputs()) {
      const Shape* shape = shapes_.of(input);
      if (!shape) continue;
      for (const auto& size : shape->sizes) {
        if (size && std::find(shown.begin(), shown.end(), *size) == shown.end()) {
          shown.push_back(*size);
        }
      }
    }
    for (int64_t made : {size_ * size_, size_ * size_ * size_, int64_t{1}}) shown.push_back(made);
    return shown;
  }

  /// Exchanges what stands for each unknown, alone and all together.
  void vary() {
    const std::vector<Slot> settled = slots_;
    auto accept = [&] {
      if (auto made = attempt()) agree(*made);
      slots_ = settled;
    };
    for (size_t i = 0; i < settled.size(); ++i) {
      for (int64_t other : others(settled[i].kind)) {
        slots_[i].integer = other;
        accept();
      }
    }
    for (int64_t other : other_sizes) {
      for (Slot& slot : slots_) {
        if (slot.kind == Slot::Kind::integer && !slot.fixed) slot.integer = other;
      }
      accept();
    }
  }

  static std::vector<int64_t> others(Slot::Kind kind) {
    if (kind == Slot::Kind::integer) return {std::begin(other_sizes), std::end(other_sizes)};
    if (kind == Slot::Kind::dtype) return {1, 2, 3};
    return {1};
  }

  // Agreement ------------------------------------------------------------------------------------

  void agree(const Outcome& other) {
    for (size_t i = 0; i < agreed_.shapes.size(); ++i) {
      bool both = i < other.shapes.size() && agreed_.shapes[i] && other.shapes[i] &&
                  agreed_.shapes[i]->sizes.size() == other.shapes[i]->sizes.size();
      if (!both) {
        agreed_.shapes[i].reset();
      } else {
        keep_equal(agreed_.shapes[i]->sizes, other.shapes[i]->sizes);
        if (agreed_.shapes[i]->dtype != other.shapes[i]->dtype) agreed_.shapes[i]->dtype.reset();
      }
      auto& integers = agreed_.integers[i];
      bool lists = i < other.integers.size() && integers && other.integers[i] &&
                   integers->size() == other.integers[i]->size();
      if (lists) {
        keep_equal(*integers, *other.integers[i]);
      } else {
        integers.reset();
      }
    }
  }

  static void keep_equal(Shapes::Integers& kept, const Shapes::Integers& other) {
    for (size_t i = 0; i < kept.size(); ++i) {
      if (kept[i] != other[i]) kept[i].reset();
    }
  }

  void forget_sizes() {
    for (auto& shape : agreed_.shapes) {
      if (shape) std::fill(shape->sizes.begin(), shape->sizes.end(), std::nullopt);
    }
    for (auto& integers : agreed_.integers) {
      if (integers) std::fill(integers->begin(), integers->end(), std::nullopt);
    }
  }

  Shapes& shapes_;
  const Node& node_;
  ops::Context context_ = context_without_kernels();
  int64_t size_ = first_size;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  Outcome agreed_;
};

Shapes::Shapes(const Graph& graph, std::span<const Rank> inputs) : runs_left_(max_runs) {
  for (size_t i = 0; i < std::min(inputs.size(), graph.inputs().size()); ++i) {
    if (!inputs[i]) continue;
    shapes_[graph.inputs()[i]].sizes.resize(static_cast<size_t>(*inputs[i]));
  }
  block(*graph.block());
}

const Shape* Shapes::of(const Value* value) const {
  auto found = shapes_.find(value);
  return found == shapes_.end() ? nullptr : &found->second;
}

Rank Shapes::rank(const Value* value) const {
  const Shape* shape = of(value);
  return shape ? Rank(static_cast<int64_t>(shape->sizes.size())) : Rank();
}

void Shapes::block(const Block& block) {
  for (const Node* inner : block) {
    for (const Block* nested : inner->blocks()) this->block(*nested);
    node(*inner);
  }
}

void Shapes::constant(const Value* value) {
  auto held = constant_value(value);
  if (!held || !held->is_tensor() || !held->to_tensor()) return;
  Shape& shape = shapes_[value];
  for (int64_t size : held->to_tensor().sizes()) shape.sizes.emplace_back(size);
  shape.dtype = held->to_tensor().dtype();
}

void Shapes::node(const Node& node) {
  if (node.is(kinds().constant)) return constant(node.output());
  if (node.is(kinds().if_)) return branch(node);
  if (!node.op() || !is_harmless(*node.op())) return;
  auto outcome = Trial(*this, node).run();
  for (const Value* written : Alias::written_by(&node)) {
    bool kept = outcome && !outcome->shapes.empty() && outcome->shapes[0] && of(written) &&
                outcome->shapes[0]->sizes == of(written)->sizes;
    if (!kept) shapes_.erase(written);  // It may have another shape from here on.
  }
  if (!outcome || outcome->shapes.size() != node.outputs().size()) return;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    if (outcome->shapes[i]) shapes_[node.output(i)] = std::move(*outcome->shapes[i]);
    if (outcome->integers[i]) integers_[node.output(i)] = std::move(*outcome->integers[i]);
  }
}

/// What both branches give.
void Shapes::branch(const Node& node) {
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    const Shape* one = of(node.block(0)->results()[i]);
    const Shape* other = of(node.block(1)->results()[i]);
    if (!one || !other || one->sizes.size() != other->sizes.size()) continue;
    Shape both = *one;
    for (size_t d = 0; d < both.sizes.size(); ++d) {
      if (both.sizes[d] != other->sizes[d]) both.sizes[d].reset();
    }
    if (both.dtype != other->dtype) both.dtype.reset();
    shapes_[node.output(i)] = std::move(both);
  }
}

}  // namespace assay::ir
