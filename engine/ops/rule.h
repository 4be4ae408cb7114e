#pragma once

#include "engine/ops/facts.h"

namespace assay::ops {

class Call;
class RuleCall;

/// How an operator's results look before anything is computed: the shape and dtype rule of a
/// catalog row. `infer` does one of three things:
///  - declares each result (RuleCall::declare): dispatch allocates them and a kernel fills them;
///  - finishes the call (Call::finish): views and metadata queries, no kernel needed;
///  - neither (the rule `computed`): the kernel or composite makes the results, because their shape
///    depends on values, or because the arguments are no tensors.
/// Rules never read elements, so that they serve meta tensors too.
struct Rule {
  void (*infer)(RuleCall&);
  /// Each result element depends on the elements at the same place only: safe to run in place.
  bool elementwise = false;
  /// Where a row says nothing else.
  Devices devices = Devices::same_device;
};

}  // namespace assay::ops
