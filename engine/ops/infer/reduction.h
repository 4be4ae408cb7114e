#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {}  // namespace assay::ops::infer
