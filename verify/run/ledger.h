#pragma once

#include "engine/ops/handler.h"
#include "verify/observation/observation.h"

namespace assay::verify {

/// The device ledger: counts operator calls, results made on each device, copies between devices
/// and reads that make the host wait.
class DeviceLedger : public ops::Handler {
 public:
  void answered(const ops::Operator& op, std::string_view kernel) override;
  void allocated(core::Device device, size_t bytes) override;
  void copied(core::Device from, core::Device to, size_t bytes) override;
  void synchronized(core::Device device) override;

  const DeviceUsage& counts() const { return counts_; }

 private:
  DeviceUsage counts_;
};

}  // namespace assay::verify
