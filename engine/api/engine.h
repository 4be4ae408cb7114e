#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "engine/core/generator.h"
#include "engine/interp/limits.h"
#include "engine/ops/context.h"

namespace assay::api {

struct EngineOptions {
  uint64_t seed = core::Generator::default_seed;
  /// Run only reference kernels.
  bool reference_only = false;
  /// Where the machine has no GPU, `cuda` devices exist as fakes in host memory that obey every
  /// rule of a separate device.
  bool fake_cuda = true;
  /// Modules run an optimized form of their methods (engine/optimize) while nobody observes.
  bool optimize = false;
  /// Verify graphs after every pass of the optimizer; for tests.
  bool check_passes = false;
  core::DType default_dtype = core::DType::float32;
  /// Bounds on each run of a program, on loading one, and on `__setstate__` meanwhile.
  interp::Limits limits;
};

/// Makes the devices known that the machine has: its GPUs, where assay was built for them, and the
/// fake ones. With `fake_cuda`, fakes stand in for GPUs where there are none.
void register_devices(bool fake_cuda);

/// What running programs share: the kernels, the random generator, limits, handlers. Modules keep
/// their engine alive. Cheap to make; copies are handles to the same engine. Not thread-safe: one
/// engine per thread.
class Engine {
 public:
  explicit Engine(const EngineOptions& options = {});

  /// As torch.manual_seed.
  void set_seed(uint64_t seed);
  /// Handlers, default dtype, gradient mode: what calls of operators depend on.
  ops::Context& context() const;
  const EngineOptions& options() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace assay::api
