#pragma once

#include "engine/base/text.h"
#include "verify/diagnosis/python_lines.h"

namespace assay::verify::diagnosis {

/// The lines of a text, counted from 1; "" behind the last.
inline SourceLines lines_of(const char* text) {
  return [all = base::split(text, '\n')](int n) {
    return n <= static_cast<int>(all.size()) ? all[static_cast<size_t>(n) - 1] : std::string();
  };
}

}  // namespace assay::verify::diagnosis
