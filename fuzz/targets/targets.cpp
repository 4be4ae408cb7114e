#include "fuzz/targets/targets.h"

#include <algorithm>

#include "engine/base/error.h"

namespace assay::fuzz {

const std::vector<ByteTarget>& byte_targets() {
  static const std::vector<ByteTarget> all{
      {"zip", feed_zip},
      {"pickle", feed_pickle},
      {"archive", feed_archive},
      {"script", feed_script},
      {"source_map", feed_source_map},
      {"graph", feed_graph},
      {"schema", feed_schema},
      {"spec", feed_spec},
      {"spec_file", feed_spec_file},
      {"repro", feed_repro},
      {"frames", feed_frames},
      {"recording", feed_recording},
  };
  return all;
}

const ByteTarget* find_byte_target(std::string_view name) {
  const auto& all = byte_targets();
  auto found = std::find_if(all.begin(), all.end(), [&](const auto& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void feed(const ByteTarget& target, std::string_view bytes) {
  try {
    target.feed(bytes);
  } catch (const base::Error& e) {
    if (e.kind() == base::ErrorKind::internal) throw;
    e.describe();  // Telling it must not fail either.
  }
}

}  // namespace assay::fuzz
