#include "engine/kernels/reference/groups.h"

#include <algorithm>

#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {

using core::Tensor;

namespace {

/// The same elements with the reduced dimensions last.
Tensor reduced_last(const Tensor& t, const std::vector<bool>& reduced) {
  core::Dims sizes, strides;
  for (bool inner : {false, true}) {
    for (size_t d = 0; d < reduced.size(); ++d) {
      if (reduced[d] != inner) continue;
      sizes.push_back(t.size(d));
      strides.push_back(t.stride(d));
    }
  }
  return t.view(sizes, strides, t.offset());
}

std::vector<bool> only(int64_t dim, const Tensor& t) {
  std::vector<bool> reduced(static_cast<size_t>(t.dim()), false);
  if (t.dim() > 0) reduced[static_cast<size_t>(core::wrap_dim(dim, t.dim()))] = true;
  return reduced;
}

}  // namespace

template <typename C>
Groups<C>::Groups(const Tensor& t, core::DType as, const std::vector<bool>& reduced) {
  gather(t, as, reduced);
}

template <typename C>
Groups<C>::Groups(const Tensor& t, core::DType as, int64_t dim) {
  gather(t, as, only(dim, t));
}

template <typename C>
void Groups<C>::gather(const Tensor& t, core::DType as, const std::vector<bool>& reduced) {
  for (size_t d = 0; d < reduced.size(); ++d) {
    (reduced[d] ? length_ : count_) *= static_cast<size_t>(t.size(d));
  }
  values_ = std::make_unique<C[]>(static_cast<size_t>(t.numel()));
  Tensor view = reduced_last(t, reduced);
  WideReader reader(t.dtype(), as);
  C* into = values_.get();
  common::StridedLoop<1> loop(view.sizes(), {view}, true);
  loop.run([&](const auto& at, const auto& step, int64_t count) {
    for (int64_t begin = 0; begin < count; begin += WideReader::block) {
      int64_t n = std::min(WideReader::block, count - begin);
      reader.read(at[0] + begin * step[0], step[0], core::dtype_of<C>,
                  reinterpret_cast<std::byte*>(into), n);
      into += n;
    }
  });
}

static void check_count(size_t values, const Tensor& out) {
  base::invariant(static_cast<int64_t>(values) == out.numel(), "a kernel made ", values,
                  " values for ", out.numel(), " elements");
}

template <typename R>
void write_results(const Tensor& out, std::span<const R> values) {
  check_count(values.size(), out);
  auto* from = reinterpret_cast<std::byte*>(const_cast<R*>(values.data()));
  common::convert({core::dtype_of<R>, from, sizeof(R)},
                  {out.dtype(), out.device_address(), static_cast<int64_t>(out.item_size())},
                  out.numel());
}

template <typename R>
void write_groups(const Tensor& out, int64_t dim, std::span<const R> values) {
  check_count(values.size(), out);
  Tensor view = reduced_last(out, only(dim, out));
  auto* from = reinterpret_cast<std::byte*>(const_cast<R*>(values.data()));
  common::StridedLoop<1> loop(view.sizes(), {view}, true);
  loop.run([&](const auto& at, const auto& step, int64_t count) {
    common::convert({core::dtype_of<R>, from, sizeof(R)}, {out.dtype(), at[0], step[0]}, count);
    from += count * static_cast<int64_t>(sizeof(R));
  });
}

template class Groups<int64_t>;
template class Groups<double>;
template class Groups<core::Complex128>;
#define INSTANTIATE(type)                                                  \
  template void write_results<type>(const Tensor&, std::span<const type>); \
  template void write_groups<type>(const Tensor&, int64_t, std::span<const type>);
INSTANTIATE(bool)
INSTANTIATE(int64_t)
INSTANTIATE(double)
INSTANTIATE(core::Complex128)
#undef INSTANTIATE

}  // namespace assay::kernels::reference
