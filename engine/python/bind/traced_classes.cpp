#include "engine/python/bind/traced_classes.h"

#include <utility>

#include "engine/python/bind/script_program.h"

namespace assay::python {

TracedClasses::~TracedClasses() {
  if (!names_.empty()) script_program().forget_classes(names_);
}

void TracedClasses::take(TracedClasses& part) {
  std::vector<std::string> names = std::exchange(part.names_, {});
  if (!part.complete_) names_.insert(names_.end(), names.begin(), names.end());
}

}  // namespace assay::python
