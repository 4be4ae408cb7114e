#include "engine/base/ref.h"

#include <memory>
#include <vector>

namespace assay::base {
namespace {

/// Levels of destructors that may stand on the stack at once.
constexpr int max_depth = 64;

/// Has no destructor of its own, so that it is there until the thread's last object is gone. Small
/// enough for a library that Python loads to have it where it is read without a call.
struct Destruction {
  int depth = 0;
  std::vector<const RefCounted*>* waiting = nullptr;  // Made where the depth is reached.
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Destruction destruction;

/// Those that waited may make others wait.
void destroy_waiting(Destruction& state) {
  std::unique_ptr<std::vector<const RefCounted*>> waiting(state.waiting);
  while (!waiting->empty()) {
    const RefCounted* next = waiting->back();
    waiting->pop_back();
    delete next;
  }
  state.waiting = nullptr;
}

}  // namespace

void RefCounted::destroy() const {
  Destruction& state = destruction;
  if (state.depth >= max_depth) {
    if (!state.waiting) state.waiting = new std::vector<const RefCounted*>;
    state.waiting->push_back(this);
    return;
  }
  ++state.depth;
  delete this;
  if (state.depth == 1 && state.waiting) [[unlikely]]
    destroy_waiting(state);
  --state.depth;
}

}  // namespace assay::base
