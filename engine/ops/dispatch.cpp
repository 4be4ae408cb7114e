#include "engine/ops/dispatch.h"

#include <algorithm>
#include <memory>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/base/restore.h"
#include "engine/core/backends.h"
#include "engine/ops/bind.h"
#include "engine/ops/constraint.h"
#include "engine/ops/deferred_call.h"
#include "engine/ops/devices.h"
#include "engine/ops/late_kernels.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops {

using core::Device;
using core::DeviceType;
using core::DType;
using core::Tensor;
using core::Value;

namespace {

/// `cuda` and `fake` without an index mean the first one.
Device with_index(Device device) {
  if (core::is_indexed(device.type) && device.index < 0) device.index = 0;
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

void Call::finish(Value result) {
  results.push_back(std::move(result));
  finished_ = true;
}

void Call::finish(core::Values all) {
  results.assign(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
  finished_ = true;
}

Tensor Call::new_empty(core::DimSpan sizes, core::DType dtype) const {
  Tensor t = Tensor::empty(sizes, dtype, device_);
  context.handlers.allocated(device_, t.storage()->nbytes());
  return t;
}

void Call::synchronized() const { context.handlers.synchronized(device_); }

void Call::copied(Device from, Device to, size_t bytes) const {
  context.handlers.copied(from, to, bytes);
}

void CompleteArguments::complete(const Operator& op) {
  const auto& wanted = op.schema.arguments;
  std::span<const Value> given = all_;
  if (given.size() >= wanted.size()) {
    base::check(op.schema.vararg, op.qualified_name, " takes ", wanted.size(), " arguments, but ",
                given.size(), " were given");
    return;
  }
  completed_.assign(given.begin(), given.end());
  for (size_t i = given.size(); i < wanted.size(); ++i) {
    base::check(wanted[i].default_value.has_value(), op.qualified_name, ": argument '",
                wanted[i].name, "' is missing");
    completed_.push_back(default_of(wanted[i]));
  }
  all_ = completed_;
}

namespace {

/// No element, but rows by the thousand.
bool is_long_nothing(const core::TensorImpl& t) {
  constexpr int64_t many = int64_t{1} << 16;
  return t.numel == 0 && std::ranges::any_of(t.sizes, [](int64_t size) { return size > many; });
}

/// Whether a kernel has nothing to read and nothing to write, and would look at each of many rows
/// to find that out: no argument and no result holds an element.
bool walks_over_nothing(const Call& call) {
  bool many = false;
  auto empty = [&](const Value& v) {
    if (!v.is_tensor()) return true;
    many = many || is_long_nothing(*v.tensor_impl());
    return v.tensor_impl()->numel == 0;
  };
  auto holds_nothing = [&](const Value& v) {
    return v.is_list() ? std::ranges::all_of(v.list().items, empty) : empty(v);
  };
  return call.declared() && std::ranges::all_of(call.results, holds_nothing) &&
         std::ranges::all_of(call.args, holds_nothing) && many;
}

}  // namespace

/// The steps of one call behind the handlers, in order.
class Dispatcher {
 public:
  /// `spent`: the caller reads the arguments no more.
  Dispatcher(Context& context, const Operator& op, std::span<const Value> args, bool spent = false)
      : context_(context),
        op_(op),
        complete_(op, args),
        args_(complete_.all()),
        reuses_(spent && first_is_alone()) {}

  Results run() {
    check_tensors_given();
    RuleCall call(*this, *op_.functional, context_, functional_arguments());
    if (call.op.is_constrained) check_arguments(call.op, call.args);
    if (!call.op.is_host()) settle_device(call);
    call.op.rule().infer(call);
    std::string_view ran = "rule";
    if (!call.finished()) ran = compute(call);
    if (op_.functional != &op_) writing(call.device_, [&] { write_back(call); });
    if (!waits_) mark_written();
    if (!context_.handlers.empty()) context_.handlers.answered(op_, ran, context_.depth > 0);
    return std::move(call.results);
  }

  /// A result that the rule declared: the tensor that the call writes, if the kernel may write into
  /// it straight away, else a fresh one.
  template <typename Make>
  Tensor result(const Call& call, core::DimSpan sizes, std::optional<core::DimSpan> strides,
                DType dtype, Device device, const Make& make) const {
    if (op_.is_inplace || op_.is_out) {
      if (Tensor target = direct_target(call, sizes, dtype, device)) return target;
    }
    if (reuses_ && first_fits(call, sizes, strides, dtype)) {
      args_[0].tensor_impl()->storage->mark_written();
      return args_[0].to_tensor();
    }
    Tensor fresh = make();
    if (!context_.handlers.empty()) {
      context_.handlers.allocated(fresh.device(), fresh.storage()->nbytes());
    }
    return fresh;
  }

 private:
  /// A graph may hand None to an operator that wants a tensor or a number, by itself or in a list;
  /// rules and kernels never see that.
  void check_tensors_given() const {
    const auto& wanted = op_.schema.arguments;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!lacks(args_[i], *wanted[i].type)) continue;
      bool number = wanted[i].type->is(core::TypeKind::number);
      base::fail("Expected a proper ", number ? "number" : "Tensor",
                 " but got None (or an undefined Tensor in C++) for argument #", i, " '",
                 wanted[i].name, "' of ", op_.qualified_name);
    }
  }

  static bool lacks(const Value& given, const core::Type& wanted) {
    if (given.is_none())
      return wanted.is(core::TypeKind::tensor) || wanted.is(core::TypeKind::number);
    if (!given.is_list() || !wanted.is(core::TypeKind::list)) return false;
    if (!wanted.element()->is(core::TypeKind::tensor)) return false;
    return std::ranges::any_of(given.list().items, &Value::is_none);
  }

  /// The arguments as the functional operator takes them.
  std::span<const Value> functional_arguments() {
    return op_.functional == &op_ ? args_ : arguments_of_functional();
  }

  std::span<const Value> arguments_of_functional() {
    const auto& wanted = op_.functional->schema.arguments;
    size_t given = args_.size() - op_.out_count;
    bool same = given == wanted.size() &&
                std::none_of(op_.wrap.begin(), op_.wrap.end(), [](bool w) { return w; });
    if (same) return args_.first(given);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (i >= given) {
        base::invariant(wanted[i].default_value.has_value(), op_.qualified_name,
                        " lacks an argument of ", op_.functional->qualified_name);
        functional_.push_back(default_of(wanted[i]));
      } else if (op_.wrap[i] && args_[i].is_number()) {
        functional_.push_back(wrapped_number(args_[i].to_scalar(), context_.default_dtype));
      } else {
        functional_.push_back(args_[i]);
      }
    }
    return functional_;
  }

  /// Decides where the call runs, and brings the indices there.
  void settle_device(RuleCall& call) {
    call.device_ = common_device(call.op, call.args);
    if (call.op.devices() != Devices::indices_follow) return;
    base::Restore deeper(context_.depth, context_.depth + 1);
    if (auto moved = with_indices_on(context_, call.op, call.args, call.device_)) {
      functional_ = std::move(*moved);
      call.args = functional_;
    }
  }

  std::string_view compute(RuleCall& call) {
    if (call.declared()) call.device_ = call.results[0].tensor_impl()->storage->device();
    core::HostKernels* on_device = nullptr;
    if (call.device_.type != DeviceType::cpu) on_device = host_kernels_of(call.device_);
    bool meta = call.device_.type == DeviceType::meta;
    if (meta && call.declared()) return "rule";
    base::check(!meta || context_.kernels->has(call.op, Backend::composite), op_.qualified_name,
                ": the shape of the result depends on values, which meta tensors do not have");
    auto backend = has_own_kernels(call.device_) ? Backend::cuda : Backend::cpu;
    auto choice = context_.kernels->choose(call, backend, context_.reference_only);
    if (!choice.kernel) {
      base::unsupported(op_.qualified_name, " has no kernel for device ", call.device_.text());
    }
    if (call.op.devices() == Devices::any_device && choice.backend != Backend::composite) {
      check_none_on_meta(call.args, call.device_);
    }
    if (choice.backend != Backend::composite && walks_over_nothing(call)) return choice.name;
    std::optional<LateKernels::AtOnce> at_once;
    if (LateKernels* late = LateKernels::current(); late && choice.backend != Backend::composite) {
      waits_ = late->take(call, op_, choice);
      if (waits_) return choice.name;
      at_once.emplace(*late);
    }
    // A composite is host code, also when a kernel of the device calls it.
    bool in_kernel = on_device && choice.backend != Backend::composite;
    if (in_kernel && issue(call, *choice.kernel, *on_device)) return choice.name;
    std::optional<core::KernelScope> scope;
    if (on_device) scope.emplace(*on_device, call.device_, in_kernel);
    base::Restore deeper(context_.depth, context_.depth + 1);
    writing(call.device_, [&] { choice.kernel->run(call); });
    return choice.name;
  }

  /// Takes a step that writes. If it fails, what kernels of the device found wrong is told now, not
  /// at a later call, which could not help it.
  template <typename Step>
  void writing(Device device, const Step& step) {
    try {
      step();
    } catch (...) {
      mark_written();  // In part, for all that is known.
      if (has_own_kernels(device)) core::backend_of(device).synchronize(device);
      throw;
    }
  }

  static bool has_own_kernels(Device device) {
    bool other = device.type != DeviceType::cpu && device.type != DeviceType::meta;
    return other && !core::backend_of(device).host_kernels();
  }

  /// What runs the host's kernels on a device that is not the CPU; null where nothing does. Input
  /// error if the device is not there.
  core::HostKernels* host_kernels_of(Device device) const {
    core::HostKernels* kernels = core::backend_of(device).host_kernels();
    bool refused = kernels && device.type == DeviceType::cuda && !context_.fake_cuda;
    base::check(!refused, "device ", device.text(),
                " is not there: this engine was made without fake CUDA devices");
    return kernels;
  }

  /// Issues the kernel to the current stream, if that does not run it at once. Kernels that make
  /// their results can not run later: for them the host waits for the stream.
  bool issue(const Call& call, const Kernel& kernel, core::HostKernels& device) const {
    core::Stream stream = context_.stream_of(call.device());
    if (!device.defers(stream)) return false;
    if (!call.declared()) {
      core::backend_of(call.device()).synchronize(stream);
      return false;
    }
    device.launch(
        stream, [later = std::make_shared<DeferredCall>(call), run = kernel.run] { run(*later); });
    return true;
  }

  /// The tensor that the i-th result is written to, or undefined for a functional call.
  Tensor written(size_t i) const {
    if (op_.is_inplace) return i == 0 ? args_[0].to_tensor() : Tensor();
    if (op_.is_out) return args_[args_.size() - op_.out_count + i].to_tensor();
    return {};
  }

  /// Whether nobody but this call knows the first argument, a tensor of plain memory, and kernels
  /// run at once. Asked before the rule, which may take further references.
  bool first_is_alone() const {
    if (args_.empty() || !args_[0].is_tensor() || op_.functional != &op_) return false;
    const core::TensorImpl& t = *args_[0].tensor_impl();
    return t.use_count() == 1 && t.storage->use_count() == 1 && t.storage->is_own() &&
           t.storage->device().type == DeviceType::cpu && !LateKernels::current();
  }

  /// Whether the first argument can become the result: each element is read before it is written.
  bool first_fits(const Call& call, core::DimSpan sizes, std::optional<core::DimSpan> strides,
                  DType dtype) const {
    bool one = op_.schema.returns.size() == 1 && call.results.empty();
    if (!one || !op_.rule().elementwise || op_.numeric() == Numeric::random) return false;
    const core::TensorImpl& t = *args_[0].tensor_impl();
    bool plain = !t.requires_grad && !t.wrapped_number && !t.face && t.extensions.empty();
    if (!plain || t.dtype != dtype || !std::ranges::equal(t.sizes, sizes)) return false;
    bool lies_so = strides ? std::ranges::equal(t.strides, *strides)
                           : std::ranges::equal(t.strides, core::contiguous_strides(sizes));
    return lies_so && t.storage->nbytes() == static_cast<size_t>(t.numel) * core::size_of(dtype);
  }

  /// What the next result is written to, if the kernel may write into it straight away.
  Tensor direct_target(const Call& call, core::DimSpan sizes, DType dtype, Device device) const {
    Tensor target = written(call.results.size());
    bool fits = target && call.op.rule().elementwise && target.dtype() == dtype &&
                target.device() == device && std::ranges::equal(target.sizes(), sizes);
    if (!fits) return {};
    views::check_elements_apart(target);
    for (const Value& v : call.args) {
      if (!v.is_tensor() || v.tensor_impl()->storage != target.storage()) continue;
      const core::TensorImpl& t = *v.tensor_impl();
      bool same_view = t.offset == target.offset() && t.sizes == target.sizes() &&
                       t.strides == target.strides() && t.dtype == target.dtype();
      if (!same_view) return {};
    }
    return target;
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
      if (target.device() != result.device()) {
        fail_on_two_devices(result.device(), target.device());
      }
      base::check(can_cast(result.dtype(), target.dtype()), "result type ",
                  core::script_name(result.dtype()), " can't be cast to the desired output type ",
                  core::script_name(target.dtype()));
      if (target.sizes() != result.sizes()) resize_target(target, result, call.declared());
      views::check_elements_apart(target);
      base::Restore deeper(context_.depth, context_.depth + 1);
      ops::call(context_, "aten::copy_", {target, result});
      call.results[i] = target;
    }
  }

  void mark_written() const {
    for (size_t i : op_.writes) {
      core::for_each_tensor(args_[i], [](core::TensorImpl& t) { t.storage->mark_written(); });
    }
  }

  void resize_target(const Tensor& target, const Tensor& result, bool declared) const {
    base::check(op_.is_out, "output with shape ", target.sizes(),
                " doesn't match the broadcast shape ", result.sizes());
    // PyTorch lays the output of an elementwise operator out as it would a fresh result, and so it
    // does where routines make results of their own layout.
    bool as_made = op_.rule().elementwise ||
                   (!declared && target.dtype() == result.dtype() &&
                    core::is_non_overlapping_and_dense(result.sizes(), result.strides()));
    core::Dims strides = as_made ? result.strides() : core::contiguous_strides(result.sizes());
    target.assign(Tensor::empty_strided(result.sizes(), strides, target.dtype(), target.device()));
  }

  Context& context_;
  const Operator& op_;
  CompleteArguments complete_;
  std::span<const Value> args_;
  core::Values functional_;
  bool reuses_;         // The first argument's memory, for the result.
  bool waits_ = false;  // What is written is written later.
};

void RuleCall::declare(core::DimSpan sizes, DType dtype) {
  auto make = [&] { return Tensor::empty(sizes, dtype, device_); };
  results.push_back(dispatcher_.result(*this, sizes, {}, dtype, device_, make));
  declared_ = true;
}

void RuleCall::declare(core::DimSpan sizes, core::DimSpan strides, DType dtype) {
  declare_on(device_, sizes, strides, dtype);
}

void RuleCall::declare_on(Device device, core::DimSpan sizes, core::DimSpan strides, DType dtype) {
  auto make = [&] { return Tensor::empty_strided(sizes, strides, dtype, device); };
  results.push_back(dispatcher_.result(*this, sizes, strides, dtype, device, make));
  declared_ = true;
}

Value Call::call(std::string_view qualified_name, core::Values call_args) const {
  return ops::call(context, qualified_name, std::move(call_args));
}

namespace {

Results run_kernels(Context& context, const Operator& op, std::span<const Value> args, bool spent) {
  // Composites call operators in loops that programs can make long.
  thread_local base::DeadlineTicker ticker;
  if (context.depth > 0) ticker.tick();
  try {
    return Dispatcher(context, op, args, spent).run();
  } catch (const base::Error&) {
    throw;
  } catch (...) {  // Of the standard library or of one that kernels stand on.
    throw base::caught_error().add_context("in " + op.qualified_name);
  }
}

}  // namespace

Results call_kernels(Context& context, const Operator& op, std::span<const Value> args) {
  return run_kernels(context, op, args, false);
}

Results call_spending(Context& context, const Operator& op, std::span<const Value> args) {
  // Handlers may keep what a call takes.
  if (!context.handlers.empty()) return call(context, op, args);
  return run_kernels(context, op, args, true);
}

Results call(Context& context, const Operator& op, std::span<const Value> args) {
  if (context.handlers.listen()) [[unlikely]]
    return context.handlers.pass(context, op, args);
  return call_kernels(context, op, args);
}

Value call(Context& context, std::string_view qualified_name, core::Values args) {
  Results results = call(context, get_operator(qualified_name), args);
  return results.empty() ? Value() : std::move(results[0]);
}

Tensor relocate(Context& context, const core::Tensor& tensor, core::Device device,
                core::DType dtype) {
  core::Values args{tensor, device, static_cast<int64_t>(dtype), false, false, {}};
  return call(context, "aten::to.device", std::move(args)).to_tensor();
}

}  // namespace assay::ops
