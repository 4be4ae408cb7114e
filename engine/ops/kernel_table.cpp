#include "engine/ops/kernel_table.h"

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

void KernelTable::add(Backend backend, std::string_view name, std::span<const Kernel> kernels) {
  operators_.resize(catalog_rows().size());
  for (const Kernel& kernel : kernels) {
    const Operator* op = find_operator(kernel.op);
    base::invariant(op != nullptr, "a ", name, " kernel is for ", kernel.op,
                    ", which is not in the catalog");
    operators_[op->id].of[static_cast<size_t>(backend)].push_back({kernel, name});
  }
}

KernelTable::Choice KernelTable::choose(const Call& call, Backend device,
                                        bool reference_only) const {
  if (call.op.id >= operators_.size()) return {};
  const PerOperator& row = operators_[call.op.id];
  auto first_of = [&](Backend backend) -> Choice {
    for (const Candidate& c : row.of[static_cast<size_t>(backend)]) {
      if (!c.kernel.accepts || c.kernel.accepts(call)) return {&c.kernel, c.name};
    }
    return {};
  };
  const Backend fast[] = {device, Backend::composite, Backend::reference};
  const Backend plain[] = {Backend::reference, Backend::composite};
  auto order = reference_only ? std::span<const Backend>(plain) : std::span<const Backend>(fast);
  for (Backend backend : order) {
    if (Choice choice = first_of(backend); choice.kernel) return choice;
  }
  return {};
}

bool KernelTable::has(const Operator& op, Backend backend) const {
  return op.id < operators_.size() && !operators_[op.id].of[static_cast<size_t>(backend)].empty();
}

}  // namespace assay::ops
