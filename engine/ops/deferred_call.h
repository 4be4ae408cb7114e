#pragma once

#include <memory>

#include "engine/ops/dispatch.h"

namespace assay::ops {

/// A declared call whose kernel runs later: when its stream comes to it, or when somebody looks.
/// The dispatcher, the handlers and even the engine may be gone by then, and the program may have
/// given its tensors other sizes, so it has arguments, results and a context of its own. It keeps
/// their bytes alive.
class DeferredCall : public Call {
 public:
  explicit DeferredCall(const Call& call);
  ~DeferredCall();

 private:
  struct Kept;
  DeferredCall(const Call& call, std::unique_ptr<Kept> kept);

  std::unique_ptr<Kept> kept_;
};

}  // namespace assay::ops
