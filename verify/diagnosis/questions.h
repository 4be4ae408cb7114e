#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "verify/graph/origins.h"
#include "verify/observation/observation.h"

namespace assay::verify::diagnosis {

/// A condition on tensors that was asked while an export was traced, and its answer.
struct Question {
  std::pair<std::string, int> line;  ///< File name and line.
  bool answer = false;
};
/// In the order in which they were asked.
using Questions = std::vector<Question>;

/// What a trace asked: by its own word, or else by what left its graph. Both may be null.
Questions questions(const Origins* origins, const std::vector<Escape>* escapes);

/// What an export's trace asked, and how often it has some step.
struct Counted {
  Questions questions;
  int64_t count = 0;
};

/// Whether the answers to the conditions of a line, or of two lines in each round, tell in each of
/// the exports how often the step is there, though all of them went through equally many rounds: it
/// is done or left out, where rounds of a loop are asked for once more each. A few exports agree by
/// chance, unless the line asks in each round.
bool answers_tell(const std::vector<Counted>& exports);

}  // namespace assay::verify::diagnosis
