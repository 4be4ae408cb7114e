#include "engine/archive/pickle_constructors.h"

#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::DType;
using Kind = PickleGlobal::Kind;
using Call = PickleConstructor;

struct Function {
  std::string_view module, name;
  Kind kind;
  Call constructor = Call::ordered_dict;
};

constexpr Function functions[] = {
    {"torch._utils", "_rebuild_tensor", Kind::constructor, Call::rebuild_tensor},
    {"torch._utils", "_rebuild_tensor_v2", Kind::constructor, Call::rebuild_tensor},
    {"torch._utils", "_rebuild_parameter", Kind::constructor, Call::rebuild_parameter},
    {"torch._tensor", "_rebuild_from_type_v2", Kind::constructor, Call::rebuild_from_type},
    {"collections", "OrderedDict", Kind::constructor, Call::ordered_dict},
    {"torch.jit._pickle", "build_intlist", Kind::constructor, Call::build_intlist},
    {"torch.jit._pickle", "build_doublelist", Kind::constructor, Call::build_doublelist},
    {"torch.jit._pickle", "build_boollist", Kind::constructor, Call::build_boollist},
    {"torch.jit._pickle", "build_tensorlist", Kind::constructor, Call::build_tensorlist},
    {"torch.jit._pickle", "build_tensor_from_id", Kind::constructor, Call::build_tensor_from_id},
    {"torch.jit._pickle", "restore_type_tag", Kind::constructor, Call::restore_type_tag},
    {"torch", "device", Kind::constructor, Call::device},
    {"builtins", "complex", Kind::constructor, Call::complex},
    {"__builtin__", "complex", Kind::constructor, Call::complex},
    {"torch._utils", "_rebuild_qtensor", Kind::unsupported},
    {"torch._utils", "_rebuild_sparse_tensor", Kind::unsupported},
    {"torch._utils", "_rebuild_sparse_csr_tensor", Kind::unsupported},
    {"torch._utils", "_rebuild_nested_tensor", Kind::unsupported},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", Kind::unsupported},
    {"torch.distributed.rpc", "rref", Kind::unsupported},
    {"torch", "QInt8Storage", Kind::unsupported},
    {"torch", "QUInt8Storage", Kind::unsupported},
    {"torch", "QInt32Storage", Kind::unsupported},
    {"torch", "QUInt4x2Storage", Kind::unsupported},
    {"torch", "QUInt2x4Storage", Kind::unsupported},
    {"torch", "ComplexHalfStorage", Kind::unsupported},
};

struct StorageClass {
  std::string_view name;
  DType dtype;
};

constexpr StorageClass storage_classes[] = {
#define DTYPE(id, number, python, script, type, category) {script "Storage", DType::id},
#include "engine/core/dtype.def"
#undef DTYPE
};

}  // namespace

PickleGlobal find_pickle_global(std::string_view module, std::string_view name) {
  for (const Function& f : functions) {
    if (f.module == module && f.name == name) return {f.kind, f.constructor, DType::float32};
  }
  if (module != "torch") return {Kind::unknown};
  for (const StorageClass& s : storage_classes) {
    if (s.name == name) return {Kind::storage, Call::ordered_dict, s.dtype};
  }
  if (auto dtype = core::dtype_from_name(name)) return {Kind::dtype, Call::ordered_dict, *dtype};
  return {Kind::unknown};
}

std::string_view storage_class_of(core::DType dtype) {
  for (const StorageClass& s : storage_classes) {
    if (s.dtype == dtype) return s.name;
  }
  base::unreachable("no storage class for dtype ", core::python_name(dtype));
}

}  // namespace assay::archive
