#include <fmt/core.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;

/// What torch.nn.functional.interpolate is asked for.
struct Request {
  Tensor input;
  Value size;   ///< int, int[] or None
  Value scale;  ///< float, float[] or None
  std::string mode = "nearest";
  Value align_corners;
  bool recompute = false;
  bool antialias = false;
};

/// A number, once per spatial dimension; or the list itself.
std::vector<double> repeated(const Value& v, size_t spatial, const char* what) {
  if (v.is_none()) return {};
  if (!v.is_list()) return std::vector<double>(spatial, v.to_scalar().to_double());
  std::vector<double> out;
  for (const Value& item : v.list().items) out.push_back(item.to_scalar().to_double());
  base::check(out.size() == spatial, what, " shape must match input shape. Input is ", spatial,
              "D, ", what, " size is ", out.size());
  return out;
}

Value float_list(const std::vector<double>& items) {
  if (items.empty()) return {};
  core::Values values(items.begin(), items.end());
  return core::make_list(core::simple_type(core::TypeKind::floating), std::move(values));
}

/// The sizes of the result, where they are asked for or must be computed here.
Value output_size(const Request& r, size_t spatial, const std::vector<double>& scales) {
  Dims sizes;
  if (!r.size.is_none()) {
    for (double s : repeated(r.size, spatial, "size")) sizes.push_back(static_cast<int64_t>(s));
  } else {
    for (size_t i = 0; i < spatial; ++i) {
      double size = std::floor(static_cast<double>(r.input.size(i + 2)) * scales[i]);
      base::check(size >= 0 && size < 0x1p62, "interpolate: the scale ", scales[i],
                  " gives no valid size");
      sizes.push_back(static_cast<int64_t>(size));
    }
  }
  return core::make_int_list(sizes);
}

Value interpolate(const Call& c, const Request& r) {
  base::check(r.input.dim() >= 3 && r.input.dim() <= 5,
              "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", r.input.dim(),
              "D) for the modes: nearest | linear | bilinear | bicubic | trilinear (got ", r.mode,
              ")");
  auto spatial = static_cast<size_t>(r.input.dim() - 2);
  base::check(r.size.is_none() || r.scale.is_none(),
              "only one of size or scale_factor should be defined");
  base::check(!r.size.is_none() || !r.scale.is_none(),
              "either size or scale_factor should be defined");
  std::vector<double> scales = repeated(r.scale, spatial, "scale_factor");
  bool nearest = r.mode == "nearest" || r.mode == "nearest-exact" || r.mode == "area";
  base::check(
      !nearest || r.align_corners.is_none(),
      "align_corners option can only be set with the interpolating modes: linear | bilinear "
      "| bicubic | trilinear");
  bool sized = !r.size.is_none() || r.recompute || r.mode == "area";
  Value size = sized ? output_size(r, spatial, scales) : Value();
  Value scale = sized ? Value() : float_list(scales);
  std::string rank = fmt::format("{}d", spatial);
  if (r.mode == "area") {
    return c.call("aten::adaptive_avg_pool" + rank, {r.input, size});
  }
  if (r.mode == "nearest")
    return c.call("aten::upsample_nearest" + rank + ".vec", {r.input, size, scale});
  if (r.mode == "nearest-exact") {
    return c.call("aten::_upsample_nearest_exact" + rank + ".vec", {r.input, size, scale});
  }
  Value align = !r.align_corners.is_none() && r.align_corners.to_bool();
  const char* name =
      r.mode == "linear" && spatial == 1      ? "aten::upsample_linear1d.vec"
      : r.mode == "trilinear" && spatial == 3 ? "aten::upsample_trilinear3d.vec"
      : r.mode == "bilinear" && spatial == 2
          ? (r.antialias ? "aten::_upsample_bilinear2d_aa.vec" : "aten::upsample_bilinear2d.vec")
      : r.mode == "bicubic" && spatial == 2
          ? (r.antialias ? "aten::_upsample_bicubic2d_aa.vec" : "aten::upsample_bicubic2d.vec")
          : nullptr;
  base::check(name != nullptr, "Got ", spatial + 2, "D input, but mode '", r.mode,
              "' does not fit it");
  return c.call(name, {r.input, size, align, scale});
}

void interpolate_any(Call& c) {
  Request r{c.tensor(arg::input), c.value(arg::size), c.value(arg::scale_factor),
            c.string(arg::mode), c.value(arg::align_corners)};
  r.recompute = !c.is_none(arg::recompute_scale_factor) && c.boolean(arg::recompute_scale_factor);
  r.antialias = c.boolean(arg::antialias);
  c.finish(interpolate(c, r));
}
void upsample_any(Call& c) {
  c.finish(interpolate(c, {c.tensor(arg::input), c.value(arg::size), c.value(arg::scale_factor),
                           c.string(arg::mode), c.value(arg::align_corners)}));
}
void upsample_nearest(Call& c) {
  c.finish(interpolate(c, {c.tensor(arg::input), c.value(arg::size), c.value(arg::scale_factor),
                           "nearest", Value()}));
}
void upsample_bilinear(Call& c) {
  c.finish(interpolate(
      c, {c.tensor(arg::input), c.value(arg::size), c.value(arg::scale_factor), "bilinear", true}));
}

constexpr Kernel interpolate_table[] = {
    {"aten::__interpolate", interpolate_any},
    {"aten::__interpolate.size_list", interpolate_any},
    {"aten::__interpolate.scale_list", interpolate_any},
    {"aten::__interpolate.size_list_scale_list", interpolate_any},
    {"aten::__upsample", upsample_any},
    {"aten::__upsample.size_list", upsample_any},
    {"aten::__upsample_nearest", upsample_nearest},
    {"aten::__upsample_nearest.size_list", upsample_nearest},
    {"aten::__upsample_bilinear", upsample_bilinear},
    {"aten::__upsample_bilinear.size_list", upsample_bilinear},
    {"aten::__upsample_bilinear.scale_list", upsample_bilinear},
    {"aten::__upsample_bilinear.size_list_scale_list", upsample_bilinear},
};

}  // namespace

std::span<const Kernel> interpolate_composites() { return interpolate_table; }

}  // namespace assay::ops::composite
