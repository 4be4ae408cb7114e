#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/dtype.h"

namespace assay::archive {

/// The functions that a pickle may call.
enum class PickleConstructor : uint8_t {
  rebuild_tensor,
  rebuild_parameter,
  rebuild_from_type,
  ordered_dict,
  build_intlist,
  build_doublelist,
  build_boollist,
  build_tensorlist,
  build_tensor_from_id,
  restore_type_tag,
  device,
  complex,
};

/// What a name in a pickle stands for, outside the archive's own classes.
struct PickleGlobal {
  enum class Kind : uint8_t { unknown, constructor, storage, dtype, unsupported } kind;
  PickleConstructor constructor = PickleConstructor::ordered_dict;
  core::DType dtype = core::DType::float32;
};

/// Looks a name up: `torch._utils` `_rebuild_tensor_v2`, `torch` `FloatStorage`, `torch` `float32`.
PickleGlobal find_pickle_global(std::string_view module, std::string_view name);

/// "FloatStorage" for float32: the class that names a storage's dtype.
std::string_view storage_class_of(core::DType dtype);

}  // namespace assay::archive
