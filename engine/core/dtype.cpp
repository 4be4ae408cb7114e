#include "engine/core/dtype.h"

#include <algorithm>
#include <iterator>

#include "engine/base/error.h"

namespace assay::core {
namespace {

struct Row {
  DType dtype;
  std::string_view python;
  std::string_view script;
};

constexpr Row rows[] = {
#define DTYPE(name, number, python, script, type, category) {DType::name, python, script},
#include "engine/core/dtype.def"
#undef DTYPE
};

const Row& row(DType dtype) {
  for (const Row& r : rows) {
    if (r.dtype == dtype) return r;
  }
  no_such_dtype(dtype);
}

struct Alias {
  std::string_view name;
  DType dtype;
  bool in_torch;
};

constexpr Alias aliases[] = {
#define DTYPE_ALIAS(name, type, in_torch) {name, DType::type, in_torch},
#include "engine/core/dtype.def"
#undef DTYPE_ALIAS
};

const Alias* find_alias(std::string_view name) {
  auto found = std::ranges::find(aliases, name, &Alias::name);
  return found == std::end(aliases) ? nullptr : found;
}

}  // namespace

void no_such_dtype(DType dtype) { base::unreachable("no such dtype: ", static_cast<int>(dtype)); }

std::string_view python_name(DType dtype) { return row(dtype).python; }
std::string_view script_name(DType dtype) { return row(dtype).script; }

std::optional<DType> dtype_from_number(int64_t number) {
  for (const Row& r : rows) {
    if (static_cast<int64_t>(r.dtype) == number) return r.dtype;
  }
  return std::nullopt;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const Row& r : rows) {
    if (r.python == name) return r.dtype;
  }
  const Alias* alias = find_alias(name);
  return alias && alias->in_torch ? std::optional(alias->dtype) : std::nullopt;
}

std::optional<DType> dtype_of_conversion(std::string_view method) {
  const Alias* alias = find_alias(method);
  return alias ? std::optional(alias->dtype) : std::nullopt;
}

DType real_of(DType dtype) {
  if (dtype == DType::complex64) return DType::float32;
  if (dtype == DType::complex128) return DType::float64;
  return dtype;
}

DType complex_of(DType dtype) {
  if (is_complex(dtype)) return dtype;
  return dtype == DType::float64 ? DType::complex128 : DType::complex64;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  auto rank = [](DType d) { return static_cast<int>(category_of(d)); };
  if (rank(a) < rank(b)) std::swap(a, b);
  // `a` now has the higher category. A complex result is as wide as its widest part.
  if (is_complex(a)) {
    if (is_integral(b, true)) return a;
    return size_of(real_of(a)) >= size_of(real_of(b)) ? a : complex_of(real_of(b));
  }
  if (rank(a) > rank(b)) return a;
  if (is_floating(a)) {
    // The two 16-bit types have no common type of their size.
    if (size_of(a) == size_of(b)) return DType::float32;
    return size_of(a) > size_of(b) ? a : b;
  }
  // Integers: uint8 with a signed type needs a signed type that is wider than uint8.
  if (a == DType::uint8 || b == DType::uint8) {
    DType other = a == DType::uint8 ? b : a;
    return other == DType::int8 ? DType::int16 : other;
  }
  return size_of(a) > size_of(b) ? a : b;
}

}  // namespace assay::core
