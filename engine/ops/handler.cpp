#include "engine/ops/handler.h"

#include "engine/base/restore.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

HandlerScope::HandlerScope(Context& context, Handler& handler)
    : context_(context), handler_(handler) {
  HandlerStack& stack = context.handlers;
  HandlerScope** at = &stack.top_;
  while (*at && (*at)->handler_.stage() < handler.stage()) at = &(*at)->below_;
  below_ = *at;
  *at = this;
  if (stack.first_ == below_) stack.first_ = this;
}

HandlerScope::~HandlerScope() {
  HandlerStack& stack = context_.handlers;
  HandlerScope** at = &stack.top_;
  while (*at != this) at = &(*at)->below_;
  *at = below_;
  if (stack.first_ == this) stack.first_ = below_;
}

Results Next::operator()(const Operator& op, std::span<const core::Value> args) const {
  return HandlerStack::pass(context_, handler_.below_, first_, op, args);
}

Results HandlerStack::pass(Context& context, HandlerScope* from, HandlerScope* first,
                           const Operator& op, std::span<const core::Value> args) {
  HandlerScope* at = from;
  while (at && context.depth > 0 && !at->handler_.wants_nested()) at = at->below_;
  if (!at) {
    base::Restore whole(context.handlers.first_, first);
    return call_kernels(context, op, args);
  }
  base::Restore below(context.handlers.first_, at->below_);
  CompleteArguments complete(op, args);
  try {
    return at->handler_.call(op, complete.all(), Next(context, *at, first));
  } catch (...) {
    base::Error error = base::caught_error();
    at->handler_.failed(op, error);
    throw error;
  }
}

void HandlerStack::answered(const Operator& op, std::string_view kernel, bool nested) const {
  for (HandlerScope* at = top_; at; at = at->below_) {
    if (!nested || at->handler_.wants_nested()) at->handler_.answered(op, kernel);
  }
}

void HandlerStack::allocated(core::Device device, size_t bytes) const {
  for (HandlerScope* at = top_; at; at = at->below_) at->handler_.allocated(device, bytes);
}

void HandlerStack::copied(core::Device from, core::Device to, size_t bytes) const {
  for (HandlerScope* at = top_; at; at = at->below_) at->handler_.copied(from, to, bytes);
}

void HandlerStack::synchronized(core::Device device) const {
  for (HandlerScope* at = top_; at; at = at->below_) at->handler_.synchronized(device);
}

}  // namespace assay::ops
