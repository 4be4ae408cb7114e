#pragma once

#include <string_view>

#include "verify/diagnosis/python_lines.h"

namespace assay::verify::diagnosis {

/// The line of the `for` or `while` whose body the line lies in, by Python's indentation; the line
/// itself where it is one, or lies in none within its function.
int loop_header(const SourceLines& lines, int line);

/// The loop that the line lies in; else the one below, in the same function, that goes by what this
/// line gives a name to (`n = int(steps)`, `for _ in range(n)`); else the one that calls the
/// function which the line lies in; else where this function calls itself; else the line itself.
int loop_at(const SourceLines& lines, int line);

/// The line of the `if` (of an `elif`'s or `else`'s own one) whose body the line lies in; the line
/// itself where it is one, or lies in none within its function.
int branch_header(const SourceLines& lines, int line);

/// The line of the `if` above, in the same function, that decides what this line does although it
/// does not govern it: one that gives a variable a value which this line reads (or which one
/// between them makes of it), or one on what leaves no trace (an element type, None, the mode)
/// whose body returns before. 0 where there is none.
int decided_above(const SourceLines& lines, int line);

/// The `if` below, in the same function, on what this line makes: where only its body needs that
/// too, the line comes and goes with the body (`norm = x.norm()`, `if norm.item() > 3: x = x /
/// norm`). 0 where there is none.
int decided_below(const SourceLines& lines, int line);

/// The line below, in the same function, that changes what this line gives a name to (`a[0] = 1`,
/// `a *= 2`, `out=a`); the line itself where none does.
int write_below(const SourceLines& lines, int line);

/// The nearest line from this one up, in the same function, that goes through a dictionary or a
/// list in the order that it has; else one that goes through a dictionary's entries where the
/// function is called; the line itself where none does.
int walk_over_keys(const SourceLines& lines, int line);

/// Whether the line stands in such a loop, or is one (`[x[k] for k in x]`), and in no branch.
bool walks_unconditionally(const SourceLines& lines, int line);

/// The line that picks this number, which the function has as it is written (`0.8 if peak < 9 else
/// 0.1`), by a condition on what `line` makes or asks for: an `if` or a conditional expression. 0
/// where none does.
int choice_of(const SourceLines& lines, int line, const std::string& number);

/// The one line of the file, outside of `train` and `__init__`, that decides by the mode
/// (`if self.training`); 0 where none does, or several do.
int only_branch_on_mode(const SourceLines& lines, int line);

/// Whether the line is the header of a `while`.
bool is_while(const SourceLines& lines, int line);

/// The line of the same function that asks whether it is scripted or traced, the nearest one above
/// before those below; 0 where none does.
int asks_how_it_runs(const SourceLines& lines, int line);

/// The line of the same function, or the decorator above it, that switches gradients on or off; 0
/// where none does.
int switches_gradients(const SourceLines& lines, int line);

/// The line to name for a cause of a class that takes effect at this line: a loop's (AS104) or a
/// branch's (AS103) header, the `if` of a branch on `self.training` (AS108) or on a layout (AS112),
/// the question for the mode, the device or the element type that a variable brings (AS108, AS106,
/// AS107), the write of a state (AS109), what goes through keys (AS115), the write to memory that
/// was handed out (AS110), the question whether two names are one tensor above a write (AS111);
/// else the line itself.
int origin_of(std::string_view class_id, const SourceLines& lines, int line);

}  // namespace assay::verify::diagnosis
