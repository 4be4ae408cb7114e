#pragma once

#include <memory>

#include "engine/core/value.h"
#include "engine/ops/autocast.h"

namespace assay::interp {

/// The region that a with-block over this object is: PyTorch's own autocast classes
/// (`torch.autocast`, `torch.cpu.amp.autocast`, `torch.cuda.amp.autocast`), whose `__enter__` and
/// `__exit__` do nothing in archives. Null for every other class.
std::unique_ptr<ops::AutocastRegion> autocast_region(ops::Context& context,
                                                     const core::Object& object);

}  // namespace assay::interp
