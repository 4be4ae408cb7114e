#include "verify/compare/growth.h"

#include <algorithm>
#include <cmath>

#include "engine/ops/catalog.h"

namespace assay::verify {

namespace {

constexpr double least = 16;
/// What a reduction without a weight is taken to be long: a softmax over a sequence, a pooled
/// image.
constexpr double unknown_length = 256;

/// The class of the overload that the step calls; where that is not known, the loosest of its name.
ops::Numeric numeric_of(const Step& step) {
  if (step.node && step.node->op()) return step.node->op()->numeric();
  ops::Numeric loosest = ops::Numeric::exact;
  for (const ops::Operator* op : ops::overloads(base::Symbol(step.op))) {
    loosest = std::max(loosest, op->numeric());
  }
  return loosest;
}

/// Elements of the weight that one output element sums over.
double fan_in(const core::Dims& sizes) {
  if (sizes.size() < 2) return 1;
  double elements = 1;
  for (size_t d = 1; d < sizes.size(); ++d) elements *= static_cast<double>(sizes[d]);
  return std::max(elements, static_cast<double>(sizes[0]));
}

double reduction_length(const Step& step, const std::map<std::string, core::Dims>& weights) {
  double longest = 0;
  for (const Operand& operand : step.operands) {
    if (operand.kind != Operand::Kind::parameter) continue;
    auto found = weights.find(operand.path);
    if (found != weights.end()) longest = std::max(longest, fan_in(found->second));
  }
  return longest > 1 ? longest : unknown_length;
}

}  // namespace

double growth_of(const Program& program, const std::map<std::string, core::Dims>& weights) {
  double total = 0;
  for (const Step& step : program.steps) {
    switch (numeric_of(step)) {
      case ops::Numeric::exact:
      case ops::Numeric::random:
      case ops::Numeric::unspecified:
        break;
      case ops::Numeric::correctly_rounded:
        total += 1;
        break;
      case ops::Numeric::ulp:
        total += 4;
        break;
      case ops::Numeric::reassociating:
        total += std::sqrt(reduction_length(step, weights));
    }
  }
  return std::max(least, total);
}

double growth_of(const EngineExport& exported) {
  std::map<std::string, core::Dims> weights;
  api::Module module = exported.load();
  for (const auto& named : {module.parameters(), module.buffers(), module.attributes()}) {
    for (const auto& [path, value] : named) {
      if (value.is_tensor()) weights.emplace(path, value.to_tensor().sizes());
    }
  }
  return growth_of(exported.program(), weights);
}

}  // namespace assay::verify
