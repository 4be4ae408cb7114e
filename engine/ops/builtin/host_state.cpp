#include <chrono>
#include <sstream>

#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ops/autocast.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"
#include "engine/ops/promotion.h"

namespace assay::ops::builtin {
namespace {

using core::Device;
using core::Tensor;
using core::Value;
using core::Values;

// Texts of values.

void str(Call& c) { c.finish(Value(core::display(c.value(arg::elem)))); }

/// Replaces each `{}`; any other braces stay as they are.
void format(Call& c) {
  const std::string& pattern = c.string(arg::self);
  std::string out;
  size_t used = 1;
  for (size_t at = 0;;) {
    size_t found = pattern.find("{}", at);
    out += pattern.substr(at, found == std::string::npos ? found : found - at);
    if (found == std::string::npos) break;
    if (used >= c.args.size()) base::fail("Too few arguments for format string: ", pattern);
    out += core::display(c.args[used++]);
    at = found + 2;
  }
  c.finish(Value(std::move(out)));
}

/// One `%` conversion of percentFormat.
std::string converted(char kind, const Value& v, const std::string& pattern) {
  auto number = [&] {
    base::check(v.is_number(), "%", kind, " requires a number for formatting, but got ",
                v.is_string() ? "String" : v.kind_name());
    return v.to_scalar();
  };
  std::ostringstream out;
  switch (kind) {
    case 's':
      return core::display(v);
    case 'd':
    case 'i':
      out << number().to_int();
      return out.str();
    case 'e':
    case 'E':
      out << std::scientific;
      if (kind == 'E') out << std::uppercase;
      out << number().to_double();
      return out.str();
    case 'f':
    case 'F':
      out << std::fixed << number().to_double();
      return out.str();
    case 'c':
      if (v.is_int()) return std::string(1, static_cast<char>(v.to_int()));
      return v.to_string();
    default:
      base::fail("The specifier %", kind,
                 " is not supported in TorchScript format strings: ", pattern);
  }
}

void percent_format(Call& c) {
  const std::string& pattern = c.string(arg::self);
  std::string out;
  size_t used = 1;
  // One tuple after the pattern holds the arguments.
  std::span<const Value> given = c.args;
  if (c.args.size() == 2 && c.second().is_tuple()) {
    given = c.second().tuple().items;
    used = 0;
  }
  for (size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '%') {
      out += pattern[at];
      continue;
    }
    base::check(++at < pattern.size(), "Incomplete format specifier");
    if (pattern[at] == '%') {
      out += '%';
      continue;
    }
    if (used >= given.size()) base::fail("Too few arguments for format string");
    out += converted(pattern[at], given[used++], pattern);
  }
  base::check(used >= given.size(), "Too many arguments for format string");
  c.finish(Value(std::move(out)));
}

// Enums, optionals, containers of modules.

void enum_name(Call& c) { c.finish(Value(c.value(arg::enum_).enumeration().name)); }
void enum_value(Call& c) { c.finish(c.value(arg::enum_).enumeration().value); }

void unwrap_optional(Call& c) {
  base::check(!c.is_none(arg::optional), "Unwrapping null optional");
  c.finish(c.value(arg::optional));
}

void first_argument(Call& c) { c.finish(c.value(arg::optional)); }
void if_then_else(Call& c) { c.finish(c.boolean(arg::cond) ? c.value(arg::x) : c.value(arg::y)); }

void identity_number(Call& c) {
  if (c.is_none(arg::x)) return c.finish(Value(0));
  c.finish(Value(static_cast<int64_t>(reinterpret_cast<intptr_t>(&c.value(arg::x).object()))));
}

void wait(Call& c) {
  const core::FutureObject& future = c.value(arg::self).future();
  if (future.error) throw *future.error;
  c.finish(future.value);
}

// Devices and dtypes.

void make_device(Call& c) {
  auto device = core::parse_device(c.string(arg::a));
  if (!device) base::fail("Invalid device string: '", c.string(arg::a), "'");
  c.finish(Value(*device));
}

void device_type_name(Call& c) {
  Device d = c.value(arg::self).to_device();
  d.index = -1;
  c.finish(Value(d.text()));
}

void device_index(Call& c) {
  Device d = c.value(arg::self).to_device();
  c.finish(d.index < 0 ? Value() : Value(static_cast<int64_t>(d.index)));
}

void promote_types(Call& c) {
  c.finish(Value(static_cast<int64_t>(core::promote(*c.dtype(arg::type1), *c.dtype(arg::type2)))));
}
void can_cast_types(Call& c) { c.finish(Value(can_cast(*c.dtype(arg::from), *c.dtype(arg::to)))); }

// Shapes as lists.

void infer_size(Call& c) {
  c.finish(Value(core::make_int_list(core::broadcast(c.ints(arg::a), c.ints(arg::b)))));
}

void size_if_not_equal(Call& c) {
  c.finish(c.ints(arg::self_size) == c.ints(arg::other_size) ? Value() : c.value(arg::self_size));
}

void squeezed_size(Call& c) {
  core::Dims sizes = c.ints(arg::a), kept;
  int64_t only = c.has(arg::dim)
                     ? core::wrap_dim(c.integer(arg::dim), static_cast<int64_t>(sizes.size()))
                     : -1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    bool asked = only < 0 || static_cast<int64_t>(d) == only;
    if (!asked || sizes[d] != 1) kept.push_back(sizes[d]);
  }
  c.finish(Value(core::make_int_list(kept)));
}

void unsqueezed_size(Call& c) {
  core::Dims sizes = c.ints(arg::a);
  int64_t at = core::wrap_dim(c.integer(arg::dim), static_cast<int64_t>(sizes.size()) + 1);
  sizes.insert(static_cast<size_t>(at), 1);
  c.finish(Value(core::make_int_list(sizes)));
}

// The state of the engine.

void manual_seed(Call& c) {
  c.context.generator->set_seed(static_cast<uint64_t>(c.integer(arg::seed)));
  c.finish(Values{});
}
void is_grad_enabled(Call& c) { c.finish(Value(c.context.grad_enabled)); }
void set_grad_enabled(Call& c) {
  c.context.grad_enabled = c.boolean(arg::val);
  c.finish(Values{});
}
void always_true(Call& c) { c.finish(Value(true)); }
void always_false(Call& c) { c.finish(Value(false)); }

void now(Call& c) {
  auto since = std::chrono::steady_clock::now().time_since_epoch();
  c.finish(Value(
      static_cast<int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count())));
}

void raise(Call& c) {
  base::Error error(base::ErrorKind::input, c.string(arg::msg));
  throw c.is_none(arg::cls) ? error : error.raised_as(c.string(arg::cls));
}

/// As PyTorch's scalar_to_tensor: not a wrapped number, floats in double precision.
void number_to_tensor(Call& c) {
  core::Scalar number = c.scalar(arg::a);
  core::DType dtype = number.natural_dtype(core::DType::float64);
  core::Tensor tensor = core::Tensor::empty({}, dtype);
  switch (dtype) {
    case core::DType::boolean:
      *tensor.device_data<core::Bool>() = number.to_bool();
      break;
    case core::DType::int64:
      *tensor.device_data<int64_t>() = number.to_int();
      break;
    case core::DType::float64:
      *tensor.device_data<double>() = number.to_double();
      break;
    default:
      *tensor.device_data<core::Complex128>() = number.to_complex();
  }
  c.finish(Value(tensor));
}

template <core::DeviceType device>
void is_autocast_enabled(Call& c) {
  const AutocastRegion* region = c.context.autocast;
  c.finish(Value(region != nullptr && region->mode(device).enabled));
}

/// Warnings and prints have no reader here: handlers see the call itself.
void nothing(Call& c) { c.finish(Values{}); }

/// What PyTorch gives to name the record is opaque to programs: here it is empty.
void enter_record(Call& c) { c.finish(Value(Tensor::empty(core::Dims{0}, core::DType::uint8))); }
void future_argument(Call& c) { c.finish(c.value(arg::future)); }
void enter_record_object(Call& c) {
  auto type = std::make_shared<core::ClassType>(c.op.schema.returns[0].type->name());
  c.finish(Value(base::make_ref<core::Object>(std::move(type))));
}

}  // namespace

std::span<const Kernel> host_state_builtins() {
  static const auto kernels = host_kernels({
      {"aten::str", str},
      {"aten::format", format},
      {"aten::percentFormat", percent_format},
      {"prim::EnumName", enum_name},
      {"prim::EnumValue", enum_value},
      {"aten::_unwrap_optional", unwrap_optional},
      {"prim::unchecked_unwrap_optional", first_argument},
      {"prim::IfThenElse", if_then_else},
      {"prim::id", identity_number},
      {"aten::wait", wait},
      {"aten::device", make_device},
      {"prim::type", device_type_name},
      {"prim::index", device_index},
      {"aten::promote_types", promote_types},
      {"aten::can_cast", can_cast_types},
      {"aten::_infer_size", infer_size},
      {"aten::_size_if_not_equal", size_if_not_equal},
      {"prim::infer_squeeze_size", squeezed_size},
      {"prim::infer_unsqueeze_size", unsqueezed_size},
      {"aten::manual_seed", manual_seed},
      {"aten::is_grad_enabled", is_grad_enabled},
      {"aten::set_grad_enabled", set_grad_enabled},
      {"aten::is_scripting", always_true},
      {"aten::is_autocast_enabled", is_autocast_enabled<core::DeviceType::cuda>},
      {"aten::is_autocast_cpu_enabled", is_autocast_enabled<core::DeviceType::cpu>},
      {"aten::has_torch_function", always_false},
      {"aten::_get_tracing_state", always_false},
      {"aten::is_vulkan_available", always_false},
      {"prim::TimePoint", now},
      {"prim::RaiseException", raise},
      {"prim::NumToTensor", number_to_tensor},
      {"aten::warn", nothing},
      {"prim::Print", nothing},
      {"profiler::_record_function_enter", enter_record},
      {"profiler::_record_function_enter_new", enter_record_object},
      {"profiler::_record_function_exit", nothing},
      {"profiler::_call_end_callbacks_on_jit_fut", future_argument},
  });
  return kernels;
}

}  // namespace assay::ops::builtin
