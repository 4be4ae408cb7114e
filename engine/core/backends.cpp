#include "engine/core/backends.h"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/fake_device.h"
#include "engine/core/host_blocks.h"
#include "engine/core/late_work.h"

namespace assay::core {
namespace {

/// Everything is done when the host says so: streams have nothing to order.
class HostOrdered : public DeviceBackend {
 public:
  int count() const override { return 1; }
  Stream make_stream(Device device) override { return {device, ++streams_}; }
  EventRef record(const Stream&) override { return std::make_shared<Event>(); }
  void wait(const Stream&, const EventRef&) override {}
  void synchronize(const EventRef&) override {}
  void synchronize(const Stream&) override {}
  void synchronize(Device) override {}

 private:
  std::atomic<uint32_t> streams_{0};
};

class Cpu final : public HostOrdered {
 public:
  bool host_accessible() const override { return true; }
  std::byte* allocate(size_t nbytes, const Stream&) override {
    std::byte* data = take_host_block(nbytes);
    if (data == nullptr) {
      base::fail_for_want_of(base::Resource::memory, "not enough memory: you tried to allocate ",
                             nbytes, " bytes");
    }
    return data;
  }
  void free(std::byte* data, size_t nbytes, const Stream&) noexcept override {
    give_host_block(data, nbytes);
  }
  void copy_from_host(std::byte* to, const std::byte* from, size_t nbytes, const Stream&) override {
    std::memcpy(to, from, nbytes);
  }
  void copy_to_host(std::byte* to, const std::byte* from, size_t nbytes, const Stream&) override {
    std::memcpy(to, from, nbytes);
  }
  void copy(std::byte* to, const std::byte* from, Device, size_t nbytes, const Stream&) override {
    std::memcpy(to, from, nbytes);
  }
  void fill(std::byte* data, std::byte value, size_t nbytes, const Stream&) override {
    std::memset(data, static_cast<int>(value), nbytes);
  }
};

/// Has sizes and no bytes.
class Meta final : public HostOrdered {
 public:
  std::byte* allocate(size_t, const Stream&) override { return nullptr; }
  void free(std::byte*, size_t, const Stream&) noexcept override {}
  void copy_from_host(std::byte*, const std::byte*, size_t, const Stream&) override {}
  void copy_to_host(std::byte*, const std::byte*, size_t, const Stream&) override { no_bytes(); }
  void copy(std::byte*, const std::byte*, Device, size_t, const Stream&) override {}
  void fill(std::byte*, std::byte, size_t, const Stream&) override {}

 private:
  [[noreturn]] static void no_bytes() { base::fail("Cannot copy out of meta tensor; no data!"); }
};

using Backends = std::array<std::atomic<DeviceBackend*>, 4>;

/// Made when first asked for; never destroyed, since storages may outlive every other static
/// object.
Backends& backends() {
  static_assert(static_cast<int>(DeviceType::cpu) == 0 && static_cast<int>(DeviceType::meta) == 3);
  static auto* all = new Backends{new Cpu, nullptr, nullptr, new Meta};
  return *all;
}

std::string known_devices() {
  std::vector<std::string> known;
  for (size_t type = 0; type < backends().size(); ++type) {
    const DeviceBackend* backend = backends()[type];
    if (!backend) continue;
    Device first{static_cast<DeviceType>(type), -1};
    bool indexed = is_indexed(first.type);
    known.push_back(
        indexed ? fmt::format("{}:0 to {}:{}", first.text(), first.text(), backend->count() - 1)
                : first.text());
  }
  return base::join(known, ", ");
}

}  // namespace

void register_backend(DeviceType type, DeviceBackend& backend) {
  DeviceBackend* before = backends()[static_cast<size_t>(type)].exchange(&backend);
  base::invariant(!before || before == &backend, "two backends for ", Device{type}.text());
}

DeviceBackend* find_backend(DeviceType type) {
  return backends()[static_cast<size_t>(type)].load(std::memory_order_acquire);
}

// Backends live as long as the process, since tensors do.
void register_fake_devices(bool cuda) {
  static auto* fakes = new FakeDevices;
  register_backend(DeviceType::fake, *fakes);
  if (!cuda || find_backend(DeviceType::cuda)) return;
  static auto* fake_cuda = new FakeDevices;
  register_backend(DeviceType::cuda, *fake_cuda);
}

Device existing_device(Device device) {
  bool indexed = is_indexed(device.type);
  int index = device.index < 0 ? 0 : device.index;
  const DeviceBackend* backend = find_backend(device.type);
  if (!backend || index >= backend->count()) [[unlikely]] {  // The text takes long to make.
    base::fail("device ", device.text(), " is not there; there are ", known_devices());
  }
  return {device.type, static_cast<int8_t>(indexed ? index : -1)};
}

DeviceBackend& backend_of(Device device) {
  existing_device(device);
  return *find_backend(device.type);
}

void copy_bytes(std::byte* to, const Stream& target, const std::byte* from, const Stream& source,
                size_t nbytes) {
  if (nbytes == 0) return;
  LateWork::finish_all();
  DeviceBackend &into = backend_of(target.device), &out_of = backend_of(source.device);
  if (into.host_accessible()) {
    out_of.copy_to_host(to, from, nbytes, source);
    return out_of.synchronize(source);
  }
  if (out_of.host_accessible()) {
    into.copy_from_host(to, from, nbytes, target);
    return into.synchronize(target);
  }
  if (&into != &out_of) {
    std::vector<std::byte> between(nbytes);
    out_of.copy_to_host(between.data(), from, nbytes, source);
    out_of.synchronize(source);
    into.copy_from_host(to, between.data(), nbytes, target);
    return into.synchronize(target);
  }
  into.wait(target, into.record(source));
  into.copy(to, from, source.device, nbytes, target);
  into.wait(source, into.record(target));
}

}  // namespace assay::core
