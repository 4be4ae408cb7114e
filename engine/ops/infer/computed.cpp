#include "engine/ops/infer/computed.h"

namespace assay::ops::infer {

const Rule computed{[](RuleCall&) {}, false, Devices::scalars_follow};
const Rule computed_across_devices{[](RuleCall&) {}, false, Devices::any_device};
const Rule computed_beside_counts{[](RuleCall&) {}, false, Devices::counts_on_cpu};
const Rule host_value{[](RuleCall&) {}, false, Devices::no_device};

}  // namespace assay::ops::infer
