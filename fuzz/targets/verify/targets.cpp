#include "fuzz/targets/verify/targets.h"

namespace assay::fuzz {

const ByteTargets& verify_targets() {
  static const ByteTargets all{
      {"spec", parse_spec_lines},
      {"spec_file", parse_spec_file},
      {"repro", parse_repro},
      {"recording", parse_recording},
  };
  return all;
}

}  // namespace assay::fuzz
