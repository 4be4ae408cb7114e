#include "engine/kernels/cuda/devices.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/backends.h"
#include "engine/kernels/cuda/queue.h"

namespace assay::kernels::cuda {
namespace {

using core::Device;
using core::Stream;

/// The device that this thread's calls of CUDA go to; setting it costs a call itself.
void make_current(int index) {
  thread_local int current = -1;
  if (current == index) return;
  check(cudaSetDevice(index), "choosing a device");
  current = index;
}

class Mark final : public core::Event {
 public:
  explicit Mark(cudaStream_t stream) {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event");
    check(cudaEventRecord(event_, stream), "recording an event");
  }
  ~Mark() override { cudaEventDestroy(event_); }
  cudaEvent_t event() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// What the allocator gives out: sizes are rounded up to one of eight steps for each power of two,
/// and at least to 512 bytes, so that what one tensor gives back suits the next.
size_t rounded_size(size_t nbytes) {
  size_t step = 512;
  while (step * 16 < nbytes) step *= 2;
  return (nbytes + step - 1) / step * step;
}

/// Memory by size, for the next tensor that asks for as much.
using FreeBlocks = std::map<size_t, std::vector<std::byte*>>;

std::byte* take_block(FreeBlocks& free, size_t size) {
  std::vector<std::byte*>& blocks = free[size];
  if (blocks.empty()) return nullptr;
  std::byte* data = blocks.back();
  blocks.pop_back();
  return data;
}

/// The memory of a recording: what was allocated while it was made, used or not.
struct Pool {
  std::map<std::byte*, size_t> blocks;  // All of them.
  FreeBlocks free;
};

/// One GPU: its streams, the memory that is kept for the next tensor, and the board of faults.
class Gpu {
 public:
  explicit Gpu(int index) : index_(index) {
    make_current(index);
    streams_.push_back(new_stream());
    check(cudaHostAlloc(&staging_, staging_size, cudaHostAllocDefault), "pinning memory");
    check(cudaHostAlloc(reinterpret_cast<void**>(&board_), sizeof(FaultBoard), cudaHostAllocMapped),
          "pinning memory");
    *board_ = FaultBoard{};
  }

  cudaStream_t stream(const Stream& stream) {
    if (stream.number == 0) return streams_[0];
    std::lock_guard lock(mutex_);
    return streams_.at(stream.number);
  }
  FaultBoard* board() { return board_; }

  uint32_t add_stream() {
    std::lock_guard lock(mutex_);
    make_current(index_);
    streams_.push_back(new_stream());
    return static_cast<uint32_t>(streams_.size() - 1);
  }

  std::byte* allocate(size_t nbytes) {
    std::lock_guard lock(mutex_);
    make_current(index_);
    size_t size = rounded_size(nbytes);
    if (recording_ && recorder_ == std::this_thread::get_id()) return allocate_recorded(size);
    std::byte* data = take_block(free_, size);
    if (!data) data = fresh(size);
    // The block may still be read by what the default stream was asked for before.
    if (streams_.size() > 1) others_wait_for(streams_[0]);
    return data;
  }

  /// Work of the default stream follows in order; what other streams were asked for is waited for.
  void free(std::byte* data, size_t nbytes) noexcept {
    std::lock_guard lock(mutex_);
    size_t size = rounded_size(nbytes);
    if (auto owner = pool_of_.find(data); owner != pool_of_.end()) {
      owner->second->free[size].push_back(data);
      return;
    }
    if (streams_.size() > 1) default_waits_for_others();
    free_[size].push_back(data);
  }

  void begin_recording() {
    make_current(index_);
    {
      std::lock_guard lock(mutex_);
      base::check(!recording_ && streams_.size() == 1, "work of cuda:", index_,
                  " cannot be recorded while it has several streams or is recorded already");
      recording_ = std::make_shared<Pool>();
      recorder_ = std::this_thread::get_id();
    }
    check(cudaStreamBeginCapture(streams_[0], cudaStreamCaptureModeRelaxed), "recording work");
  }

  std::unique_ptr<core::Recording> end_recording();
  void drop(Pool& pool) noexcept;
  void run(cudaGraphExec_t graph) {
    make_current(index_);
    check(cudaGraphLaunch(graph, streams_[0]), "running recorded work");
  }

  void copy_from_host(std::byte* to, const std::byte* from, size_t nbytes, cudaStream_t on) {
    refuse_while_recording();
    make_current(index_);
    if (nbytes > staging_size) {
      check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyHostToDevice, on), "copying to a device");
      return;
    }
    std::lock_guard lock(staging_mutex_);
    std::memcpy(staging_, from, nbytes);
    check(cudaMemcpyAsync(to, staging_, nbytes, cudaMemcpyHostToDevice, on), "copying to a device");
    check(cudaStreamSynchronize(on), "copying to a device");
  }

  void copy_to_host(std::byte* to, const std::byte* from, size_t nbytes, cudaStream_t on) {
    refuse_while_recording();
    make_current(index_);
    if (nbytes > staging_size) {
      check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyDeviceToHost, on), "copying from a device");
      return;
    }
    std::lock_guard lock(staging_mutex_);
    check(cudaMemcpyAsync(staging_, from, nbytes, cudaMemcpyDeviceToHost, on),
          "copying from a device");
    check(cudaStreamSynchronize(on), "copying from a device");
    std::memcpy(to, staging_, nbytes);
  }

  void synchronize(cudaStream_t on) {
    refuse_while_recording();
    make_current(index_);
    check(cudaStreamSynchronize(on), "waiting for a device");
    raise_faults(*board_, {core::DeviceType::cuda, static_cast<int8_t>(index_)});
  }

  void synchronize_all() {
    refuse_while_recording();
    make_current(index_);
    check(cudaDeviceSynchronize(), "waiting for a device");
    raise_faults(*board_, {core::DeviceType::cuda, static_cast<int8_t>(index_)});
  }

 private:
  static constexpr size_t staging_size = size_t{1} << 20;

  static cudaStream_t new_stream() {
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream");
    return made;
  }

  /// From the driver, after all that is kept was given back where it has no more.
  std::byte* fresh(size_t size) {
    void* data = nullptr;
    if (cudaMalloc(&data, size) == cudaSuccess) return static_cast<std::byte*>(data);
    cudaGetLastError();
    cudaDeviceSynchronize();
    for (auto& [kept_size, blocks] : free_) {
      for (std::byte* block : blocks) cudaFree(block);
      blocks.clear();
    }
    if (cudaMalloc(&data, size) == cudaSuccess) return static_cast<std::byte*>(data);
    cudaGetLastError();
    size_t left = 0, all = 0;
    cudaMemGetInfo(&left, &all);
    base::fail_for_want_of(base::Resource::memory, "CUDA out of memory: you tried to allocate ",
                           size, " bytes on cuda:", index_, ", which has ", left, " of ", all,
                           " free");
  }

  std::byte* allocate_recorded(size_t size) {
    std::byte* data = take_block(recording_->free, size);
    if (!data) data = take_block(free_, size);
    if (!data) data = fresh(size);
    recording_->blocks.emplace(data, size);
    pool_of_[data] = recording_.get();
    return data;
  }

  void refuse_while_recording() const {
    base::check(!recording_ || recorder_ != std::this_thread::get_id(),
                "the host cannot wait for work that is recorded");
  }

  void others_wait_for(cudaStream_t first) {
    Mark mark(first);
    for (size_t i = 1; i < streams_.size(); ++i) cudaStreamWaitEvent(streams_[i], mark.event(), 0);
  }

  void default_waits_for_others() noexcept {
    for (size_t i = 1; i < streams_.size(); ++i) {
      cudaEvent_t event = nullptr;
      if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) continue;
      cudaEventRecord(event, streams_[i]);
      cudaStreamWaitEvent(streams_[0], event, 0);
      cudaEventDestroy(event);
    }
  }

  int index_;
  std::mutex mutex_;  // Of the streams and the free blocks.
  std::vector<cudaStream_t> streams_;
  FreeBlocks free_;
  std::shared_ptr<Pool> recording_;  // Of the recording that is being made.
  std::thread::id recorder_;
  std::unordered_map<std::byte*, Pool*> pool_of_;
  std::mutex staging_mutex_;
  void* staging_ = nullptr;  // Pinned: the driver copies to and from it without steps between.
  FaultBoard* board_ = nullptr;
};

class Graph final : public core::Recording {
 public:
  Graph(Gpu& gpu, std::shared_ptr<Pool> pool, cudaGraphExec_t graph)
      : gpu_(gpu), pool_(std::move(pool)), graph_(graph) {}
  ~Graph() override {
    cudaGraphExecDestroy(graph_);
    gpu_.drop(*pool_);
  }
  void run(const Stream&) override { gpu_.run(graph_); }
  bool owns(const std::byte* data) const override {
    auto after = pool_->blocks.upper_bound(const_cast<std::byte*>(data));
    if (after == pool_->blocks.begin()) return false;
    auto [begin, size] = *std::prev(after);
    return data < begin + size;
  }

 private:
  Gpu& gpu_;
  std::shared_ptr<Pool> pool_;
  cudaGraphExec_t graph_;
};

/// Free blocks are for everybody again; those that tensors still have will be when they are freed.
void Gpu::drop(Pool& pool) noexcept {
  std::lock_guard lock(mutex_);
  for (auto& [size, blocks] : pool.free) {
    free_[size].insert(free_[size].end(), blocks.begin(), blocks.end());
  }
  for (auto& [data, size] : pool.blocks) pool_of_.erase(data);
}

std::unique_ptr<core::Recording> Gpu::end_recording() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  bool whole = cudaStreamEndCapture(streams_[0], &graph) == cudaSuccess && graph &&
               cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
  if (graph) cudaGraphDestroy(graph);
  if (!whole) cudaGetLastError();
  std::shared_ptr<Pool> pool;
  {
    std::lock_guard lock(mutex_);
    pool = std::move(recording_);
    recording_ = nullptr;
  }
  if (whole) return std::make_unique<Graph>(*this, std::move(pool), ready);
  drop(*pool);
  return nullptr;
}

/// The GPUs of the machine. They live as long as the process, since tensors do.
class Gpus final : public core::DeviceBackend {
 public:
  int count() const override {
    static const int found = [] {
      int devices = 0;
      if (cudaGetDeviceCount(&devices) != cudaSuccess) {
        cudaGetLastError();
        return 0;
      }
      return std::min(devices, core::max_devices);
    }();
    return found;
  }

  std::byte* allocate(size_t nbytes, const Stream& stream) override {
    return gpu(stream.device).allocate(nbytes);
  }
  void free(std::byte* data, size_t nbytes, const Stream& stream) noexcept override {
    gpu(stream.device).free(data, nbytes);
  }
  void copy_from_host(std::byte* to, const std::byte* from, size_t nbytes,
                      const Stream& stream) override {
    gpu(stream.device).copy_from_host(to, from, nbytes, stream_of(stream));
  }
  void copy_to_host(std::byte* to, const std::byte* from, size_t nbytes,
                    const Stream& stream) override {
    gpu(stream.device).copy_to_host(to, from, nbytes, stream_of(stream));
  }
  void copy(std::byte* to, const std::byte* from, Device, size_t nbytes,
            const Stream& stream) override {
    make_current(stream.device.index);
    check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyDefault, stream_of(stream)),
          "copying between devices");
  }
  void fill(std::byte* data, std::byte value, size_t nbytes, const Stream& stream) override {
    make_current(stream.device.index);
    check(cudaMemsetAsync(data, static_cast<int>(value), nbytes, stream_of(stream)),
          "filling memory");
  }

  bool can_record() const override { return true; }
  void begin_recording(Device device) override { gpu(device).begin_recording(); }
  std::unique_ptr<core::Recording> end_recording(Device device) override {
    return gpu(device).end_recording();
  }

  Stream make_stream(Device device) override { return {device, gpu(device).add_stream()}; }
  core::EventRef record(const Stream& stream) override {
    make_current(stream.device.index);
    return std::make_shared<Mark>(stream_of(stream));
  }
  void wait(const Stream& stream, const core::EventRef& event) override {
    make_current(stream.device.index);
    check(cudaStreamWaitEvent(stream_of(stream), static_cast<const Mark&>(*event).event(), 0),
          "waiting for an event");
  }
  void synchronize(const core::EventRef& event) override {
    check(cudaEventSynchronize(static_cast<const Mark&>(*event).event()), "waiting for an event");
  }
  void synchronize(const Stream& stream) override {
    gpu(stream.device).synchronize(stream_of(stream));
  }
  void synchronize(Device device) override { gpu(device).synchronize_all(); }

  Gpu& gpu(Device device) {
    auto at = static_cast<size_t>(device.index);
    if (Gpu* known = gpus_[at].load(std::memory_order_acquire)) return *known;
    std::lock_guard lock(mutex_);
    if (!gpus_[at].load()) gpus_[at].store(new Gpu(device.index), std::memory_order_release);
    return *gpus_[at].load();
  }
  cudaStream_t stream_of(const Stream& stream) { return gpu(stream.device).stream(stream); }

 private:
  std::mutex mutex_;
  std::array<std::atomic<Gpu*>, core::max_devices> gpus_{};
};

Gpus& gpus() {
  static auto* all = new Gpus;
  return *all;
}

/// Whether the system has NVIDIA's driver: asking the driver itself takes a tenth of a second.
bool has_driver() {
  return ::access("/dev/nvidiactl", F_OK) == 0 || ::access("/dev/dxg", F_OK) == 0;
}

}  // namespace

void register_devices() {
  if (has_driver()) core::register_backend(core::DeviceType::cuda, gpus());
}

Queue queue_of(const ops::Call& call) {
  Device device = call.device();
  make_current(device.index);
  Stream stream = call.context.stream_of(device);
  return {gpus().stream_of(stream),
          {gpus().gpu(device).board(), static_cast<uint32_t>(call.op.id)}};
}

int64_t threads_at_once(const ops::Call& call) {
  static std::array<std::atomic<int64_t>, core::max_devices> known{};
  std::atomic<int64_t>& threads = known[static_cast<size_t>(call.device().index)];
  if (threads == 0) {
    int processors = 0, each = 0, device = call.device().index;
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "telling its size");
    check(cudaDeviceGetAttribute(&each, cudaDevAttrMaxThreadsPerMultiProcessor, device),
          "telling its size");
    threads = int64_t{processors} * each;
  }
  return threads;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) [[likely]]
    return;
  cudaGetLastError();
  if (status == cudaErrorMemoryAllocation)
    base::fail_for_want_of(base::Resource::memory, "CUDA out of memory, ", what);
  base::fail("CUDA refused ", what, ": ", cudaGetErrorString(status));
}

}  // namespace assay::kernels::cuda
