#include "engine/python/bind/graph_types.h"

#include <pybind11/stl.h>

#include "engine/base/error.h"
#include "engine/ir/type_text.h"
#include "engine/python/bind/python.h"
#include "engine/python/bind/tags.h"

namespace py = pybind11;

namespace assay::python {
namespace {

using core::TypeKind;

struct ProgramType {
  core::TypePtr type;
};

/// PyTorch's names of the kinds of types.
constexpr std::pair<TypeKind, const char*> kind_names[] = {
    {TypeKind::any, "AnyType"},
    {TypeKind::tensor, "TensorType"},
    {TypeKind::integer, "IntType"},
    {TypeKind::floating, "FloatType"},
    {TypeKind::complex, "ComplexType"},
    {TypeKind::number, "NumberType"},
    {TypeKind::boolean, "BoolType"},
    {TypeKind::string, "StringType"},
    {TypeKind::none, "NoneType"},
    {TypeKind::device, "DeviceObjType"},
    {TypeKind::generator, "GeneratorType"},
    {TypeKind::storage, "StorageType"},
    {TypeKind::stream, "StreamObjType"},
    {TypeKind::list, "ListType"},
    {TypeKind::tuple, "TupleType"},
    {TypeKind::dict, "DictType"},
    {TypeKind::optional, "OptionalType"},
    {TypeKind::union_, "UnionType"},
    {TypeKind::future, "FutureType"},
    {TypeKind::rref, "RRefType"},
    {TypeKind::await, "AwaitType"},
    {TypeKind::class_, "ClassType"},
    {TypeKind::interface, "InterfaceType"},
    {TypeKind::enumeration, "EnumType"},
    {TypeKind::function, "FunctionType"},
    {TypeKind::var, "VarType"},
    {TypeKind::any_list, "AnyListType"},
    {TypeKind::any_tuple, "AnyTupleType"},
    {TypeKind::any_class, "AnyClassType"},
    {TypeKind::any_enum, "AnyEnumType"},
    {TypeKind::capsule, "Capsule"},
};

const char* kind_name(TypeKind kind) {
  for (const auto& [known, name] : kind_names) {
    if (known == kind) return name;
  }
  return "Type";
}

const core::Type& of_kind(const ProgramType& type, std::initializer_list<TypeKind> kinds,
                          const char* what) {
  for (TypeKind kind : kinds) {
    if (type.type->is(kind)) return *type.type;
  }
  base::fail("a ", kind_name(type.type->kind()), " has no ", what);
}

const core::TensorInfo& info_of(const ProgramType& type) {
  static const core::TensorInfo nothing;
  of_kind(type, {TypeKind::tensor}, "sizes or elements");
  const core::TensorType* tensor = core::as_tensor_info(type.type);
  return tensor ? tensor->info : nothing;
}

std::optional<std::vector<int64_t>> listed(const std::optional<core::Dims>& dims) {
  if (!dims) return std::nullopt;
  return std::vector<int64_t>(dims->begin(), dims->end());
}

py::object dtype_of(const ProgramType& type) {
  const auto& dtype = info_of(type).dtype;
  if (!dtype) return py::none();
  return py::reinterpret_borrow<py::object>(tag_of(TagKind::dtype, static_cast<int64_t>(*dtype)));
}

py::object device_of(const ProgramType& type) {
  const auto& device = info_of(type).device;
  if (!device) return py::none();
  return py::reinterpret_steal<py::object>(wrap_device(*device));
}

std::vector<ProgramType> parts_of(const ProgramType& type) {
  std::vector<ProgramType> parts;
  for (const auto& part : type.type->contained()) parts.push_back({part});
  return parts;
}

}  // namespace

py::object type_object(const core::TypePtr& type) { return py::cast(ProgramType{type}); }

void add_graph_types(py::module_& m) {
  py::class_<ProgramType>(m, "Type")
      .def("kind", [](const ProgramType& t) { return kind_name(t.type->kind()); })
      .def("str", [](const ProgramType& t) { return ir::type_text(t.type); })
      .def("__str__", [](const ProgramType& t) { return ir::type_text(t.type); })
      .def("__repr__", [](const ProgramType& t) { return t.type->annotation(); })
      .def("__eq__", [](const ProgramType& a,
                        const ProgramType& b) { return core::same_type(a.type, b.type); })
      .def("__hash__",
           [](const ProgramType& t) { return std::hash<std::string>()(t.type->annotation()); })
      .def_property_readonly("annotation_str",
                             [](const ProgramType& t) { return t.type->annotation(); })
      .def("isSubtypeOf", [](const ProgramType& a,
                             const ProgramType& b) { return core::is_subtype(a.type, b.type); })
      .def("containedTypes", parts_of)
      .def(
          "name",
          [](const ProgramType& t) { return t.type->name().substr(t.type->name().rfind('.') + 1); })
      .def("qualified_name", [](const ProgramType& t) { return t.type->name(); })
      .def("getElementType",
           [](const ProgramType& t) {
             return ProgramType{
                 of_kind(t, {TypeKind::list, TypeKind::optional, TypeKind::future}, "element type")
                     .element()};
           })
      .def("elements",
           [](const ProgramType& t) {
             of_kind(t, {TypeKind::tuple}, "elements");
             return parts_of(t);
           })
      .def("getKeyType",
           [](const ProgramType& t) {
             return ProgramType{of_kind(t, {TypeKind::dict}, "key type").contained()[0]};
           })
      .def("getValueType",
           [](const ProgramType& t) {
             return ProgramType{of_kind(t, {TypeKind::dict}, "value type").contained()[1]};
           })
      .def("sizes", [](const ProgramType& t) { return listed(info_of(t).sizes); })
      .def("strides", [](const ProgramType& t) { return listed(info_of(t).strides); })
      .def("dim",
           [](const ProgramType& t) -> std::optional<size_t> {
             if (!info_of(t).sizes) return std::nullopt;
             return info_of(t).sizes->size();
           })
      .def("scalarType",
           [](const ProgramType& t) -> std::optional<std::string> {
             if (!info_of(t).dtype) return std::nullopt;
             return std::string(core::script_name(*info_of(t).dtype));
           })
      .def("dtype", dtype_of)
      .def("device", device_of)
      .def("requires_grad",
           [](const ProgramType& t) { return info_of(t).requires_grad.value_or(true); });
}

}  // namespace assay::python
