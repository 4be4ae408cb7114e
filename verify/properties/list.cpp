#include "verify/properties/batch_independent.h"
#include "verify/properties/deterministic.h"
#include "verify/properties/device_portable.h"
#include "verify/properties/domain_accepted.h"
#include "verify/properties/gradients.h"
#include "verify/properties/optimization_neutral.h"
#include "verify/properties/parity.h"
#include "verify/properties/property.h"

namespace assay::verify {

std::vector<std::shared_ptr<const Property>> all_properties() {
  return {std::make_shared<Parity>(),           std::make_shared<Deterministic>(),
          std::make_shared<BatchIndependent>(), std::make_shared<DevicePortable>(),
          std::make_shared<Gradients>(),        std::make_shared<OptimizationNeutral>(),
          std::make_shared<DomainAccepted>()};
}

}  // namespace assay::verify
