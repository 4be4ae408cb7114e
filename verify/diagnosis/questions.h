#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "verify/graph/origins.h"
#include "verify/observation/observation.h"

namespace assay::verify::diagnosis {

/// How often a line's condition on tensors held while an export was traced, and how often not.
struct Answers {
  int64_t yes = 0, no = 0;
};
/// By file name and line.
using Questions = std::map<std::pair<std::string, int>, Answers>;

/// What a trace asked: by its own word, or else by what left its graph. Both may be null.
Questions questions(const Origins* origins, const std::vector<Escape>* escapes);

/// Whether conditions that are asked again and again, equally often in both traces, account for
/// steps of which the other trace has so many more: what they decide is done or left out, in as
/// many rounds.
bool account_for(const Questions& subject, const Questions& other, int64_t more);

}  // namespace assay::verify::diagnosis
