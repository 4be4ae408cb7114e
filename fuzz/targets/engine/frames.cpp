#include <nlohmann/json.hpp>

#include "engine/base/stack.h"
#include "fuzz/targets/engine/targets.h"
#include "verify/host/frame.h"
#include "verify/host/value_tree.h"

namespace assay::fuzz {
namespace {

/// Every value tree in a message, at whatever place.
void read_trees(verify::host::TreeReader& reader, const nlohmann::json& message) {
  if (message.is_object() && message.contains("t")) {
    reader.value(message);
    return;
  }
  base::check_stack("a message");
  for (const auto& [key, part] : message.items()) {
    if (part.is_structured()) read_trees(reader, part);
  }
}

}  // namespace

void parse_frames(std::string_view bytes) {
  verify::host::MemorySource source(bytes);
  while (auto frame = verify::host::read_frame(source)) {
    verify::host::TreeReader reader(*frame);
    read_trees(reader, *frame->message);
  }
}

}  // namespace assay::fuzz
