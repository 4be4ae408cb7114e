#include "engine/base/ref.h"

#include <vector>

namespace assay::base {
namespace {

/// Levels of destructors that may stand on the stack at once.
constexpr int max_depth = 64;

/// Has no destructor of its own, so that it is there until the thread's last object is gone.
struct Destruction {
  int depth = 0;
  std::vector<const RefCounted*>* waiting = nullptr;
};
thread_local Destruction destruction;

}  // namespace

void RefCounted::destroy() const {
  Destruction& state = destruction;
  if (state.depth >= max_depth) {
    state.waiting->push_back(this);
    return;
  }
  if (state.depth > 0) {
    ++state.depth;
    delete this;
    --state.depth;
    return;
  }
  std::vector<const RefCounted*> waiting;
  state = {1, &waiting};
  delete this;
  while (!waiting.empty()) {
    const RefCounted* next = waiting.back();
    waiting.pop_back();
    delete next;
  }
  state = {};
}

}  // namespace assay::base
