#pragma once

#include <cstddef>

#include "engine/core/device.h"
#include "engine/core/device_backend.h"

namespace assay::core {

/// Says which backend a type of device has, once per process, as hardware is the process's. `cpu`
/// and `meta` are known from the start. The backend must live as long as the process.
void register_backend(DeviceType type, DeviceBackend& backend);
/// Null if the type has none.
DeviceBackend* find_backend(DeviceType type);
/// The device with an index (`cuda` means `cuda:0`). Input error if it is not there.
Device existing_device(Device device);
/// The backend of a device that is there.
DeviceBackend& backend_of(Device device);

/// Copies bytes between any two devices, in the order of both streams; each address is as its
/// device sees it. The host waits where it takes part.
void copy_bytes(std::byte* to, const Stream& target, const std::byte* from, const Stream& source,
                size_t nbytes);

/// Makes `fake` devices known to the process and, with `cuda`, fakes under that name, too, unless
/// `cuda` has a backend already.
void register_fake_devices(bool cuda);

}  // namespace assay::core
