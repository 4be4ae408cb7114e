#include "engine/base/stack.h"

#include <pthread.h>

#include <cstdint>

#include "engine/base/error.h"

namespace assay::base {
namespace {

/// Kept free for what runs on the last level: kernels, and the way back up.
constexpr size_t reserve = size_t{512} << 10;

/// The lowest address that a frame of this thread may have.
uintptr_t find_floor() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(lowest) + (size > 2 * reserve ? reserve : size / 2);
}

}  // namespace

void check_stack(std::string_view what) {
  thread_local const uintptr_t floor = find_floor();
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  check(here > floor, what, " is nested too deeply");
}

}  // namespace assay::base
