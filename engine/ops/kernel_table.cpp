#include "engine/ops/kernel_table.h"

#include <unordered_map>

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

namespace {

/// Positions of the catalog's rows by qualified name. Registration must not parse every schema: a
/// program that runs a small archive needs few of them, and starts faster without.
const std::unordered_map<std::string_view, size_t>& row_positions() {
  static const auto positions = [] {
    std::unordered_map<std::string_view, size_t> made;
    auto rows = catalog_rows();
    made.reserve(rows.size());
    for (size_t id = 0; id < rows.size(); ++id) {
      made.emplace(rows[id].schema.substr(0, rows[id].schema.find('(')), id);
    }
    return made;
  }();
  return positions;
}

std::span<const Backend> order_for(Backend device, bool reference_only) {
  static constexpr Backend host[] = {Backend::cpu, Backend::composite, Backend::reference};
  static constexpr Backend plain[] = {Backend::reference, Backend::composite};
  static constexpr Backend own[] = {Backend::cuda, Backend::composite};
  static constexpr Backend composite[] = {Backend::composite};
  if (device == Backend::cpu) {
    if (reference_only) return plain;
    return host;
  }
  if (reference_only) return composite;
  return own;
}

}  // namespace

void KernelTable::add(Backend backend, std::string_view name, std::span<const Kernel> kernels) {
  operators_.resize(catalog_rows().size());
  for (const Kernel& kernel : kernels) {
    auto row = row_positions().find(kernel.op);
    base::invariant(row != row_positions().end(), "a ", name, " kernel is for ", kernel.op,
                    ", which is not in the catalog");
    operators_[row->second].of[static_cast<size_t>(backend)].push_back({kernel, name});
  }
}

KernelTable::Choice KernelTable::choose(const Call& call, Backend device,
                                        bool reference_only) const {
  if (call.op.id >= operators_.size()) return {};
  const PerOperator& row = operators_[call.op.id];
  auto first_of = [&](Backend backend) -> Choice {
    for (const Candidate& c : row.of[static_cast<size_t>(backend)]) {
      if (!c.kernel.accepts || c.kernel.accepts(call)) return {&c.kernel, c.name, backend};
    }
    return {};
  };
  for (Backend backend : order_for(device, reference_only)) {
    if (Choice choice = first_of(backend); choice.kernel) return choice;
  }
  return {};
}

bool KernelTable::has(const Operator& op, Backend backend) const {
  return op.id < operators_.size() && !operators_[op.id].of[static_cast<size_t>(backend)].empty();
}

}  // namespace assay::ops
