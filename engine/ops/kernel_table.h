#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/ops/catalog.h"

namespace assay::ops {

class Call;

/// One implementation of an operator.
struct Kernel {
  std::string_view op;  ///< Qualified name of a functional row: "aten::add.Tensor".
  void (*run)(Call&);   ///< Fills the declared results, or makes them (Call::finish).
  bool (*accepts)(const Call&) = nullptr;  ///< Null: always.
};

/// Where a kernel runs. `composite` kernels call other operators and run on every device.
enum class Backend : uint8_t { reference, cpu, cuda, composite };

/// (operator, backend) → ordered candidates, most special first. Filled once by engine/api.
class KernelTable {
 public:
  /// Appends candidates; each operator must be in the catalog (an internal error otherwise).
  void add(Backend backend, std::string_view name, std::span<const Kernel> kernels);

  struct Choice {
    const Kernel* kernel = nullptr;
    std::string_view name;  ///< Name given to add(): "reference", "onednn".
    Backend backend = Backend::reference;
  };
  /// First accepting candidate for a device with this backend. `cpu` (the CPU, and devices that run
  /// its kernels): cpu, then composite, then reference; with `reference_only`, reference, then
  /// composite. `cuda`: cuda, then composite, for nothing of the host's runs there; with
  /// `reference_only`, composite. Null kernel if there is none.
  Choice choose(const Call& call, Backend device, bool reference_only) const;
  bool has(const Operator& op, Backend backend) const;

 private:
  struct Candidate {
    Kernel kernel;
    std::string_view name;
  };
  using Candidates = std::vector<Candidate>;
  struct PerOperator {
    Candidates of[4];
  };
  std::vector<PerOperator> operators_;  // By Operator::id.
};

}  // namespace assay::ops
