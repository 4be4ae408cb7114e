#include "engine/api/engine.h"

#include "engine/core/backends.h"
#include "engine/kernels/cpu/register.h"
#include "engine/kernels/reference/register.h"
#ifdef ASSAY_WITH_CUDA
#include "engine/kernels/cuda/devices.h"
#include "engine/kernels/cuda/register.h"
#endif
#include "engine/ops/builtin/register.h"
#include "engine/ops/composite/register.h"

namespace assay::api {
namespace {

/// All kernels, made when the first engine is.
const ops::KernelTable& all_kernels() {
  static const ops::KernelTable table = [] {
    ops::KernelTable made;
    ops::builtin::register_kernels(made);
    ops::composite::register_kernels(made);
    kernels::reference::register_kernels(made);
    kernels::cpu::register_kernels(made);
#ifdef ASSAY_WITH_CUDA
    kernels::cuda::register_kernels(made);
#endif
    return made;
  }();
  return table;
}

}  // namespace

void register_devices(bool fake_cuda) {
#ifdef ASSAY_WITH_CUDA
  kernels::cuda::register_devices();
#endif
  core::register_fake_devices(fake_cuda);
}

struct Engine::State {
  EngineOptions options;
  ops::Context context;
};

Engine::Engine(const EngineOptions& options) : state_(std::make_shared<State>()) {
  register_devices(options.fake_cuda);
  state_->options = options;
  ops::Context& context = state_->context;
  context.kernels = &all_kernels();
  context.reference_only = options.reference_only;
  context.fake_cuda = options.fake_cuda;
  context.default_dtype = options.default_dtype;
  context.generator->set_seed(options.seed);
}

void Engine::set_seed(uint64_t seed) { state_->context.generator->set_seed(seed); }

ops::Context& Engine::context() const { return state_->context; }
const EngineOptions& Engine::options() const { return state_->options; }

}  // namespace assay::api
