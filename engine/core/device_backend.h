#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/core/device.h"

namespace assay::core {

/// A queue of work on a device: work of one stream runs in order, work of different streams in any
/// order but where an event is waited for. Number 0 is the device's default stream.
struct Stream {
  Device device;
  uint32_t number = 0;

  friend bool operator==(const Stream&, const Stream&) = default;
};

/// A point in a stream's work: everything that was issued to it before.
class Event {
 public:
  virtual ~Event() = default;
};
using EventRef = std::shared_ptr<const Event>;

/// Work of a device that was recorded, to be run again as a whole (a CUDA graph): the same kernels
/// on the same memory, without the host's part in each. The memory that was allocated meanwhile is
/// the recording's as long as it lives, also where a tensor has given it back.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Runs all of it, in the order of the stream.
  virtual void run(const Stream& stream) = 0;
  /// Whether an address is in memory that was allocated meanwhile.
  virtual bool owns(const std::byte* data) const = 0;
};

/// How a device that has no kernels of its own runs the host's (DeviceBackend::host_kernels).
class HostKernels {
 public:
  /// Opens or closes the device's memory to the calling thread's kernels, and to the threads that
  /// they start; says whether it was open.
  virtual bool set_open(Device device, bool open) = 0;
  /// Whether a kernel of the stream has to be issued by launch(): it is to run later, or again.
  virtual bool defers(const Stream& stream) = 0;
  /// Issues a kernel to a stream; it runs, with the memory open, when the stream comes to it. It
  /// must keep alive what it uses.
  virtual void launch(const Stream& stream, std::function<void()> kernel) = 0;

 protected:
  ~HostKernels() = default;
};

/// Opens a device's memory to the host's kernels while it lives, or closes it for code inside of a
/// kernel that is none of the device's; as before afterwards.
class KernelScope {
 public:
  KernelScope(HostKernels& kernels, Device device, bool open)
      : kernels_(kernels), device_(device), before_(kernels.set_open(device, open)) {}
  ~KernelScope() { kernels_.set_open(device_, before_); }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

 private:
  HostKernels& kernels_;
  Device device_;
  bool before_;
};

/// What the engine asks of the devices of one type. Addresses that a backend gives out mean
/// something to the device only, unless it is host_accessible(). Errors are input errors.
///
/// Work is issued to a stream and may run later: host bytes that it reads or writes must live until
/// the host has synchronized with the stream; device bytes may be freed at once.
class DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;

  /// Devices of this type that are there: indices 0 to count() - 1.
  virtual int count() const = 0;
  /// Whether host code may read and write the memory as it is.
  virtual bool host_accessible() const { return false; }
  /// Not null for a device that runs the host's kernels on its memory. A device with neither these
  /// nor kernels of its own runs composite operators alone.
  virtual HostKernels* host_kernels() { return nullptr; }

  /// Uninitialised bytes, aligned to 64, for use on the stream from now on.
  virtual std::byte* allocate(size_t nbytes, const Stream& stream) = 0;
  /// Gives bytes back once work issued so far is done with them.
  virtual void free(std::byte* data, size_t nbytes, const Stream& stream) noexcept = 0;

  virtual void copy_from_host(std::byte* to, const std::byte* from, size_t nbytes,
                              const Stream& stream) = 0;
  virtual void copy_to_host(std::byte* to, const std::byte* from, size_t nbytes,
                            const Stream& stream) = 0;
  /// From a device of this backend, `source`, to the stream's. The two ranges do not overlap.
  virtual void copy(std::byte* to, const std::byte* from, Device source, size_t nbytes,
                    const Stream& stream) = 0;
  virtual void fill(std::byte* data, std::byte value, size_t nbytes, const Stream& stream) = 0;

  /// Whether work can be recorded. From begin_recording to end_recording what the calling thread
  /// issues to the device's default stream is kept instead of run. What the host would have to wait
  /// for is an input error meanwhile, and the recording then comes to nothing (null).
  virtual bool can_record() const { return false; }
  virtual void begin_recording(Device) {}
  virtual std::unique_ptr<Recording> end_recording(Device) { return nullptr; }

  /// A further stream of the device.
  virtual Stream make_stream(Device device) = 0;
  /// Marks the end of the stream's work so far.
  virtual EventRef record(const Stream& stream) = 0;
  /// Work that is issued to the stream from now on runs after the event.
  virtual void wait(const Stream& stream, const EventRef& event) = 0;
  /// The host waits for an event, a stream's work so far, or that of all streams of a device.
  virtual void synchronize(const EventRef& event) = 0;
  virtual void synchronize(const Stream& stream) = 0;
  virtual void synchronize(Device device) = 0;
};

}  // namespace assay::core
