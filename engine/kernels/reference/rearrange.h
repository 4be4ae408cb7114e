#pragma once

#include <vector>

#include "engine/core/tensor.h"

namespace assay::kernels::reference {

/// Per dimension of a result, the index in the source that each of its indices is taken from.
using IndexTable = std::vector<std::vector<int64_t>>;

/// out[i, j, ...] = self[table[0][i], table[1][j], ...]; both have the table's rank and one dtype.
void copy_rearranged(const core::Tensor& out, const core::Tensor& self, const IndexTable& table);

/// Each index from itself.
IndexTable identity_indices(const core::Tensor& t);

}  // namespace assay::kernels::reference
