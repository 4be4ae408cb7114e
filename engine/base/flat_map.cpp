#include "engine/base/flat_map.h"

namespace assay::base {

template class FlatMap<int64_t>;
template class FlatMap<std::string>;

}  // namespace assay::base
