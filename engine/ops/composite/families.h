#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::ops::composite {

// The composites of each family; a family is one or more files of this folder.
std::span<const Kernel> attention_composites();
std::span<const Kernel> creation_composites();
std::span<const Kernel> dropout_composites();
std::span<const Kernel> einsum_composites();
std::span<const Kernel> factorization_composites();
std::span<const Kernel> fourier_composites();
std::span<const Kernel> gradient_composites();
std::span<const Kernel> indexing_composites();
std::span<const Kernel> interpolate_composites();
std::span<const Kernel> loss_composites();
std::span<const Kernel> normalization_composites();
std::span<const Kernel> product_composites();
std::span<const Kernel> readout_composites();
std::span<const Kernel> sequence_composites();
std::span<const Kernel> shape_composites();
std::span<const Kernel> statistics_composites();
std::span<const Kernel> tensor_value_composites();
std::span<const Kernel> transfer_composites();

}  // namespace assay::ops::composite
