#include "engine/core/fake_device.h"

#include <cstring>
#include <unordered_set>

#include "engine/base/error.h"
#include "engine/base/restore.h"

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

/// Kernels keep alive the tensors that they use; what copies use is freed with the recording.
class FakeDevices::Take final : public Recording {
 public:
  explicit Take(ProtectedArena& arena) : arena_(arena) {}
  ~Take() override {
    works.clear();
    for (std::byte* data : retired) arena_.free(data);
  }
  void run(const Stream&) override {
    for (const Work& work : works) work();
  }
  bool owns(const std::byte* data) const override { return allocated.count(data) != 0; }

  std::vector<Work> works;
  std::unordered_set<const std::byte*> allocated;
  std::vector<std::byte*> retired;

 private:
  ProtectedArena& arena_;
};

FakeDevices::FakeDevices() = default;
FakeDevices::~FakeDevices() = default;

bool FakeDevices::records(Device device) {
  Machine& m = machine(device);
  return m.take && m.recorder == std::this_thread::get_id();
}

void FakeDevices::refuse_while_recording(Device device) {
  base::check(!records(device), "the host cannot wait for work that is recorded");
}

void FakeDevices::begin_recording(Device device) {
  Machine& m = machine(device);
  base::check(!m.take, "work of ", device.text(), " is recorded already");
  m.recorder = std::this_thread::get_id();
  m.take = std::make_unique<Take>(m.arena);
}

std::unique_ptr<Recording> FakeDevices::end_recording(Device device) {
  return std::move(machine(device).take);
}

std::byte* FakeDevices::allocate(size_t nbytes, const Stream& stream) {
  Machine& m = machine(stream.device);
  std::byte* data = m.arena.allocate(nbytes);
  if (records(stream.device)) m.take->allocated.insert(data);
  return data;
}

void FakeDevices::free(std::byte* data, size_t, const Stream& stream) noexcept {
  Machine& m = machine(stream.device);
  if (records(stream.device)) return m.take->retired.push_back(data);
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
  refuse_while_recording(stream.device);
  issue(stream, [=] { std::memcpy(to, from, nbytes); });
}

void FakeDevices::copy_to_host(std::byte* to, const std::byte* from, size_t nbytes,
                               const Stream& stream) {
  refuse_while_recording(stream.device);
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
  if (records(stream.device)) return machine(stream.device).take->works.push_back(opened_work);
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
  refuse_while_recording(stream.device);
  if (stream.number != 0) run_until(stream, UINT64_MAX);
}

void FakeDevices::synchronize(Device device) {
  refuse_while_recording(device);
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

bool FakeDevices::defers(const Stream& stream) {
  return stream.number != 0 || records(stream.device);
}

void FakeDevices::launch(const Stream& stream, std::function<void()> kernel) {
  issue(stream, [device = stream.device, run = std::move(kernel)] {
    base::Restore open(opened, opened | bit_of(device));
    run();
  });
}

}  // namespace assay::core
