#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/cases/case.h"

namespace assay::verify {

/// What a repro string carries: enough to run one case again without spec and generators.
struct Repro {
  std::string property;
  std::string class_id;  ///< Of the finding, so that "not reproduced" can name it; may be empty.
  std::string key;       ///< The finding's fingerprint.
  int line = 0;          ///< Of its cause; 0 where unknown.
  std::string model_hash;
  std::string spec_hash;
  uint64_t seed = 0;  ///< Of the campaign.
  std::string model;  ///< As on the command line: "model.py:Net".
  std::string reference;
  std::string spec;  ///< As a spec file, for what a diagnosis varies; may be empty.
  /// Flags that make subject and reference again: "--against=scripted.pt".
  std::vector<std::string> arguments;
  /// A case that holds, where known: what the diagnosis compares the failing one with.
  std::optional<Case> right;
  Case smallest;
};

/// "ASSAY1:<base64url(zlib(json))>".
std::string encode_repro(const Repro& repro);
/// Input error on another prefix or version, on damage, and on anything that would unpack to more
/// than 1 MiB.
Repro decode_repro(std::string_view text);

/// Short hexadecimal hash (64-bit FNV-1a) for fingerprints and configuration hashes.
std::string short_hash(std::string_view text);

}  // namespace assay::verify
