#pragma once

#include <map>
#include <string>
#include <utility>

#include "verify/graph/program.h"

namespace assay::verify {

/// The lines of a model's source that archives carry in their debug records: of each function that
/// was scripted the whole text. Traces carry lines' numbers only.
class ArchivedLines {
 public:
  /// Takes the texts behind a program's steps; what an earlier one said of a line stays.
  void add(const Program& program);

  bool empty() const { return lines_.empty(); }
  /// Empty where it is not known. Files are known by their names without folders, since an archive
  /// may have been made elsewhere than the one that asks.
  std::string line(const std::string& file, int line) const;

 private:
  std::map<std::pair<std::string, int>, std::string> lines_;
};

}  // namespace assay::verify
