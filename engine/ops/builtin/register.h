#pragma once

#include "engine/ops/kernel_table.h"

namespace assay::ops::builtin {

/// Adds Python's builtin functions and methods of numbers, texts, lists and dictionaries; they run
/// wherever the program runs and touch no device.
void register_kernels(KernelTable& table);

}  // namespace assay::ops::builtin
