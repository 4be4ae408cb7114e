#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/small_vector.h"
#include "engine/core/value.h"

namespace assay::ops {

struct Operator;
struct Context;
class HandlerScope;

/// What a call gives, one Value per declared return.
using Results = base::SmallVector<core::Value, 2>;

/// The way of a call below a handler: the handlers under it, then the kernels.
class Next {
 public:
  /// Goes on to this operator with these arguments; trailing ones may be left to their defaults.
  /// May be called any number of times while Handler::call runs.
  Results operator()(const Operator& op, std::span<const core::Value> args) const;
  /// For calls of the handler's own: they pass only the handlers below it.
  Context& context() const { return context_; }

 private:
  friend class HandlerStack;
  Next(Context& context, const HandlerScope& handler, HandlerScope* first)
      : context_(context), handler_(handler), first_(first) {}

  Context& context_;
  const HandlerScope& handler_;  // Whose way this is.
  HandlerScope* first_;          // The first that hears what composites on this way call.
};

/// Where in the stack a handler stands; calls pass the stages in this order.
enum class Stage : uint8_t {
  change,  ///< Calls something else than was asked: autocast, quantization.
  record,  ///< Writes down what is called: tracing, gradients.
  watch,   ///< Sees what really runs: ledgers, profiles, limits.
};

/// One that every call of an operator passes on its way to the kernels: it may look at the call,
/// change it, answer it in their place, or refuse it by raising an error.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual Stage stage() const { return Stage::watch; }
  /// Whether it also hears what composite operators call; otherwise outermost calls only.
  virtual bool wants_nested() const { return false; }
  /// A call, with complete arguments; must keep no reference to them. Calls that it makes itself
  /// pass the handlers below it only.
  virtual Results call(const Operator& op, std::span<const core::Value> args, const Next& next) {
    return next(op, args);
  }
  /// The call that this handler passed on, or the handler itself, raised an error.
  virtual void failed(const Operator&, const base::Error&) {}

  // What happened on the way, whichever call was the cause.
  /// A candidate answered a call: "reference", "onednn", "composite", or "rule" where no kernel was
  /// needed.
  virtual void answered(const Operator&, std::string_view /*kernel*/) {}
  /// Bytes were allocated on a device for a result.
  virtual void allocated(core::Device, size_t /*bytes*/) {}
  /// Bytes moved between devices.
  virtual void copied(core::Device /*from*/, core::Device /*to*/, size_t /*bytes*/) {}
  /// The host waited for a device to read values (item, nonzero, printing).
  virtual void synchronized(core::Device) {}
};

/// A handler is in a context's stack while this lives: above those of its own stage that were there
/// before.
class HandlerScope {
 public:
  HandlerScope(Context& context, Handler& handler);
  ~HandlerScope();
  HandlerScope(const HandlerScope&) = delete;
  HandlerScope& operator=(const HandlerScope&) = delete;

 private:
  friend class HandlerStack;
  friend class Next;
  Context& context_;
  Handler& handler_;
  HandlerScope* below_ = nullptr;
};

/// The handlers of a context, in the order in which a call passes them. Entered and left by scopes
/// alone.
class HandlerStack {
 public:
  bool empty() const { return top_ == nullptr; }
  /// Whether a call made now passes any handler at all.
  bool listen() const { return first_ != nullptr; }
  /// Sends a call through the handlers that hear it, then to the kernels.
  Results pass(Context& context, const Operator& op, std::span<const core::Value> args) const {
    return pass(context, first_, first_, op, args);
  }

  // Tell the handlers what happened.
  void answered(const Operator& op, std::string_view kernel, bool nested) const;
  void allocated(core::Device device, size_t bytes) const;
  void copied(core::Device from, core::Device to, size_t bytes) const;
  void synchronized(core::Device device) const;

 private:
  friend class HandlerScope;
  friend class Next;
  static Results pass(Context& context, HandlerScope* from, HandlerScope* first, const Operator& op,
                      std::span<const core::Value> args);

  HandlerScope* top_ = nullptr;
  HandlerScope* first_ = nullptr;  // Hears a call made now: the top, but while a handler runs.
};

}  // namespace assay::ops
