// A `cuda:0` whose kernels are those for GPUs, compiled for the host, and whose memory is the
// host's.

#include <cstdlib>
#include <cstring>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/kernels/cuda/hosted.h"
#include "engine/kernels/cuda/own_kernels.h"
#include "engine/kernels/cuda/queue.h"
#include "tests/engine/kernels/cuda/gpu.h"

namespace assay::kernels {
namespace {

using core::Device;
using core::Stream;

class HostMemory final : public core::DeviceBackend {
 public:
  int count() const override { return 1; }
  std::byte* allocate(size_t nbytes, const Stream&) override {
    void* data = std::aligned_alloc(64, (nbytes + 63) / 64 * 64);
    base::check(data != nullptr, "not enough memory");
    return static_cast<std::byte*>(data);
  }
  void free(std::byte* data, size_t, const Stream&) noexcept override { std::free(data); }
  void copy_from_host(std::byte* to, const std::byte* from, size_t n, const Stream&) override {
    std::memcpy(to, from, n);
  }
  void copy_to_host(std::byte* to, const std::byte* from, size_t n, const Stream&) override {
    std::memcpy(to, from, n);
  }
  void copy(std::byte* to, const std::byte* from, Device, size_t n, const Stream&) override {
    std::memcpy(to, from, n);
  }
  void fill(std::byte* data, std::byte value, size_t nbytes, const Stream&) override {
    std::memset(data, static_cast<int>(value), nbytes);
  }
  Stream make_stream(Device device) override { return {device, ++streams_}; }
  core::EventRef record(const Stream&) override { return std::make_shared<core::Event>(); }
  void wait(const Stream&, const core::EventRef&) override {}
  void synchronize(const core::EventRef&) override {}
  void synchronize(const Stream& stream) override { cuda::raise_faults(board, stream.device); }
  void synchronize(Device device) override { cuda::raise_faults(board, device); }

  cuda::FaultBoard board{};

 private:
  uint32_t streams_ = 0;
};

HostMemory& memory() {
  static auto* backend = new HostMemory;
  return *backend;
}

/// Before the first engine puts fake devices in this place.
const bool registered = [] {
  core::register_backend(core::DeviceType::cuda, memory());
  return true;
}();

const ops::KernelTable& all_kernels() {
  static const ops::KernelTable table = [] {
    ops::KernelTable made = *api::Engine().context().kernels;
    cuda::add_own_kernels(made);
    cuda::add_hosted_kernels(made);
    return made;
  }();
  return table;
}

}  // namespace

namespace cuda {

Queue queue_of(const ops::Call& call) {
  return {nullptr, {&memory().board, static_cast<uint32_t>(call.op.id)}};
}

/// As an H100 or H200 has them.
int64_t threads_at_once(const ops::Call&) { return 132 * 2048; }

}  // namespace cuda

namespace testing {

bool is_real_gpu() { return false; }
bool has_gpu() { return registered; }

api::Engine gpu_engine() {
  api::EngineOptions options;
  options.fake_cuda = false;
  api::Engine engine(options);
  engine.context().kernels = &all_kernels();
  return engine;
}

}  // namespace testing
}  // namespace assay::kernels
