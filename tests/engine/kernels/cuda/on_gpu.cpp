#include "engine/core/backends.h"
#include "tests/engine/kernels/cuda/gpu.h"

namespace assay::kernels::testing {

bool is_real_gpu() { return true; }

bool has_gpu() {
  api::register_devices(false);
  const core::DeviceBackend* backend = core::find_backend(core::DeviceType::cuda);
  return backend && backend->count() > 0;
}

api::Engine gpu_engine() {
  api::EngineOptions options;
  options.fake_cuda = false;
  return api::Engine(options);
}

}  // namespace assay::kernels::testing
