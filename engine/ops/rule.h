#pragma once

namespace assay::ops {

class Call;

/// How an operator's results look before anything is computed: the shape and dtype rule of a
/// catalog row. `infer` does one of three things:
///  - declares each result (Call::declare): dispatch allocates them and a kernel fills them;
///  - finishes the call (Call::finish): views and metadata queries, no kernel needed;
///  - neither (the rule `computed`): the kernel or composite makes the results, because their shape
///    depends on values, or because the arguments are no tensors.
/// Rules never read elements, so that they serve meta tensors too.
struct Rule {
  void (*infer)(Call&);
  /// Each result element depends on the elements at the same place only: safe to run in place.
  bool elementwise = false;
  /// Arguments may live on different devices (copies, `to`).
  bool mixes_devices = false;
  /// Works on numbers, texts, lists and the like; tensors among them are only passed around, so no
  /// device is looked for.
  bool host = false;
};

}  // namespace assay::ops
