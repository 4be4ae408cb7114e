#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/cases/case.h"
#include "verify/observation/gradient_flow.h"
#include "verify/observation/observation.h"
#include "verify/observation/omission.h"

namespace assay::verify {

/// What parameters are multiplied by where they change after the export (the axis `state`): exact
/// in every type, so that both sides have the same ones.
inline constexpr double changed_parameters = 1.25;

/// A run in which every inexact operator was rounded at random.
struct RoundedRun {
  Observation run;
  /// The run that rounding moved; nothing: what Runner::run gives.
  std::optional<Observation> plain = std::nullopt;
};

/// Something that can run a model at a case: the engine with an archive, a host, a recording.
///
/// An implementation must give equal observations for equal cases of a deterministic model: state
/// is restored before each run, the model's generator is seeded with Case::model_seed(), and the
/// arguments come from `materialize`. It makes Case::calls() calls in a row, each with arguments of
/// its own, and observes the last one. It never throws for what the model does: that is an
/// observation.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual Observation run(const Case& c) = 0;
  /// The same run, with every inexact operator rounded at random (RandomRounding); each draw gives
  /// another one. Nothing where the runner cannot do that.
  virtual std::optional<RoundedRun> run_rounded(const Case&, uint64_t /*draw*/) { return {}; }
  /// The same run, with these lines of the model without effect. Nothing where the runner cannot do
  /// that: what it runs has no lines.
  virtual std::optional<Observation> run_without(const Case&, const std::vector<Omission>&) {
    return {};
  }
  /// How gradients flow through the last call of a case, with its floating inputs asking for them.
  virtual GradientFlow gradient_flow(const Case&, const FlowWish&) {
    return GradientFlow::unknown(name() + " tells nothing of gradients");
  }
  /// "engine", "PyTorch 1.13.1 (/usr/bin/python3)", "calls.rec".
  virtual std::string name() const = 0;
  /// A run may cost less than to remember it: no other process is asked.
  virtual bool is_in_process() const { return false; }
  /// Empty when this case can be run; else why not ("no device cuda:0", "mode train").
  virtual std::string cannot_run(const Case&) const { return {}; }
  /// What a report has to say of how the cases were run; empty where nothing is special.
  virtual std::string remark() const { return {}; }
  /// A runner that has nothing but certain cases (a recording) gives them; null otherwise.
  virtual const std::vector<Case>* only_cases() const { return nullptr; }
};

}  // namespace assay::verify
