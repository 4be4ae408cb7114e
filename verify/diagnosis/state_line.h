#pragma once

#include "verify/diagnosis/python_lines.h"

namespace assay::verify::diagnosis {

/// The line that writes a state which this line reads: an attribute (`self.n += 1`,
/// `self.seen.append(x)`, `self.mean.mul_(0.9)`) in the same function, in a method that the line
/// calls, or in another that the file uses; or else something outside of the function that its
/// values are made from (`COUNT["calls"] += 1`), there or in another function. In the same function
/// the nearest one above before those below. The line itself where it writes one, or nothing does.
int state_write(const SourceLines& lines, int line);

/// The lines of the same function that write other attributes which this line reads, beside the one
/// at `known`.
std::vector<int> other_state_writes(const SourceLines& lines, int line, int known);

/// The one line of the file, within a function that is no `__init__`, that writes state of one of
/// these names, whatever holds it (`STEP += 1`, `cls.calls += 1`, `vars(self)["n"] = m`), and does
/// not begin it anew (`Net.calls = 0`); 0 where none does, or several do.
int only_write_of(const SourceLines& lines, int line, const python::Names& names);
/// Whether the line writes state of one of these names.
bool writes_state(const std::string& text, const python::Names& names);

/// The line of the file's own `train` that sets an attribute, which no export runs; 0 where none
/// does.
int mode_write(const SourceLines& lines, int line);

/// The line at which an attribute keeps what this one makes: below in the same function, or where
/// the function's result is kept (`self.norm = self.normalized(x)`); 0 where none does.
int kept_at(const SourceLines& lines, int line);

/// The line of the same function that writes one of these attributes, the nearest one above before
/// those from the line on; 0 where none does.
int write_near(const SourceLines& lines, int line, const python::Names& attributes);

}  // namespace assay::verify::diagnosis
