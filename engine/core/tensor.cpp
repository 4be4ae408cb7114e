#include "engine/core/tensor.h"

#include <algorithm>

#include "engine/base/error.h"

namespace assay::core {
namespace {

/// Bytes of so many elements.
size_t bytes_of(int64_t elements, DimSpan sizes, DType dtype) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, static_cast<int64_t>(size_of(dtype)), &bytes)) {
    base::fail("a tensor of shape ", sizes, " needs more bytes than 64 bits can count");
  }
  return static_cast<size_t>(bytes);
}

Tensor make(StorageRef storage, int64_t offset, DimSpan sizes, DimSpan strides, DType dtype) {
  auto impl = base::make_ref<TensorImpl>();
  impl->storage = std::move(storage);
  impl->offset = offset;
  impl->sizes = sizes;
  impl->strides = strides;
  impl->numel = numel(sizes);
  impl->dtype = dtype;
  return Tensor(std::move(impl));
}

/// The number of elements. Input error on a negative size and on overflow.
int64_t check_sizes(DimSpan sizes) {
  for (int64_t size : sizes) {
    base::check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  return numel(sizes);
}

}  // namespace

Tensor Tensor::empty(DimSpan sizes, DType dtype, Device device) {
  int64_t count = check_sizes(sizes);
  auto impl = base::make_ref<TensorImpl>();
  impl->sizes = sizes;
  if (sizes.size() == 1) {
    impl->strides.push_back(1);
  } else if (!sizes.empty()) {
    impl->strides = contiguous_strides(sizes);
  }
  impl->numel = count;
  impl->dtype = dtype;
  impl->storage = Storage::allocate(bytes_of(impl->numel, sizes, dtype), device);
  return Tensor(std::move(impl));
}

Tensor Tensor::empty_strided(DimSpan sizes, DimSpan strides, DType dtype, Device device) {
  check_sizes(sizes);
  base::check(sizes.size() == strides.size(),
              "mismatch in length of strides and shape: ", strides.size(), " strides, ",
              sizes.size(), " sizes");
  for (int64_t stride : strides) {
    base::check(stride >= 0, "as_strided: Negative strides are not supported, got ", strides);
  }
  auto storage = Storage::allocate(bytes_of(extent(sizes, strides).high, sizes, dtype), device);
  return make(std::move(storage), 0, sizes, strides, dtype);
}

Tensor Tensor::view_of(StorageRef storage, int64_t offset, DimSpan sizes, DimSpan strides,
                       DType dtype) {
  check_sizes(sizes);
  Extent e = extent(sizes, strides);
  auto item = static_cast<int64_t>(size_of(dtype));
  bool inside = offset >= 0 && offset <= max_reach && offset + e.low >= 0 &&
                (e.high == 0 || offset + e.high <= static_cast<int64_t>(storage->nbytes()) / item);
  base::check(inside, "setStorage: sizes ", sizes, ", strides ", strides, ", storage offset ",
              offset, " and itemsize ", item, " are out of bounds for storage of size ",
              storage->nbytes());
  return make(std::move(storage), offset, sizes, strides, dtype);
}

Tensor Tensor::view(DimSpan sizes, DimSpan strides, int64_t offset) const {
  return view_of(impl_->storage, offset, sizes, strides, impl_->dtype);
}

void Tensor::wrong_element_type(DType wanted) const {
  base::unreachable("elements of ", script_name(impl_->dtype), " were asked for as ",
                    script_name(wanted));
}

void Tensor::wrong_word_size(size_t wanted) const {
  base::unreachable("elements of ", script_name(impl_->dtype), " were asked for as words of ",
                    wanted, " bytes");
}

Tensor Tensor::alias() const {
  return make(impl_->storage, impl_->offset, impl_->sizes, impl_->strides, impl_->dtype);
}

void Tensor::assign(const Tensor& other) const {
  impl_->storage = other.impl_->storage;
  impl_->offset = other.impl_->offset;
  impl_->sizes = other.impl_->sizes;
  impl_->strides = other.impl_->strides;
  impl_->numel = other.impl_->numel;
  impl_->dtype = other.impl_->dtype;
  impl_->extensions.set(TensorExtension::sizes, nullptr);  // They were those of the old sizes.
}

}  // namespace assay::core
