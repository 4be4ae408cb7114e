#include "engine/core/device.h"

#include <fmt/core.h>

#include "engine/base/text.h"

namespace assay::core {
namespace {

struct Name {
  DeviceType type;
  std::string_view text;
};

constexpr Name names[] = {
    {DeviceType::cpu, "cpu"},
    {DeviceType::cuda, "cuda"},
    {DeviceType::fake, "fake"},
    {DeviceType::meta, "meta"},
};

}  // namespace

std::string Device::text() const {
  for (const Name& n : names) {
    if (n.type != type) continue;
    return index < 0 ? std::string(n.text) : fmt::format("{}:{}", n.text, static_cast<int>(index));
  }
  return "unknown";
}

std::optional<Device> parse_device(std::string_view text) {
  std::string_view kind = text.substr(0, text.find(':'));
  for (const Name& n : names) {
    if (n.text != kind) continue;
    if (kind.size() == text.size()) return Device{n.type, -1};
    int64_t index = 0;
    if (!base::parse_int(text.substr(kind.size() + 1), index)) return std::nullopt;
    if (index < 0 || index > 127) return std::nullopt;
    // torch.device("cpu:0") names the one CPU.
    if (n.type == DeviceType::cpu && index == 0) return Device{n.type, -1};
    return Device{n.type, static_cast<int8_t>(index)};
  }
  return std::nullopt;
}

}  // namespace assay::core
