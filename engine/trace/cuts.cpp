#include "engine/trace/cuts.h"

#include <algorithm>
#include <cmath>

#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/core/tensor_extensions.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"
#include "engine/ops/context.h"
#include "engine/trace/gradients.h"

namespace assay::trace {

using core::Tensor;
using core::TensorImpl;
using core::Value;
using ops::Operator;
using ops::Results;

namespace {

constexpr const char* unrecorded = "none recorded";

bool detaches(const Operator& op) { return op.cuts_gradients() && op.keeps_values(); }

/// Nothing is lost behind a step.
bool is_step(const Operator& op, std::span<const Value> args) {
  if (op.response() == ops::Response::in_steps) return true;
  if (!op.has(ops::arg::rounding_mode)) return false;
  size_t at = op.position(ops::arg::rounding_mode);
  return at < args.size() && !args[at].is_none();
}

/// Whether gradients could flow from what a call reads into what it gives.
bool lets_through(const Operator& op, std::span<const Value> args) {
  return !op.cuts_gradients() && !is_step(op, args);
}

std::vector<int> united(const std::vector<int>& a, const std::vector<int>& b) {
  if (a.empty() || a == b) return b;
  std::vector<int> both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

/// "detached float32[2, 3]"
std::string detached_name(const TensorImpl& tensor) {
  Tensor whole{base::Ref<TensorImpl>(const_cast<TensorImpl*>(&tensor))};
  std::string text = "detached " + std::string(core::python_name(tensor.dtype)) + "[";
  for (int64_t size : whole.sizes()) {
    if (text.back() != '[') text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

/// A copy, each element moved by a little of the largest one, unlike its neighbours.
Tensor moved(const Tensor& tensor) {
  constexpr double little = 0x1p-6;
  std::vector<core::Scalar> items = core::elements(tensor);
  double largest = 0;
  for (const core::Scalar& item : items) {
    double size = std::abs(item.to_complex());
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  double step = little * (largest > 0 ? largest : 1);
  for (size_t i = 0; i < items.size(); ++i) {
    double by = step * std::cos(1.7 * static_cast<double>(i));
    if (core::is_complex(tensor.dtype())) {
      items[i] = items[i].to_complex() + by;
    } else {
      items[i] = items[i].to_double() + by;
    }
  }
  Tensor copy = core::tensor_from(items, tensor.sizes(), tensor.dtype());
  if (tensor.device().type == core::DeviceType::cpu) return copy;
  return Tensor::view_of(core::copy_to_device(copy.storage(), tensor.device()), 0, copy.sizes(),
                         copy.strides(), copy.dtype());
}

/// A function of the user's gave it, with gradients of its own: nobody knows which.
bool is_marked(const TensorImpl& tensor) {
  return tensor.requires_grad && tensor.extensions.find(core::TensorExtension::gradient);
}

}  // namespace

int CutFollower::number_of(const std::string& name, const base::SourceRange& place) {
  auto known = std::ranges::find_if(known_, [&](const Cut& cut) {
    bool there = cut.place.source == place.source && cut.place.begin == place.begin;
    return there && cut.name == name;
  });
  if (known == known_.end()) known = known_.insert(known_.end(), {name, place});
  return static_cast<int>(known - known_.begin());
}

CutFollower::Cuts CutFollower::cuts_of(const TensorImpl& tensor) const {
  Cuts found;
  auto own = tensors_.find(&tensor);
  if (own != tensors_.end() && !(own->second.unrecorded && is_marked(tensor)))
    found = own->second.cuts;
  if (written_.empty()) return found;
  auto written = written_.find(tensor.storage.get());
  return written == written_.end() ? found : united(found, written->second.cuts);
}

CutFollower::Cuts CutFollower::carried_by(std::span<const Value> args) const {
  Cuts carried;
  if (tensors_.empty() && written_.empty()) return carried;
  core::for_each_tensor(
      args, [&](const TensorImpl& tensor) { carried = united(carried, cuts_of(tensor)); });
  return carried;
}

bool CutFollower::move(Results& results, std::span<const Value> args) {
  auto stays = [&](const Value& result) {
    if (!result.is_tensor()) return result.is_list();
    return core::holds(args, *result.tensor_impl()) || !core::has_bytes(result.to_tensor());
  };
  if (std::ranges::any_of(results, stays)) return false;
  for (Value& result : results) {
    bool moves = result.is_tensor() && core::is_differentiable(result.tensor_impl()->dtype);
    if (moves) result = moved(result.to_tensor());
  }
  return true;
}

void CutFollower::leave(TensorImpl& result, bool written, const Cuts& cuts, bool recorded) {
  if (written && result.storage) {
    Of<core::Storage>& kept = written_[result.storage.get()];
    kept.what = result.storage;
    kept.cuts = united(kept.cuts, cuts);
  } else {
    tensors_[&result] = {base::Ref<TensorImpl>(&result), cuts, !recorded};
  }
}

Results CutFollower::call(const Operator& op, std::span<const Value> args, const ops::Next& next) {
  bool first_alone = op.gradients() == ops::Gradients::from_first;
  std::span<const Value> read = first_alone ? args.first(1) : args;
  bool needing = std::ranges::any_of(read, [](const Value& v) { return needs_gradients(v); });
  Cuts cuts = carried_by(read);
  bool detached = detaches(op) && (needing || !cuts.empty());
  bool recorded = next.context().grad_enabled;
  Results results = next(op, args);
  if (!detached && !lets_through(op, args)) return results;
  if (needing && !recorded && !detached && !(moving_ && move(results, args))) {
    const base::SourceRange* here = next.context().location;
    cuts = united(cuts, {number_of(unrecorded, here ? *here : base::SourceRange())});
  }
  if (cuts.empty() && !detached) return results;
  core::for_each_tensor(results, [&](TensorImpl& result) {
    if (!core::is_differentiable(result.dtype)) return;
    bool given = core::holds(args, result);
    if (given && op.writes.empty()) return;  // Handed through as it was.
    leave(result, given, detached ? Cuts{number_of(detached_name(result), {})} : cuts, recorded);
  });
  return results;
}

std::vector<std::string> CutFollower::cuts(const Tensor& tensor) const {
  std::vector<std::string> out;
  if (!tensor.defined()) return out;
  for (int number : cuts_of(*tensor.impl()))
    out.push_back(known_[static_cast<size_t>(number)].name);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<base::SourceRange> CutFollower::places(const Tensor& tensor) const {
  std::vector<base::SourceRange> out;
  if (!tensor.defined()) return out;
  for (int number : cuts_of(*tensor.impl())) {
    const Cut& cut = known_[static_cast<size_t>(number)];
    if (cut.name == unrecorded && cut.place) out.push_back(cut.place);
  }
  return out;
}

}  // namespace assay::trace
