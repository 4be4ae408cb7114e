#pragma once

#include "engine/ops/rule.h"

/// Rules of operators that read or write elements at indices given by other tensors, and of those
/// that map each result element to fixed indices of the argument (padding, resampling).
namespace assay::ops::infer {

/// x[i, :, j]: shape from the index tensors; from values where one is a mask.
extern const Rule index_tensor;
/// As the first argument, which is checked against the indices.
extern const Rule index_put, index_put_in_place;
extern const Rule index_select, gather, take;
/// As the first argument; the index has its rank and fits inside it and the source.
extern const Rule scatter, scatter_in_place;
/// As the first argument; a vector of indices along a dimension.
extern const Rule index_along, index_along_in_place, index_add_along, index_add_along_in_place;
extern const Rule index_fill, index_fill_in_place;
extern const Rule put, put_in_place;
/// The first two arguments broadcast; the dtype is the first's.
extern const Rule masked_fill, masked_scatter;
/// As the values, int64 or int32.
extern const Rule bucketize, searchsorted;

/// Sizes grow by pairs of (before, after) from the last dimension on.
extern const Rule reflection_pad, replication_pad;
/// The last 1, 2 or 3 dimensions become output_size.
extern const Rule upsample_1d, upsample_2d, upsample_3d, upsample_cubic_2d;
extern const Rule upsample_nearest_1d, upsample_nearest_2d, upsample_nearest_3d;
extern const Rule upsample_exact_1d, upsample_exact_2d, upsample_exact_3d;
/// Output size from a list of sizes or of scales.
extern const Rule upsample_vec, upsample_nearest_vec, upsample_exact_vec, upsample_cubic_vec;
extern const Rule grid_sampler, affine_grid_generator;
extern const Rule pixel_shuffle, pixel_unshuffle, channel_shuffle;
extern const Rule im2col, col2im;

}  // namespace assay::ops::infer
