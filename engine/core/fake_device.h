#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/core/device_backend.h"
#include "engine/core/protected_arena.h"

namespace assay::core {

/// Devices without hardware that keep every rule of a separate one. Memory is the host's but has no
/// access rights except while one of the device's kernels (the host's, through HostKernels) or
/// copies runs: host code that touches it dies.
///
/// Work that is issued to a stream other than the default one waits until somebody waits for it:
/// the host, a stream of which an event was awaited, or its own stream. So code that forgets to
/// wait reads old bytes, every time.
///
/// Work of the default stream can be recorded, as on a GPU, once somebody asks for that: methods
/// are then optimized here, too, which costs time, since memory is opened for every kernel.
class FakeDevices : public DeviceBackend, public HostKernels {
 public:
  static constexpr int devices = 8;

  FakeDevices();
  ~FakeDevices() override;

  int count() const override { return devices; }
  HostKernels* host_kernels() override { return this; }

  std::byte* allocate(size_t nbytes, const Stream& stream) override;
  void free(std::byte* data, size_t nbytes, const Stream& stream) noexcept override;
  void copy_from_host(std::byte* to, const std::byte* from, size_t nbytes,
                      const Stream& stream) override;
  void copy_to_host(std::byte* to, const std::byte* from, size_t nbytes,
                    const Stream& stream) override;
  void copy(std::byte* to, const std::byte* from, Device source, size_t nbytes,
            const Stream& stream) override;
  void fill(std::byte* data, std::byte value, size_t nbytes, const Stream& stream) override;

  void allow_recording() { can_record_ = true; }
  bool can_record() const override { return can_record_; }
  void begin_recording(Device device) override;
  std::unique_ptr<Recording> end_recording(Device device) override;

  Stream make_stream(Device device) override;
  EventRef record(const Stream& stream) override;
  void wait(const Stream& stream, const EventRef& event) override;
  void synchronize(const EventRef& event) override;
  void synchronize(const Stream& stream) override;
  void synchronize(Device device) override;

  bool set_open(Device device, bool open) override;
  bool defers(const Stream& stream) override;
  void launch(const Stream& stream, std::function<void()> kernel) override;

 private:
  using Work = std::function<void()>;
  struct Queue {
    uint64_t done = 0;  ///< Works that ran, of all that were issued.
    std::deque<Work> waiting;
  };
  class Take;
  struct Machine {
    ProtectedArena arena;
    std::unique_ptr<Take> take;  // What is recorded now, by `recorder`.
    std::thread::id recorder;
    std::mutex mutex;                             // Of the queues.
    std::vector<std::unique_ptr<Queue>> streams;  // From number 1 on.
    std::vector<std::byte*> retired;              // Freed while work was waiting.
  };
  struct Mark;

  Machine& machine(Device device) { return machines_[static_cast<size_t>(device.index)]; }
  Queue& queue(const Stream& stream);
  void issue(const Stream& stream, Work work);
  void run_until(const Stream& stream, uint64_t done);
  void release_retired(Machine& machine);
  bool records(Device device);
  void refuse_while_recording(Device device);

  std::array<Machine, devices> machines_;
  bool can_record_ = false;
};

}  // namespace assay::core
