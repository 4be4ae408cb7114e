#pragma once

#include "verify/diagnosis/python_lines.h"

namespace assay::verify::diagnosis {

/// The line that asks for an element type from which a number or a type of this line is made: above
/// in the same function, in one that it calls, or where it is called (`least =
/// torch.finfo(x.dtype).min`, `kind = torch.result_type(x, y)`); the line itself where it names
/// one, or none does.
int element_type_asked(const SourceLines& lines, int line);

/// The line that asks a tensor for the device which this line takes from a variable (`where =
/// x.device`): as above.
int device_asked(const SourceLines& lines, int line);

}  // namespace assay::verify::diagnosis
