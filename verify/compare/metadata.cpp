#include "verify/compare/metadata.h"

#include <fmt/ranges.h>

#include "verify/compare/structure.h"

namespace assay::verify::compare_detail {

namespace {

/// "cuda" alone and "cuda:0" are one device where only one index exists.
bool same_device(core::Device a, core::Device b) {
  auto index = [](core::Device d) { return d.index < 0 ? 0 : d.index; };
  return a.type == b.type && index(a) == index(b);
}

bool same_strides(const core::Tensor& s, const core::Tensor& r) {
  for (size_t d = 0; d < r.sizes().size(); ++d) {
    if (r.size(d) > 1 && s.stride(d) != r.stride(d)) return false;
  }
  return true;
}

}  // namespace

void compare_metadata(const TensorPair& pair, Collector& out) {
  const core::Tensor &s = pair.subject, &r = pair.reference;
  out.count(Layer::dtype);
  if (s.dtype() != r.dtype()) {
    out.differ(Layer::dtype, pair.place, tensor_text(s), tensor_text(r));
  }
  out.count(Layer::shape);
  bool shaped = s.sizes() == r.sizes();
  if (!shaped) out.differ(Layer::shape, pair.place, tensor_text(s), tensor_text(r));
  if (out.options->device) {
    out.count(Layer::device);
    if (!same_device(s.device(), r.device())) {
      out.differ(Layer::device, pair.place, s.device().text(), r.device().text());
    }
  }
  if (out.options->strides && shaped && r.numel() > 0) {
    out.count(Layer::strides);
    if (!same_strides(s, r)) {
      out.differ(Layer::strides, pair.place, fmt::format("strides {}", s.strides()),
                 fmt::format("strides {}", r.strides()));
    }
  }
  if (out.options->gradients) {
    out.count(Layer::gradients);
    if (s.requires_grad() != r.requires_grad()) {
      auto text = [](const core::Tensor& t) {
        return t.requires_grad() ? "asks for gradients" : "asks for none";
      };
      out.differ(Layer::gradients, pair.place, text(s), text(r));
    }
  }
}

}  // namespace assay::verify::compare_detail
