#pragma once

#include "verify/properties/property.h"

namespace assay::verify {

/// On another device the subject gives what it gives on the CPU, on that device: held against the
/// reference on the CPU where there is one, else against the subject itself.
class DevicePortable : public Property {
 public:
  std::string_view id() const override { return "device_portable"; }
  std::string not_applicable(const PropertyContext& context) const override;
  /// Those on another device than the CPU.
  bool concerns(const PropertyContext& context, const Case& c) const override;
  Judgement judge(const PropertyContext& context, const Case& c) const override;
};

/// A copy of the value with every tensor on `device`; storages stay shared as they were.
core::Value relocated(const core::Value& value, core::Device device);

}  // namespace assay::verify
