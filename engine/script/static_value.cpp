#include "engine/script/static_value.h"

namespace assay::script {

ir::Value* StaticValue::value(Emission&, const Range& range) {
  refuse(range, "cannot be used as a value");
}
StaticValuePtr StaticValue::attribute(Emission&, const Range& range, const std::string& name) {
  base::fail_at(range, "attribute lookup is not defined on ", kind(), ", so it has no attribute '",
                name, "'");
}
bool StaticValue::has_attribute(Emission&, const Range& range, const std::string&) {
  refuse(range, "cannot be asked for its attributes");
}
void StaticValue::set_attribute(Emission&, const Range& range, const std::string& name,
                                ir::Value*) {
  refuse(range, "has no attribute '", name, "' that could be set");
}
std::vector<StaticValuePtr> StaticValue::parts(Emission&, const Range& range,
                                               std::optional<size_t>) {
  refuse(range, "cannot be used as a tuple");
}
StaticValuePtr StaticValue::call(Emission&, const Range& range, const detail::Actuals&,
                                 const detail::Actuals&) {
  base::fail_at(range, "cannot call a value: ", kind(), " is no function");
}
StaticValuePtr StaticValue::iterable(Emission&, const Range& range) {
  refuse(range, "cannot be iterated over");
}
ir::Value* StaticValue::length(Emission&, const Range& range) { refuse(range, "has no length"); }
StaticValuePtr StaticValue::item(Emission&, const Range& range, ir::Value*, const core::TypePtr&) {
  refuse(range, "cannot be indexed");
}

}  // namespace assay::script
