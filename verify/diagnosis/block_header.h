#pragma once

#include <functional>
#include <string>

namespace assay::verify::diagnosis {

/// The text of a line of a source file, the first is 1, with its indentation; empty beyond the end.
using SourceLines = std::function<std::string(int line)>;

/// The line of the `for` or `while` whose body the line lies in, by Python's indentation; the line
/// itself where it is one, or lies in none within its function.
int loop_header(const SourceLines& lines, int line);

/// The line of the `if` (of an `elif`'s or `else`'s own one) whose body the line lies in; the line
/// itself where it is one, or lies in none within its function.
int branch_header(const SourceLines& lines, int line);

}  // namespace assay::verify::diagnosis
