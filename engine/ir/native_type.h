#pragma once

#include <string>

namespace assay::ir {

class Unit;

/// What a method of a C++ class is in a graph: calls the method that its attribute `name` names
/// ("__torch__.torch.classes.ns.Name.push"), with the object as first input.
inline constexpr const char* call_native = "assay::call_native";

/// Defines the type of a C++ class (ops/native_class.h) and a function for each of its methods, in
/// whose graph there is the one call. A class that is not registered becomes a type without
/// methods: programs that only mention it run.
void define_native_type(Unit& unit, const std::string& class_name);

}  // namespace assay::ir
