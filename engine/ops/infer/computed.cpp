#include "engine/ops/infer/computed.h"

namespace assay::ops::infer {

const Rule computed{[](Call&) {}};
const Rule computed_across_devices{[](Call&) {}, false, true};
const Rule host_value{[](Call&) {}, false, true, true};

}  // namespace assay::ops::infer
