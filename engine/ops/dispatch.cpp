#include "engine/ops/dispatch.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/promotion.h"

namespace assay::ops {

using core::Device;
using core::DeviceType;
using core::Tensor;
using core::Value;

namespace {

/// `cuda` and `fake` without an index mean the first one.
Device with_index(Device device) {
  bool indexed = device.type == DeviceType::cuda || device.type == DeviceType::fake;
  if (indexed && device.index < 0) device.index = 0;
  return device;
}

core::Dims ints_of(const Value& value) {
  if (value.is_none()) return {};
  if (value.is_int()) return {value.to_int()};
  core::Dims out;
  for (const auto& item : value.list().items) out.push_back(item.to_scalar().to_int());
  return out;
}

}  // namespace

int64_t Call::integer_or(ArgName name, int64_t otherwise) const {
  return optional_integer(name).value_or(otherwise);
}

std::optional<int64_t> Call::optional_integer(ArgName name) const {
  const Value& v = value(name);
  return v.is_none() ? std::nullopt : std::optional(v.to_int());
}

core::Dims Call::ints(ArgName name) const { return ints_of(value(name)); }

core::Dims Call::ints(ArgName name, size_t n) const {
  core::Dims out = ints(name);
  if (out.size() == 1 && n != 1) out.resize(n, out[0]);
  base::check(out.size() == n, op.qualified_name, ": argument '", name.text(), "' must have ", n,
              " ints, but has ", out.size());
  return out;
}

std::vector<double> Call::floats(ArgName name) const {
  std::vector<double> out;
  const Value& v = value(name);
  if (v.is_none()) return out;
  for (const auto& item : v.list().items) out.push_back(item.to_scalar().to_double());
  return out;
}

std::vector<Tensor> Call::tensors(ArgName name) const {
  std::vector<Tensor> out;
  size_t i = op.position(name);
  const auto& items = args[i].list().items;
  const core::TypePtr& type = op.schema.arguments[i].type;
  bool may_be_none =
      type->is(core::TypeKind::list) && type->element()->is(core::TypeKind::optional);
  out.reserve(items.size());
  for (const auto& item : items) {
    base::check(may_be_none || !item.is_none(), op.qualified_name, ": argument '", name.text(),
                "' holds None where a Tensor is expected");
    out.push_back(item.to_tensor());
  }
  return out;
}

std::optional<core::DType> Call::dtype(ArgName name) const {
  const Value& v = value(name);
  if (v.is_none()) return std::nullopt;
  auto found = core::dtype_from_number(v.to_int());
  if (!found) base::unsupported(op.qualified_name, ": no dtype has the number ", v.to_int());
  return found;
}

core::DType Call::dtype_or(ArgName name, core::DType otherwise) const {
  return dtype(name).value_or(otherwise);
}

Device Call::device_or(ArgName name, Device otherwise) const {
  const Value& v = value(name);
  return v.is_none() ? otherwise : with_index(v.to_device());
}

void Call::declare(core::DimSpan sizes, core::DType dtype) { declare(sizes, dtype, device_); }

void Call::declare(core::DimSpan sizes, core::DType dtype, Device device) {
  declared_.push_back({sizes, core::contiguous_strides(sizes), dtype, device});
}

void Call::declare(core::DimSpan sizes, core::DimSpan strides, core::DType dtype, Device device) {
  declared_.push_back({sizes, strides, dtype, device});
}

void Call::finish(Value result) {
  results.push_back(std::move(result));
  finished_ = true;
}

void Call::finish(std::vector<Value> all) {
  results = std::move(all);
  finished_ = true;
}

Tensor Call::empty(core::DimSpan sizes, core::DType dtype) const {
  Tensor t = Tensor::empty(sizes, dtype, device_);
  for (Observer* o : context.observers) o->allocated(device_, t.storage()->nbytes());
  return t;
}

void Call::synchronized() const {
  for (Observer* o : context.observers) o->synchronized(device_);
}

void Call::copied(Device from, Device to, size_t bytes) const {
  for (Observer* o : context.observers) o->copied(from, to, bytes);
}

/// The steps of one call, in order.
class Dispatcher {
 public:
  Dispatcher(Context& context, const Operator& op, std::span<const Value> args)
      : context_(context), op_(op), args_(args) {}

  std::vector<Value> run() {
    complete_arguments();
    check_tensors_given();
    bool outermost = context_.depth == 0;
    if (outermost) {
      for (Observer* o : context_.observers) o->before(op_, args_);
    }
    Call call(*op_.functional, context_, functional_arguments());
    if (!op_.rule().host) call.device_ = common_device(call);
    call.op.rule().infer(call);
    std::string_view ran = "rule";
    if (!call.finished()) ran = compute(call);
    if (op_.functional != &op_) write_back(call);
    mark_written();
    if (outermost) {
      for (Observer* o : context_.observers) o->after(op_, args_, call.results, ran);
    }
    return std::move(call.results);
  }

 private:
  void complete_arguments() {
    const auto& wanted = op_.schema.arguments;
    if (args_.size() >= wanted.size()) {
      base::check(args_.size() == wanted.size() || op_.schema.vararg, op_.qualified_name, " takes ",
                  wanted.size(), " arguments, but ", args_.size(), " were given");
      return;
    }
    completed_.assign(args_.begin(), args_.end());
    for (size_t i = args_.size(); i < wanted.size(); ++i) {
      base::check(wanted[i].default_value.has_value(), op_.qualified_name, ": argument '",
                  wanted[i].name, "' is missing");
      completed_.push_back(*wanted[i].default_value);
    }
    args_ = completed_;
  }

  /// A graph may hand None to an operator that wants a tensor; rules and kernels never see that.
  void check_tensors_given() const {
    const auto& wanted = op_.schema.arguments;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!args_[i].is_none() || !wanted[i].type->is(core::TypeKind::tensor)) continue;
      base::fail(
          "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #", i,
          " '", wanted[i].name, "' of ", op_.qualified_name);
    }
  }

  /// The arguments as the functional operator takes them.
  std::span<const Value> functional_arguments() {
    if (op_.functional == &op_) return args_;
    const auto& wanted = op_.functional->schema.arguments;
    size_t given = args_.size() - op_.out_count;
    bool same = given == wanted.size() &&
                std::none_of(op_.wrap.begin(), op_.wrap.end(), [](bool w) { return w; });
    if (same) return args_.first(given);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (i >= given) {
        base::invariant(wanted[i].default_value.has_value(), op_.qualified_name,
                        " lacks an argument of ", op_.functional->qualified_name);
        functional_.push_back(*wanted[i].default_value);
      } else if (op_.wrap[i] && args_[i].is_number()) {
        functional_.push_back(wrapped_number(args_[i].to_scalar(), context_.default_dtype));
      } else {
        functional_.push_back(args_[i]);
      }
    }
    return functional_;
  }

  Device common_device(const Call& call) {
    bool mixes = call.op.rule().mixes_devices;
    std::optional<Device> found;
    bool only_scalars = true;
    auto visit = [&](const Value& v) {
      if (!v.is_tensor()) return;
      const core::TensorImpl& t = *v.tensor_impl();
      Device device = t.storage->device();
      // A 0-dimensional CPU tensor goes along with any device.
      bool follows = t.sizes.empty() && device.type == DeviceType::cpu;
      if (!found || (only_scalars && !follows)) {
        found = device;
        only_scalars = follows;
        return;
      }
      if (follows || device == *found || mixes) return;
      base::fail("Expected all tensors to be on the same device, but found at least two devices, ",
                 found->text(), " and ", device.text(), "!");
    };
    for (const Value& v : call.args) {
      if (v.is_tensor()) visit(v);
      if (v.is_list()) {
        for (const Value& item : v.list().items) visit(item);
      }
    }
    return found.value_or(Device{});
  }

  std::string_view compute(Call& call) {
    if (!call.declared_.empty()) call.device_ = call.declared_[0].device;
    bind_results(call);
    bool meta = call.device_.type == DeviceType::meta;
    if (meta && call.declared()) return "rule";
    base::check(!meta || context_.kernels->has(call.op, Backend::composite), op_.qualified_name,
                ": the shape of the result depends on values, which meta tensors do not have");
    bool real_cuda = call.device_.type == DeviceType::cuda && !context_.fake_cuda;
    auto choice = context_.kernels->choose(call, real_cuda ? Backend::cuda : Backend::cpu,
                                           context_.reference_only);
    if (!choice.kernel) {
      base::unsupported(op_.qualified_name, " has no kernel for device ", call.device_.text());
    }
    ++context_.depth;
    try {
      choice.kernel->run(call);
    } catch (...) {
      --context_.depth;
      mark_written();  // In part, for all that is known.
      throw;
    }
    --context_.depth;
    return choice.name;
  }

  void bind_results(Call& call) {
    for (size_t i = 0; i < call.declared_.size(); ++i) {
      const auto& d = call.declared_[i];
      Tensor target = direct_target(call, i);
      if (!target) {
        target = Tensor::empty_strided(d.sizes, d.strides, d.dtype, d.device);
        for (Observer* o : context_.observers) o->allocated(d.device, target.storage()->nbytes());
      }
      call.results.push_back(std::move(target));
    }
  }

  /// The tensor that the i-th result is written to, or undefined for a functional call.
  Tensor written(size_t i) const {
    if (op_.is_inplace) return i == 0 ? args_[0].to_tensor() : Tensor();
    if (op_.is_out) return args_[args_.size() - op_.out_count + i].to_tensor();
    return {};
  }

  /// The written tensor, if the kernel may write into it straight away.
  Tensor direct_target(const Call& call, size_t i) const {
    Tensor target = written(i);
    const auto& d = call.declared_[i];
    bool fits = target && call.op.rule().elementwise && target.dtype() == d.dtype &&
                target.sizes() == d.sizes;
    if (!fits) return {};
    check_no_internal_overlap(target);
    for (const Value& v : call.args) {
      if (!v.is_tensor() || v.tensor_impl()->storage != target.storage()) continue;
      const core::TensorImpl& t = *v.tensor_impl();
      bool same_view = t.offset == target.offset() && t.sizes == target.sizes() &&
                       t.strides == target.strides() && t.dtype == target.dtype();
      if (!same_view) return {};
    }
    return target;
  }

  static void check_no_internal_overlap(const Tensor& t) {
    for (size_t i = 0; i < t.sizes().size(); ++i) {
      base::check(t.stride(i) != 0 || t.size(i) < 2,
                  "unsupported operation: more than one element of the written-to tensor refers to "
                  "a single memory location. Please clone() the tensor before performing the "
                  "operation.");
    }
  }

  /// Copies results into the tensors that the variant writes, where they are not there yet.
  void write_back(Call& call) {
    if (!op_.is_inplace && !op_.is_out) return;
    size_t count = op_.is_inplace ? 1 : op_.out_count;
    for (size_t i = 0; i < count && i < call.results.size(); ++i) {
      Tensor target = written(i);
      Tensor result = call.results[i].to_tensor();
      base::check(target.defined(), op_.qualified_name, ": the tensor to write to is None");
      if (target.same(result)) continue;
      base::check(can_cast(result.dtype(), target.dtype()), "result type ",
                  core::script_name(result.dtype()), " can't be cast to the desired output type ",
                  core::script_name(target.dtype()));
      if (target.sizes() != result.sizes()) resize_target(target, result);
      check_no_internal_overlap(target);
      ++context_.depth;
      try {
        ops::call(context_, "aten::copy_", {target, result});
      } catch (...) {
        --context_.depth;
        throw;
      }
      --context_.depth;
      call.results[i] = target;
    }
  }

  void mark_written() const {
    auto mark = [](const Value& v) {
      if (v.is_tensor()) v.tensor_impl()->storage->mark_written();
    };
    for (size_t i : op_.writes) {
      mark(args_[i]);
      if (!args_[i].is_list()) continue;
      for (const Value& item : args_[i].list().items) mark(item);
    }
  }

  void resize_target(const Tensor& target, const Tensor& result) const {
    base::check(op_.is_out, "output with shape ", target.sizes(),
                " doesn't match the broadcast shape ", result.sizes());
    // PyTorch lays an elementwise operator's output out as it would a fresh result.
    core::Dims strides =
        op_.rule().elementwise ? result.strides() : core::contiguous_strides(result.sizes());
    target.assign(Tensor::empty_strided(result.sizes(), strides, target.dtype(), target.device()));
  }

  Context& context_;
  const Operator& op_;
  std::span<const Value> args_;
  std::vector<Value> completed_;
  std::vector<Value> functional_;
};

Value Call::call(std::string_view qualified_name, std::vector<Value> call_args) const {
  return ops::call(context, qualified_name, std::move(call_args));
}

std::vector<Value> call(Context& context, const Operator& op, std::span<const Value> args) {
  return Dispatcher(context, op, args).run();
}

Value call(Context& context, std::string_view qualified_name, std::vector<Value> args) {
  auto results = call(context, get_operator(qualified_name), args);
  return results.empty() ? Value() : std::move(results[0]);
}

}  // namespace assay::ops
