#include "fuzz/targets/engine/targets.h"

namespace assay::fuzz {

const ByteTargets& engine_targets() {
  static const ByteTargets all{
      {"zip", parse_zip},       {"pickle", parse_pickle},         {"archive", parse_archive},
      {"script", parse_script}, {"source_map", parse_source_map}, {"graph", parse_graph},
      {"schema", parse_schema}, {"frames", parse_frames},         {"npz", parse_npz},
      {"npy", parse_npy},
  };
  return all;
}

}  // namespace assay::fuzz
