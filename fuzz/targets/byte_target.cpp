#include "fuzz/targets/byte_target.h"

#include <algorithm>

#include "engine/base/error.h"

namespace assay::fuzz {

const ByteTarget* find_target(const ByteTargets& targets, std::string_view name) {
  auto found = std::find_if(targets.begin(), targets.end(),
                            [&](const ByteTarget& target) { return target.name == name; });
  return found == targets.end() ? nullptr : &*found;
}

void feed(const ByteTarget& target, std::string_view bytes) {
  try {
    target.parse(bytes);
  } catch (const base::Error& e) {
    if (e.kind() == base::ErrorKind::internal) throw;
    e.describe();  // Telling it must not fail either.
  }
}

}  // namespace assay::fuzz
