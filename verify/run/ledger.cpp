#include "verify/run/ledger.h"

#include "engine/ops/catalog.h"

namespace assay::verify {

void DeviceLedger::answered(const ops::Operator& op, std::string_view) {
  ++counts_.operators[op.qualified_name];
}

void DeviceLedger::allocated(core::Device device, size_t) { ++counts_.devices[device.text()]; }

void DeviceLedger::copied(core::Device, core::Device, size_t) { ++counts_.copies; }

void DeviceLedger::synchronized(core::Device device) {
  // The host never waits for itself.
  if (device.type != core::DeviceType::cpu) ++counts_.syncs;
}

}  // namespace assay::verify
