#include "engine/core/fake_device.h"

#include <cstring>

#include "engine/base/error.h"

namespace assay::core {
namespace {

/// Devices, by type and index, whose memory this thread's kernels have open.
constinit thread_local uint32_t opened = 0;

uint32_t bit_of(Device device) {
  int first = device.type == DeviceType::cuda ? 0 : max_devices;
  return uint32_t{1} << (first + device.index);
}

}  // namespace

struct FakeDevices::Mark final : Event {
  Mark(const Stream& marked, uint64_t works) : stream(marked), done(works) {}
  Stream stream;
  uint64_t done;
};

std::byte* FakeDevices::allocate(size_t nbytes, const Stream& stream) {
  return machine(stream.device).arena.allocate(nbytes);
}

void FakeDevices::free(std::byte* data, size_t, const Stream& stream) noexcept {
  Machine& m = machine(stream.device);
  {
    std::lock_guard lock(m.mutex);
    for (const auto& q : m.streams) {
      if (!q->waiting.empty()) return m.retired.push_back(data);
    }
  }
  m.arena.free(data);
}

void FakeDevices::copy_from_host(std::byte* to, const std::byte* from, size_t nbytes,
                                 const Stream& stream) {
  issue(stream, [=] { std::memcpy(to, from, nbytes); });
}

void FakeDevices::copy_to_host(std::byte* to, const std::byte* from, size_t nbytes,
                               const Stream& stream) {
  issue(stream, [=] { std::memcpy(to, from, nbytes); });
}

void FakeDevices::copy(std::byte* to, const std::byte* from, Device source, size_t nbytes,
                       const Stream& stream) {
  issue(stream, [this, to, from, source, nbytes] {
    ArenaAccess access(machine(source).arena);
    std::memcpy(to, from, nbytes);
  });
}

void FakeDevices::fill(std::byte* data, std::byte value, size_t nbytes, const Stream& stream) {
  issue(stream, [=] { std::memset(data, static_cast<int>(value), nbytes); });
}

Stream FakeDevices::make_stream(Device device) {
  Machine& m = machine(device);
  std::lock_guard lock(m.mutex);
  m.streams.push_back(std::make_unique<Queue>());
  return {device, static_cast<uint32_t>(m.streams.size())};
}

FakeDevices::Queue& FakeDevices::queue(const Stream& stream) {
  return *machine(stream.device).streams.at(stream.number - 1);
}

void FakeDevices::issue(const Stream& stream, Work work) {
  Machine& m = machine(stream.device);
  Work opened_work = [&m, run = std::move(work)] {
    ArenaAccess access(m.arena);
    run();
  };
  if (stream.number == 0) return opened_work();
  std::lock_guard lock(m.mutex);
  queue(stream).waiting.push_back(std::move(opened_work));
}

void FakeDevices::run_until(const Stream& stream, uint64_t done) {
  Machine& m = machine(stream.device);
  for (;;) {
    Work next;
    {
      std::lock_guard lock(m.mutex);
      Queue& q = queue(stream);
      if (q.done >= done || q.waiting.empty()) break;
      next = std::move(q.waiting.front());
      q.waiting.pop_front();
      ++q.done;
    }
    next();
  }
  release_retired(m);
}

void FakeDevices::release_retired(Machine& m) {
  std::lock_guard lock(m.mutex);
  for (const auto& q : m.streams) {
    if (!q->waiting.empty()) return;
  }
  for (std::byte* data : m.retired) m.arena.free(data);
  m.retired.clear();
}

EventRef FakeDevices::record(const Stream& stream) {
  if (stream.number == 0) return std::make_shared<Mark>(stream, 0);
  std::lock_guard lock(machine(stream.device).mutex);
  const Queue& q = queue(stream);
  return std::make_shared<Mark>(stream, q.done + q.waiting.size());
}

void FakeDevices::wait(const Stream& stream, const EventRef& event) {
  const auto& mark = static_cast<const Mark&>(*event);
  if (mark.stream.number == 0) return;  // All of its work has run.
  Machine& m = machine(stream.device);
  if (stream.number == 0) return synchronize(event);
  std::lock_guard lock(m.mutex);
  queue(stream).waiting.push_back([this, event] { synchronize(event); });
}

void FakeDevices::synchronize(const EventRef& event) {
  const auto& mark = static_cast<const Mark&>(*event);
  if (mark.stream.number != 0) run_until(mark.stream, mark.done);
}

void FakeDevices::synchronize(const Stream& stream) {
  if (stream.number != 0) run_until(stream, UINT64_MAX);
}

void FakeDevices::synchronize(Device device) {
  size_t streams = 0;
  {
    std::lock_guard lock(machine(device).mutex);
    streams = machine(device).streams.size();
  }
  for (size_t i = 1; i <= streams; ++i) synchronize(Stream{device, static_cast<uint32_t>(i)});
}

bool FakeDevices::set_open(Device device, bool open) {
  uint32_t bit = bit_of(device);
  bool before = (opened & bit) != 0;
  if (open == before) return before;
  opened ^= bit;
  if (open)
    machine(device).arena.open();
  else
    machine(device).arena.close();
  return before;
}

void FakeDevices::launch(const Stream& stream, std::function<void()> kernel) {
  issue(stream, [this, stream, run = std::move(kernel)] {
    KernelScope scope(*this, stream.device, true);
    run();
  });
}

// Backends live as long as the process, since tensors do.
void register_fake_devices(bool cuda) {
  static auto* fakes = new FakeDevices;
  register_backend(DeviceType::fake, *fakes);
  if (!cuda || find_backend(DeviceType::cuda)) return;
  static auto* fake_cuda = new FakeDevices;
  register_backend(DeviceType::cuda, *fake_cuda);
}

}  // namespace assay::core
