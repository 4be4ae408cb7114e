#include "verify/run/cut_flow.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "engine/base/text.h"
#include "engine/core/elements.h"
#include "engine/core/epsilon.h"
#include "engine/ops/dispatch.h"
#include "engine/trace/gradients.h"
#include "verify/observation/places.h"

namespace assay::verify {

using core::Tensor;
using core::Value;

namespace {

using Visit = std::function<void(const std::string& place, const Tensor&)>;

std::string key_text(const Value& key) {
  if (key.is_string()) return base::python_repr(key.to_string());
  return key.is_int() ? std::to_string(key.to_int()) : std::string(key.kind_name());
}

/// Visits what a value holds, under names as assay_host/gradients.py gives them.
void for_each_tensor(const std::string& place, const Value& value, const Visit& visit) {
  if (value.is_tensor()) {
    if (value.to_tensor().defined()) visit(place, value.to_tensor());
  } else if (value.is_list() || value.is_tuple()) {
    const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
    for (size_t i = 0; i < items.size(); ++i)
      for_each_tensor(fmt::format("{}[{}]", place, i), items[i], visit);
  } else if (value.is_dict()) {
    for (const auto& entry : value.dict().entries())
      for_each_tensor(fmt::format("{}[{}]", place, key_text(entry.key)), entry.value, visit);
  } else if (value.is_object() && !value.object().type->is_module()) {
    const core::Object& object = value.object();
    for (size_t i = 0; i < object.slots.size(); ++i)
      for_each_tensor(fmt::format("{}.{}", place, object.type->attributes()[i].name),
                      object.slots[i], visit);
  }
}

bool is_differentiable(const Tensor& tensor) {
  return core::is_floating(tensor.dtype()) || core::is_complex(tensor.dtype());
}

/// Evenly spread elements; both parts of complex ones.
std::vector<double> spread_elements(const Tensor& tensor) {
  std::vector<core::Scalar> all = core::elements(tensor);
  size_t step = (all.size() + GradientFlow::most - 1) / GradientFlow::most;
  std::vector<double> out;
  for (size_t i = 0; i < all.size(); i += step) {
    out.push_back(all[i].to_complex().real());
    if (core::is_complex(tensor.dtype())) out.push_back(all[i].to_complex().imag());
  }
  return out;
}

bool is_laid_out_as_its_copy(const Tensor& tensor, ops::Context& context) {
  Tensor copy = ops::call(context, "aten::clone", {tensor, Value()}).to_tensor();
  return copy.strides() == tensor.strides();
}

}  // namespace

void ask_for_gradients(const Call& call, ops::Context& context) {
  std::map<const core::Storage*, std::set<const core::TensorImpl*>> users;
  std::vector<Tensor> tensors;
  auto collect = [&](const std::string&, const Tensor& tensor) {
    if (!is_differentiable(tensor)) return;
    users[tensor.storage().get()].insert(tensor.impl());
    tensors.push_back(tensor);
  };
  for (const Value& arg : call.args) for_each_tensor("", arg, collect);
  for (const auto& [name, value] : call.kwargs) for_each_tensor("", value, collect);
  for (const Tensor& tensor : tensors) {
    bool alone = users[tensor.storage().get()].size() == 1;
    if (alone && is_laid_out_as_its_copy(tensor, context)) trace::mark_computed(tensor);
  }
}

GradientFlow cut_flow(const Value& outputs, const trace::CutFollower& followed) {
  GradientFlow flow;
  flow.kind = GradientFlow::Kind::cuts;
  for_each_tensor("output", outputs, [&](const std::string& place, const Tensor& tensor) {
    flow.cuts[place] = followed.cuts(tensor);
    if (is_differentiable(tensor)) {
      flow.values[place] = spread_elements(tensor);
      // A model in double precision may compute in single precision within.
      double coarsest =
          std::max(core::epsilon(tensor.dtype()), core::epsilon(core::DType::float32));
      flow.precision = std::max(flow.precision, coarsest);
    }
    for (const base::SourceRange& range : followed.places(tensor)) {
      base::SourceRange original = range.original();
      if (!original || is_of_library(original.source->name)) continue;
      flow.unrecorded[place].push_back({original.source->name, original.line(), {}});
    }
  });
  return flow;
}

}  // namespace assay::verify
