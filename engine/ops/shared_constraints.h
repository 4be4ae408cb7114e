#pragma once

#include "engine/ops/argument_names.h"
#include "engine/ops/constraint.h"

/// Constraints that several rows share, by the names that stand in those rows.
namespace assay::ops::constraints {

using namespace dtypes;

/// Floating `self`, `input`; PyTorch's CPU kernels lack float16.
inline constexpr auto floating_self =
    require<types(arg::self, floating), cpu_types(arg::self, floating - float16)>;
inline constexpr auto floating_input =
    require<types(arg::input, floating), cpu_types(arg::input, floating - float16)>;
/// As floating_self, or int64.
inline constexpr auto floating_or_long_self =
    require<types(arg::self, floating | int64), cpu_types(arg::self, (floating - float16) | int64)>;

/// What a quantized tensor can be made of.
inline constexpr auto quantizable = require<types(arg::self, floating - bfloat16)>;

/// Images of n spatial dimensions, with or without a batch.
template <int64_t n>
inline constexpr auto image = require<rank(arg::self, n + 1, n + 2)>;
/// Windows of pooling.
inline constexpr auto windows =
    require<at_least(arg::kernel_size, 1), at_least(arg::stride, 1), at_least(arg::padding, 0)>;
inline constexpr auto dilated_windows =
    require<at_least(arg::kernel_size, 1), at_least(arg::stride, 1), at_least(arg::padding, 0),
            at_least(arg::dilation, 1)>;
inline constexpr auto pooled_sizes = require<at_least(arg::output_size, 0)>;
/// Windows of one size at random positions.
inline constexpr auto random_windows =
    require<at_least(arg::kernel_size, 1), at_least(arg::output_size, 0),
            rank(arg::random_samples, 3, 3)>;
/// Where the elements of n-dimensional images came from.
template <int64_t n>
inline constexpr auto unpooled = require<types(arg::indices, int64), length(arg::output_size, n, n),
                                         at_least(arg::output_size, 0)>;

/// Filters of a convolution, and its input's element types; transposed ones have fewer.
inline constexpr auto filters =
    require<at_least(arg::stride, 1), at_least(arg::dilation, 1), at_least(arg::groups, 1),
            same_type(arg::weight, arg::input), same_type(arg::bias, arg::input)>;
inline constexpr auto convolved =
    require<types(arg::input, all - boolean), cpu_types(arg::input, all - boolean - float16)>;
inline constexpr auto transposed =
    require<types(arg::input, floating | int64),
            cpu_types(arg::input, (floating - float16) | int64), at_least(arg::output_padding, 0)>;
inline constexpr auto padded = require<at_least(arg::padding, 0)>;

/// Recurrent layers: everything is of the input's element type.
inline constexpr auto layers =
    require<same_type(arg::params, arg::input), same_type(arg::hx, arg::input),
            rank(arg::input, 3, 3), rank(arg::hx, 3, 3), at_least(arg::num_layers, 1),
            length(arg::params, 1, INT64_MAX)>;
inline constexpr auto packed_layers =
    require<same_type(arg::params, arg::data), same_type(arg::hx, arg::data), rank(arg::data, 2, 2),
            rank(arg::hx, 3, 3), types(arg::batch_sizes, int64), rank(arg::batch_sizes, 1, 1),
            at_least(arg::num_layers, 1), length(arg::params, 1, INT64_MAX)>;
inline constexpr auto cell =
    require<same_type(arg::hx, arg::input), same_type(arg::w_ih, arg::input),
            same_type(arg::w_hh, arg::input), same_type(arg::b_ih, arg::input),
            same_type(arg::b_hh, arg::input), rank(arg::input, 2, 2), rank(arg::hx, 2, 2),
            rank(arg::w_ih, 2, 2), rank(arg::w_hh, 2, 2)>;

/// Rows of a table that are reduced by bags.
inline constexpr auto bags =
    require<types(arg::weight, floating), rank(arg::weight, 2, 2),
            types(arg::indices, int32 | int64), types(arg::offsets, int32 | int64),
            same_type(arg::per_sample_weights, arg::weight)>;

/// Regions (image, x1, y1, x2, y2) of images.
inline constexpr auto regions =
    require<rank(arg::input, 4, 4), rank(arg::rois, 2, 2), same_type(arg::rois, arg::input),
            types(arg::input, floating), cpu_types(arg::input, floating - bfloat16),
            at_least(arg::pooled_height, 0), at_least(arg::pooled_width, 0)>;
/// Filters whose taps are moved.
inline constexpr auto deformed =
    require<rank(arg::input, 4, 4), rank(arg::weight, 4, 4), rank(arg::offset, 4, 4),
            types(arg::input, floating), cpu_types(arg::input, floating - float16 - bfloat16),
            same_type(arg::weight, arg::input), same_type(arg::offset, arg::input),
            same_type(arg::mask, arg::input), same_type(arg::bias, arg::input),
            at_least(arg::stride_h, 1), at_least(arg::stride_w, 1), at_least(arg::pad_h, 0),
            at_least(arg::pad_w, 0), at_least(arg::dilation_h, 1), at_least(arg::dilation_w, 1),
            at_least(arg::groups, 1), at_least(arg::offset_groups, 1)>;

}  // namespace assay::ops::constraints
