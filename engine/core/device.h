#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::core {

/// Kinds of devices. `fake` keeps its bytes in host memory but obeys every rule of a separate
/// device; `cuda` does the same where an engine was asked for fake CUDA. `meta` has no bytes.
enum class DeviceType : int8_t { cpu, cuda, fake, meta };

/// Devices of one type that a machine may have at most.
constexpr int max_devices = 16;

/// A device. An index of -1 means "the current one" (`cuda`); `cpu` and `meta` have none.
struct Device {
  DeviceType type = DeviceType::cpu;
  int8_t index = -1;

  /// "cpu", "cuda:0".
  std::string text() const;
  friend bool operator==(const Device& a, const Device& b) {
    return a.type == b.type && a.index == b.index;
  }
};

/// Whether a machine may have several devices of the type, told apart by their index.
constexpr bool is_indexed(DeviceType type) {
  return type == DeviceType::cuda || type == DeviceType::fake;
}

/// From "cpu", "cuda", "cuda:1", "fake:0", "meta"; nothing on anything else.
std::optional<Device> parse_device(std::string_view text);

}  // namespace assay::core
