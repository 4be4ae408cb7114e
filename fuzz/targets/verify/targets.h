#pragma once

#include "fuzz/targets/byte_target.h"

namespace assay::fuzz {

/// The parsers of what a check is told: spec notation, spec files, repro strings and recordings.
const ByteTargets& verify_targets();

void parse_spec_lines(std::string_view bytes);
void parse_spec_file(std::string_view bytes);
void parse_repro(std::string_view bytes);
void parse_recording(std::string_view bytes);

}  // namespace assay::fuzz
