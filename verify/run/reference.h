#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "verify/run/runner.h"

namespace assay::verify {

enum class ReferenceKind { host, archive, recording, subject };
std::string_view reference_kind_name(ReferenceKind kind);

/// What a subject is held against.
struct Reference {
  ReferenceKind kind = ReferenceKind::archive;
  std::shared_ptr<Runner> runner;
  std::string name{};  ///< What the user named ("scripted.pt"); empty: the runner's name.
};

}  // namespace assay::verify
