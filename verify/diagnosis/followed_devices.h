#pragma once

#include <vector>

#include "verify/graph/substitute.h"

namespace assay::verify::diagnosis {

/// The devices of the subject that follow the input, with `device` for each: the other export, made
/// elsewhere, has steps of the same source line and none of them names that device at the same
/// argument of the same operator; it names another one, or needs none, since what is made where the
/// input is has not to be moved there. Told without laying the graphs side by side: PyTorch takes
/// some operators apart on meta (a convolution becomes arithmetic on sizes), after which nothing
/// lies beside its like.
std::vector<Substitution> devices_that_follow(const Program& subject, const Program& elsewhere,
                                              core::Device device);

}  // namespace assay::verify::diagnosis
