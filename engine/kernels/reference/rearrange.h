#pragma once

#include <vector>

#include "engine/core/tensor.h"

namespace assay::kernels::reference {

/// Per dimension of a result, the place in the source that each of its places is taken from.
using PlaceTable = std::vector<std::vector<int64_t>>;

/// out[i, j, ...] = self[table[0][i], table[1][j], ...]; both have the table's rank and one dtype.
void copy_rearranged(const core::Tensor& out, const core::Tensor& self, const PlaceTable& table);

/// Each place from itself.
PlaceTable same_places(const core::Tensor& t);

}  // namespace assay::kernels::reference
