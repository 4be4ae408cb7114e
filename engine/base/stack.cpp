#include "engine/base/stack.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "engine/base/error.h"

namespace assay::base {
namespace {

/// Kept free for what runs on the last level: kernels, and the way back up.
constexpr size_t reserve = size_t{512} << 10;

/// How far the kernel keeps other mappings away from the main thread's stack, at the least.
constexpr size_t kept_free = size_t{64} << 20;

/// The floor of the main thread, whose stack starts where the kernel put the program's name: asking
/// the C library would read all of the process's mappings. 0 if this is another thread, or was one
/// before the process was forked.
uintptr_t main_floor() {
  rlimit limit{};
  uintptr_t top = getauxval(AT_EXECFN);
  bool main = gettid() == getpid();
  if (!main || top == 0 || getrlimit(RLIMIT_STACK, &limit) != 0) return 0;
  size_t size = std::min<size_t>(limit.rlim_cur, kept_free);
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (here > top || here < top - size) return 0;
  return top - size + (size > 2 * reserve ? reserve : size / 2);
}

/// The lowest address that a frame of this thread may have.
uintptr_t find_floor() {
  if (uintptr_t floor = main_floor()) return floor;
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
