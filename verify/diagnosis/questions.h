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

/// What an export's trace asked, and how often it has some step.
struct Counted {
  Questions questions;
  int64_t count = 0;
};

/// Whether the answers to one line's conditions tell in each of the exports how often the step is
/// there, though all of them asked equally often: it is done or left out, where rounds of a loop
/// are asked for once more each. A few exports agree by chance, unless the line asks in each round.
bool answers_tell(const std::vector<Counted>& exports);

}  // namespace assay::verify::diagnosis
