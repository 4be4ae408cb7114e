#pragma once

namespace assay::kernels::cuda {

/// Makes the machine's NVIDIA GPUs known as `cuda:0` and on, where the system has a driver for
/// them. Nothing is asked of the driver before a device is used.
void register_devices();

}  // namespace assay::kernels::cuda
