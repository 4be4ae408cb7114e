#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/base/ref.h"
#include "engine/core/device.h"
#include "engine/core/dtype.h"
#include "engine/core/shape.h"
#include "engine/core/storage.h"
#include "engine/core/tensor_extensions.h"

namespace assay::core {

/// What a tensor is: a view (offset, sizes, strides, in elements) of a storage.
struct TensorImpl final : public base::RefCounted {
  /// Written out, because `new TensorImpl()` would first zero what the members leave open.
  TensorImpl() {}

  StorageRef storage;
  int64_t offset = 0;
  Dims sizes;
  Dims strides;
  int64_t numel = 1;
  DType dtype = DType::float32;
  bool requires_grad = false;
  /// A number that became a 0-dimensional tensor (PyTorch's wrapped number): it takes part in type
  /// promotion as a Python number does.
  bool wrapped_number = false;
  /// The object that stands for this tensor in a host language, while there is one: it owns the
  /// tensor, and takes itself away from here when it ends.
  void* face = nullptr;
  /// What features that few tensors need keep with this one.
  TensorExtensions extensions;

  /// As Tensor::device_data, for kernels that have looked at the dtype.
  template <typename T>
  T* device_data() const {
    return reinterpret_cast<T*>(storage->data()) + offset;
  }
};

/// Handle to a tensor; copying shares it. A default-made one is undefined (None in TorchScript).
/// Holds no arithmetic: operators live in engine/ops.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(base::Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  /// Uninitialised, row-major.
  static Tensor empty(DimSpan sizes, DType dtype, Device device = {});
  /// Uninitialised with the given strides; they must not be negative.
  static Tensor empty_strided(DimSpan sizes, DimSpan strides, DType dtype, Device device = {});
  /// A view of a storage. Input error if it would reach outside the storage.
  static Tensor view_of(StorageRef storage, int64_t offset, DimSpan sizes, DimSpan strides,
                        DType dtype);

  bool defined() const { return static_cast<bool>(impl_); }
  explicit operator bool() const { return defined(); }
  const Dims& sizes() const { return impl_->sizes; }
  const Dims& strides() const { return impl_->strides; }
  int64_t size(size_t dim) const { return impl_->sizes[dim]; }
  int64_t stride(size_t dim) const { return impl_->strides[dim]; }
  int64_t dim() const { return static_cast<int64_t>(impl_->sizes.size()); }
  int64_t numel() const { return impl_->numel; }
  int64_t offset() const { return impl_->offset; }
  DType dtype() const { return impl_->dtype; }
  Device device() const { return impl_->storage->device(); }
  const StorageRef& storage() const { return impl_->storage; }
  bool requires_grad() const { return impl_->requires_grad; }
  bool is_wrapped_number() const { return impl_->wrapped_number; }
  /// Counts the writes to the bytes that the tensor shares with its views.
  uint64_t version() const { return impl_->storage->version(); }
  bool is_contiguous() const { return core::is_contiguous(sizes(), strides()); }
  bool is_contiguous(MemoryFormat f) const { return core::is_contiguous(sizes(), strides(), f); }
  size_t item_size() const { return size_of(impl_->dtype); }

  /// Host code's pointer to the first element, for a tensor on the CPU: `data<const float>()` to
  /// read. Another T than the dtype's is an internal error. A pointer to write may be used as long
  /// as the storage lives, unseen, so that from now on nothing derived from the bytes is trusted
  /// (Storage::exposed) and kernels pack weights anew in each call. A HostView has no such cost.
  template <typename T>
  T* data() const {
    check_element<T>();
    LateWork::finish_all();
    if constexpr (!std::is_const_v<T>) impl_->storage->expose();
    return static_cast<T*>(address());
  }

  // The first element as its device sees it. For kernels, whose writes the dispatcher counts, and
  // to fill tensors that nobody else knows yet.
  /// Another T than the dtype's is an internal error.
  template <typename T>
  T* device_data() const {
    check_element<T>();
    return static_cast<T*>(address());
  }
  /// For moving elements of any type: words as large as an element.
  template <typename Word>
  Word* device_words() const {
    if (item_size() != sizeof(Word)) [[unlikely]]
      wrong_word_size(sizeof(Word));
    return static_cast<Word*>(address());
  }
  std::byte* device_address() const { return static_cast<std::byte*>(address()); }

  /// Another view of the same storage (offset absolute, in elements), bounds-checked.
  Tensor view(DimSpan sizes, DimSpan strides, int64_t offset) const;
  /// A new handle on the same bytes with its own metadata (PyTorch's detach).
  Tensor alias() const;
  /// Makes this very tensor object (all handles to it) describe other bytes: set_, resize_, .data=.
  void assign(const Tensor& other) const;

  TensorImpl* impl() const { return impl_.get(); }
  /// The object itself, with this handle's share in it.
  base::Ref<TensorImpl> take_impl() && { return std::move(impl_); }
  /// Same object, as Python's `is`.
  bool same(const Tensor& other) const { return impl_ == other.impl_; }

 private:
  template <typename T>
  void check_element() const {
    using Element = std::remove_const_t<T>;
    static_assert(!std::is_same_v<Element, bool>, "elements are Bool: they may be of any byte");
    if (impl_->dtype != dtype_of<Element>) [[unlikely]]
      wrong_element_type(dtype_of<Element>);
  }
  /// Counted as a number: a storage without bytes has no address that an offset may be added to.
  void* address() const {
    auto start = reinterpret_cast<uintptr_t>(impl_->storage->data());
    return reinterpret_cast<void*>(start + static_cast<size_t>(impl_->offset) * item_size());
  }
  [[noreturn]] void wrong_element_type(DType wanted) const;
  [[noreturn]] void wrong_word_size(size_t wanted) const;

  base::Ref<TensorImpl> impl_;
};

}  // namespace assay::core
