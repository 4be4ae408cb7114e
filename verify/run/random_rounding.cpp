#include "verify/run/random_rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/epsilon.h"
#include "engine/core/host_access.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/ops/catalog.h"
#include "engine/ops/dispatch.h"

namespace assay::verify {

using core::DType;
using core::Tensor;
using core::Value;

namespace {

/// Kernels add in blocks of some such length, one element after the other.
constexpr int64_t block = 1024;

bool has_floats(const Value& v) {
  return v.is_tensor() && !core::is_integral(v.tensor_impl()->dtype, true) &&
         v.tensor_impl()->numel > 0 && core::has_bytes(v.to_tensor());
}

bool is_on_host(const Tensor& tensor) { return tensor.device().type == core::DeviceType::cpu; }

bool is_inexact(ops::Numeric numeric) {
  return numeric == ops::Numeric::correctly_rounded || numeric == ops::Numeric::ulp ||
         numeric == ops::Numeric::reassociating;
}

/// Of a pair of such numbers; larger ones are one in ninety. In deviations, which the numbers tell.
double large_radius(const Tensor& drawn) {
  double squares = 0;
  for (const core::Scalar& x : core::elements(drawn)) squares += std::norm(x.to_complex());
  return 3 * std::sqrt(squares / static_cast<double>(std::max<int64_t>(drawn.numel(), 1)));
}

/// Whether the value is a tensor in this memory, or a list with one.
bool lies_in(const Value& v, const core::StorageRef& storage) {
  if (v.is_tensor()) return v.tensor_impl()->storage == storage;
  return v.is_list() && std::ranges::any_of(v.list().items, [&](const Value& item) {
           return item.is_tensor() && item.tensor_impl()->storage == storage;
         });
}

/// Running statistics, which a normalization in training updates and does not read, though its
/// schema says nothing of that: a changed copy would take the update from the module.
bool is_updated(const ops::Operator& op, std::span<const Value> args, size_t argument) {
  namespace arg = ops::arg;
  ops::ArgName name = op.argument_names[argument];
  if (name != arg::running_mean && name != arg::running_var) return false;
  for (ops::ArgName mode : {arg::training, arg::use_input_stats}) {
    if (op.has(mode)) return args[op.position(mode)].to_bool();
  }
  return false;
}

/// Whether all that it adds up, and what it multiplies before, are whole numbers so small that
/// their sums are exact in whatever order, in each of its types.
bool adds_whole_numbers(std::span<const Value> args) {
  double most = 1;
  bool floats = false;
  for (const Value& arg : args) {
    if (arg.is_list() && std::ranges::any_of(arg.list().items, has_floats)) return false;
    if (!has_floats(arg)) continue;
    const Tensor tensor = arg.to_tensor();
    if (!core::is_floating(tensor.dtype())) return false;
    if (!is_on_host(tensor)) return false;
    auto is_whole = [](const core::Scalar& x) {
      return x.to_double() == std::trunc(x.to_double());
    };
    if (!is_whole(core::first_element(tensor))) return false;  // As of all that is no count.
    double largest = 1;
    for (const core::Scalar& x : core::elements(tensor)) {
      if (!is_whole(x)) return false;
      largest = std::max(largest, std::abs(x.to_double()));
    }
    most *= largest * static_cast<double>(tensor.numel());
    if (most * core::epsilon(tensor.dtype()) >= 1) return false;
    floats = true;
  }
  return floats;
}

/// Puts what `change` makes of them in place of the numbers of a tensor on the host, in row-major
/// order.
template <typename Change>
void for_each_number(const Tensor& tensor, Change change) {
  kernels::common::over_floating(tensor.dtype(), "rounding", [&](auto zero) {
    using T = decltype(zero);
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    auto* numbers = reinterpret_cast<T*>(tensor.device_address());
    kernels::common::for_each_offset<1>(
        tensor.sizes(), {core::Dims(tensor.strides())}, [&](const std::array<int64_t, 1>& at) {
          auto number = static_cast<double>(static_cast<Wide>(numbers[at[0]]));
          numbers[at[0]] = static_cast<T>(static_cast<Wide>(change(number)));
        });
  });
  tensor.storage()->mark_written();
}

/// What the operator gives in float64; nothing where it does not compute in another type there.
ops::Results in_float64(const ops::Operator& op, std::span<const Value> args,
                        const ops::Next& next) {
  core::Values wide(args.begin(), args.end());
  for (Value& arg : wide) {
    if (arg.is_list() && std::ranges::any_of(arg.list().items, &Value::is_tensor)) return {};
    if (!arg.is_tensor() || !arg.to_tensor().defined()) continue;
    const Tensor tensor = arg.to_tensor();
    bool number = tensor.is_wrapped_number();
    if (!is_on_host(tensor) || !core::has_bytes(tensor) || core::is_complex(tensor.dtype()) ||
        (tensor.dtype() == DType::float64 && !number)) {
      return {};
    }
    if (tensor.dtype() == DType::boolean || number) continue;
    arg = kernels::common::packed_as(tensor, DType::float64);
  }
  if (op.has(ops::arg::dtype)) {
    wide[op.position(ops::arg::dtype)] = static_cast<int64_t>(DType::float64);
  }
  try {
    return next(op, wide);
  } catch (const base::Error&) {
    return {};
  }
}

}  // namespace

/// The numbers of splitmix64 (Steele, Lea and Flood 2014).
double RandomRounding::draw() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return static_cast<double>(static_cast<int64_t>(z ^ (z >> 31))) * 0x1p-63;
}

template <typename T>
void RandomRounding::change_numbers(std::byte* first, int64_t count, bool adds_up, double radius) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const double eps = core::epsilon(core::dtype_of<T>);
  auto* numbers = reinterpret_cast<T*>(first);
  double walk = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (adds_up) walk = i % block == 0 ? 0 : walk + draw();
    auto number = static_cast<double>(static_cast<Wide>(numbers[i]));
    number *= 1 + eps * (draw() + walk);
    if (radius > 0) number += radius * eps * draw();
    numbers[i] = static_cast<T>(static_cast<Wide>(number));
  }
}

void RandomRounding::change_elements(std::byte* first, int64_t count, DType dtype, bool adds_up,
                                     double radius) {
  switch (dtype) {
    case DType::float16:
      return change_numbers<core::Half>(first, count, adds_up, radius);
    case DType::bfloat16:
      return change_numbers<core::BFloat16>(first, count, adds_up, radius);
    case DType::float32:
      return change_numbers<float>(first, count, adds_up, radius);
    case DType::float64:
      return change_numbers<double>(first, count, adds_up, radius);
    case DType::complex64:
      return change_numbers<float>(first, 2 * count, adds_up, radius);
    case DType::complex128:
      return change_numbers<double>(first, 2 * count, adds_up, radius);
    default:
      return;
  }
}

/// A tensor that lies as the given one does, with holes and overlaps.
Tensor RandomRounding::changed_copy(const Tensor& tensor, bool adds_up) {
  Tensor host = core::to_host(tensor);
  core::Extent span = core::extent(host.sizes(), host.strides());
  size_t item = host.item_size();
  auto bytes = static_cast<size_t>(span.high - span.low) * item;
  core::StorageRef storage = core::Storage::allocate(bytes, core::Device{});
  std::memcpy(storage->data(), host.device_address() + span.low * static_cast<int64_t>(item),
              bytes);
  change_elements(storage->data(), span.high - span.low, host.dtype(), adds_up);
  if (tensor.device().type != core::DeviceType::cpu) {
    storage = core::copy_to_device(storage, tensor.device());
  }
  Tensor copy = Tensor::view_of(storage, -span.low, host.sizes(), host.strides(), host.dtype());
  copy.impl()->requires_grad = tensor.requires_grad();
  copy.impl()->wrapped_number = tensor.is_wrapped_number();
  return copy;
}

void RandomRounding::change_rounded(const Tensor& tensor, const Tensor& in_float64) {
  bool told = in_float64.defined() && in_float64.dtype() == DType::float64 &&
              tensor.dtype() != DType::float64 && core::is_floating(tensor.dtype()) &&
              is_on_host(tensor) && is_on_host(in_float64) &&
              std::ranges::equal(tensor.sizes(), in_float64.sizes());
  if (!told) return change(tensor);
  Tensor before = kernels::common::packed_as(tensor, DType::float64);
  Tensor exact = kernels::common::packed(in_float64);
  change(tensor);
  const auto *was = before.device_data<const double>(), *is = exact.device_data<const double>();
  for_each_number(tensor, [&](double moved) {
    bool stays = *was == *is++;
    double before_that = *was++;
    return stays ? before_that : moved;
  });
}

void RandomRounding::change(const Tensor& tensor, double radius) {
  Tensor host = core::to_host(tensor);
  // Fresh results mostly lie in one piece.
  core::Extent span = core::extent(host.sizes(), host.strides());
  bool dense = span.high - span.low == host.numel();
  auto item = static_cast<int64_t>(host.item_size());
  std::byte* first = host.device_address();
  if (dense) {
    change_elements(first + span.low * item, host.numel(), host.dtype(), false, radius);
  } else {
    kernels::common::for_each_offset<1>(
        host.sizes(), {host.strides()}, [&](const std::array<int64_t, 1>& at) {
          change_elements(first + at[0] * item, 1, host.dtype(), false, radius);
        });
  }
  core::copy_back(tensor, host);
  tensor.storage()->mark_written();
}

Value RandomRounding::changed(const Value& value, bool adds_up) {
  if (has_floats(value)) return changed_copy(value.to_tensor(), adds_up);
  bool holds_some = value.is_list() && std::ranges::any_of(value.list().items, has_floats);
  if (!holds_some) return value;
  core::Values items;
  for (const Value& item : value.list().items) items.push_back(changed(item, adds_up));
  return core::make_list(value.list().element, std::move(items));
}

core::Values RandomRounding::changed_arguments(const ops::Operator& op,
                                               std::span<const Value> args) {
  core::Values out(args.begin(), args.end());
  bool adds_up = op.numeric() == ops::Numeric::reassociating;
  bool fused = (adds_up || op.numeric() == ops::Numeric::ulp) &&
               op.response() != ops::Response::to_differences;
  for (size_t i = 0; fused && i < out.size(); ++i) {
    if (!op.writes_argument(i) && !is_updated(op, args, i)) out[i] = changed(out[i], adds_up);
  }
  return out;
}

/// A cast to a type of fewer digits rounds, too: to the one of two neighbours, and here to the
/// other.
ops::Results RandomRounding::cast(const ops::Operator& op, std::span<const Value> args,
                                  const ops::Next& next) {
  ops::Results results = next(op, args);
  if (args.empty() || results.size() != 1 || !has_floats(args[0]) || !has_floats(results[0])) {
    return results;
  }
  const Tensor from = args[0].to_tensor(), to = results[0].to_tensor();
  if (!core::is_floating(from.dtype()) || !core::is_floating(to.dtype())) return results;
  bool rounds = core::epsilon(to.dtype()) > core::epsilon(from.dtype()) && is_on_host(from) &&
                is_on_host(to) && std::ranges::equal(from.sizes(), to.sizes());
  if (!rounds) return results;
  Tensor exact = kernels::common::packed_as(from, DType::float64);
  Tensor rounded =
      kernels::common::packed_as(kernels::common::packed_as(from, to.dtype()), DType::float64);
  const auto *is = exact.device_data<const double>(), *cast = rounded.device_data<const double>();
  const double eps = core::epsilon(to.dtype());
  for_each_number(to, [&](double was) {
    // Other operators give numbers of that type that are none of the argument's.
    bool rounds_here = was == *cast++ && was != *is;
    bool away = (*is++ > was) == (was > 0);
    return rounds_here ? was * (away ? 1 + eps : 1 - eps) : was;
  });
  return results;
}

ops::Results RandomRounding::call(const ops::Operator& op, std::span<const Value> args,
                                  const ops::Next& next) {
  bool drawn = op.distribution() == ops::Distribution::normal;
  if (op.numeric() == ops::Numeric::exact) return cast(op, args, next);
  if (!drawn && !is_inexact(op.numeric())) return next(op, args);
  if (op.numeric() == ops::Numeric::reassociating && adds_whole_numbers(args)) {
    return next(op, args);
  }
  bool once = op.numeric() == ops::Numeric::correctly_rounded;
  // Before the call, which may write to its arguments.
  ops::Results wide = once ? in_float64(op, args, next) : ops::Results{};
  core::Values given = changed_arguments(op, args);
  ops::Results results = next(op, given);
  for (size_t k = 0; k < results.size(); ++k) {
    const Value& result = results[k];
    if (!has_floats(result)) continue;
    const core::StorageRef& storage = result.tensor_impl()->storage;
    bool an_argument = false;  // That is only handed on.
    for (size_t i = 0; i < given.size(); ++i) {
      an_argument = an_argument || (!op.writes_argument(i) && lies_in(given[i], storage));
    }
    if (an_argument) continue;
    const Tensor tensor = result.to_tensor();
    if (drawn) {
      change(tensor, large_radius(tensor));
    } else {
      change_rounded(tensor,
                     k < wide.size() && wide[k].is_tensor() ? wide[k].to_tensor() : Tensor());
    }
  }
  return results;
}

}  // namespace assay::verify
