#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verify/properties/parity.h"
#include "verify/properties/property.h"
#include "verify/spec/parser.h"

namespace assay::verify::testing {

inline Observation gave(core::Dims sizes, float value = 1) {
  core::Tensor out = core::Tensor::empty(sizes, core::DType::float32);
  for (int64_t k = 0; k < out.numel(); ++k) out.data<float>()[k] = value;
  Observation run;
  run.ending = Ending::returned;
  run.outputs = out;
  return run;
}

inline Observation raised(std::string message) {
  Observation run;
  run.ending = Ending::raised;
  run.failure = Failure{"RuntimeError", std::move(message), "run", {}, {}};
  return run;
}

/// A model that is a function of the case.
class FakeRunner final : public Runner {
 public:
  using Body = std::function<Observation(const Case&)>;
  explicit FakeRunner(Body body) : body_(std::move(body)) {}
  Observation run(const Case& c) override {
    ++runs;
    return body_(c);
  }
  std::string name() const override { return "fake"; }
  bool is_in_process() const override { return in_process; }
  std::string cannot_run(const Case& c) const override { return refuse ? refuse(c) : refusal; }
  const std::vector<Case>* only_cases() const override { return only.empty() ? nullptr : &only; }

  std::string refusal;
  std::function<std::string(const Case&)> refuse;  ///< Asked in place of `refusal` where set.
  std::vector<Case> only;
  bool in_process = false;
  std::atomic<int> runs = 0;

 private:
  Body body_;
};

/// A spec, a subject and a reference, ready for a campaign.
struct Trial {
  Trial(const std::vector<SpecPiece>& pieces, FakeRunner::Body subject_body,
        FakeRunner::Body reference_body)
      : spec(parse_spec(pieces)),
        subject_runner(std::make_shared<FakeRunner>(std::move(subject_body))),
        reference_runner(std::make_shared<FakeRunner>(std::move(reference_body))) {
    subject.runner = subject_runner;
    reference.runner = reference_runner;
    context.spec = &spec;
    context.subject = &subject;
    context.reference = &reference;
  }
  Trial(const Trial&) = delete;

  Spec spec;
  std::shared_ptr<FakeRunner> subject_runner, reference_runner;
  Subject subject;
  Reference reference;
  PropertyContext context;
  std::vector<std::shared_ptr<const Property>> parity{std::make_shared<Parity>()};
};

}  // namespace assay::verify::testing
