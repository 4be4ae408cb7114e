#pragma once

namespace assay::verify::diagnosis {

/// Whether two numbers are the same limit of two element types, as torch.finfo and torch.iinfo give
/// them: `torch.finfo(x.dtype).min` in exports of different element types.
bool are_limits(double a, double b);

/// Whether two numbers are the same function of such limits, in forms that a person would write: a
/// multiple, a multiple of the root (`10 * torch.finfo(x.dtype).eps`), bits, bytes.
bool follow_limits(double a, double b);

}  // namespace assay::verify::diagnosis
