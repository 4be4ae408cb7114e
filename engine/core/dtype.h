#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/bool.h"
#include "engine/core/half.h"

namespace assay::core {

enum class DTypeCategory : uint8_t { boolean, integral, floating, complex };

/// Element type of a tensor. The values are PyTorch's ScalarType numbers, which TorchScript
/// programs hold as plain ints.
enum class DType : int8_t {
#define DTYPE(name, number, python, script, type, category) name = number,
#include "engine/core/dtype.def"
#undef DTYPE
};

/// Raises an internal error.
[[noreturn]] void no_such_dtype(DType dtype);

/// Bytes of an element.
inline size_t size_of(DType dtype) {
  switch (dtype) {
#define DTYPE(name, number, python, script, type, category) \
  case DType::name:                                         \
    return sizeof(type);
#include "engine/core/dtype.def"
#undef DTYPE
  }
  no_such_dtype(dtype);
}

inline DTypeCategory category_of(DType dtype) {
  switch (dtype) {
#define DTYPE(name, number, python, script, type, category) \
  case DType::name:                                         \
    return DTypeCategory::category;
#include "engine/core/dtype.def"
#undef DTYPE
  }
  no_such_dtype(dtype);
}

/// "float32".
std::string_view python_name(DType dtype);
/// "Float": the name inside printed tensor types.
std::string_view script_name(DType dtype);
/// From PyTorch's number; nothing where assay has no such type (quantized types, complex32).
std::optional<DType> dtype_from_number(int64_t number);
/// From "float32", "torch.float32", or the alias names "float", "double", "half", "long", "int",
/// "short", "cfloat", "cdouble".
std::optional<DType> dtype_from_name(std::string_view name);
/// What the tensors' method of this name converts to, as `half` in `x.half()`; nothing for others.
std::optional<DType> dtype_of_conversion(std::string_view method);

inline bool is_floating(DType d) { return category_of(d) == DTypeCategory::floating; }
inline bool is_complex(DType d) { return category_of(d) == DTypeCategory::complex; }
/// Whether tensors of it can have gradients.
inline bool is_differentiable(DType d) { return is_floating(d) || is_complex(d); }
/// Integer types; bool only where asked for.
inline bool is_integral(DType d, bool include_bool) {
  return category_of(d) == DTypeCategory::integral || (include_bool && d == DType::boolean);
}
/// float32 for complex64, float64 for complex128; itself otherwise.
DType real_of(DType dtype);
/// complex64 for float32 (and the 16-bit types), complex128 for float64; itself if complex.
DType complex_of(DType dtype);
/// PyTorch's promotion of two element types (torch.promote_types).
DType promote(DType a, DType b);

/// The DType of a C++ element type: `dtype_of<float>`.
template <typename T>
inline constexpr DType dtype_of = [] {
  static_assert(sizeof(T) == 0, "no element type is stored so");
  return DType::float32;
}();
#define DTYPE(name, number, python, script, type, category) \
  template <>                                               \
  inline constexpr DType dtype_of<type> = DType::name;
#include "engine/core/dtype.def"
#undef DTYPE
/// C++'s own `bool`s can be read as elements; the elements of a tensor (Bool) not as `bool`s.
template <>
inline constexpr DType dtype_of<bool> = DType::boolean;

}  // namespace assay::core
