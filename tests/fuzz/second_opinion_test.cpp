#include "fuzz/second_opinion.h"

#include <gtest/gtest.h>

#include "fuzz/session.h"
#include "tests/support/fake_model.h"
#include "verify/run/backed_runner.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::Finding;
using verify::Observation;
using verify::RunReport;
using verify::testing::FakeRunner;
using verify::testing::gave;
using verify::testing::raised;

int64_t size_of(const Case& c) { return c.point.sizes.at("n"); }

/// The model: a one for each element.
Observation model(const Case& c) { return gave({size_of(c)}); }

/// An archive that assay's engine runs in one way and PyTorch in another.
struct Check {
  Check(FakeRunner::Body by_engine, FakeRunner::Body by_pytorch)
      : engine(std::make_shared<FakeRunner>(std::move(by_engine))),
        pytorch(std::make_shared<FakeRunner>(std::move(by_pytorch))) {
    request.spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..20"}});
    request.subject.handover = std::make_shared<verify::Handover>();
    request.subject.in_pytorch = pytorch;
    request.subject.runner = backed();
    request.reference = {verify::ReferenceKind::host, std::make_shared<FakeRunner>(model)};
    request.properties = {std::make_shared<verify::Parity>()};
    request.campaign.budget.max_examples = 40;
  }
  std::shared_ptr<verify::Runner> backed() const {
    return std::make_shared<verify::BackedRunner>(engine, pytorch, request.subject.handover);
  }
  RunReport run() const { return run_session(request); }

  std::shared_ptr<FakeRunner> engine, pytorch;
  SessionRequest request;
};

const Finding* of_class(const RunReport& r, const std::string& id) {
  for (const Finding& f : r.findings) {
    if (f.class_id == id) return &f;
  }
  return nullptr;
}

bool hands_over(const RunReport& r) {
  return std::any_of(r.not_tested.begin(), r.not_tested.end(), [](const std::string& note) {
    return note.find("runs the archive otherwise than PyTorch at x f32[") != std::string::npos &&
           note.ends_with(": fake runs the archive instead");
  });
}

TEST(SecondOpinion, SomeOfTheCasesThatPassAreRunByPytorch) {
  Check check(model, model);
  RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_passed);
  EXPECT_EQ(r.in_pytorch.host, "fake");
  EXPECT_EQ(r.in_pytorch.passing, 40);
  EXPECT_EQ(r.in_pytorch.run, 12);
  EXPECT_EQ(r.in_pytorch.reason, "");
  EXPECT_EQ(check.pytorch->runs, 12);
  EXPECT_FALSE(hands_over(r));
}

TEST(SecondOpinion, WhatOnlyPytorchRefusesIsAFinding) {
  Check check(model, [](const Case& c) {
    return size_of(c) >= 7 ? raised("\"cummin\" not implemented for 'Half'") : model(c);
  });
  RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].visibility, verify::Visibility::loud);
  EXPECT_EQ(size_of(*r.findings[0].smallest_case), 7);  // Shrunk by PyTorch's runs.
  EXPECT_EQ(r.findings[0].confirmation, "fake runs the archive otherwise than the model, too");
  EXPECT_EQ(r.totals.valid, 40);
  EXPECT_TRUE(hands_over(r));
  EXPECT_EQ(r.in_pytorch.host, "");  // All cases were.
}

TEST(SecondOpinion, WhatBothRejectAndPytorchTakesIsAFinding) {
  auto picky = [](const Case& c) { return size_of(c) > 10 ? raised("no") : model(c); };
  Check check(picky, model);
  check.request.reference.runner = std::make_shared<FakeRunner>(picky);
  RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].visibility, verify::Visibility::lenient);
}

TEST(SecondOpinion, AFaultOfAssaysHidesNoneOfTheExport) {
  // The engine is wrong everywhere; the export itself from 9 elements on.
  Check check([](const Case& c) { return gave({size_of(c)}, 3); },
              [](const Case& c) { return gave({size_of(c)}, size_of(c) < 9 ? 1 : 2); });
  RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  ASSERT_EQ(r.findings.size(), 2u);
  const Finding* fault = &r.findings[0];
  EXPECT_EQ(fault->visibility, verify::Visibility::silent);
  EXPECT_EQ(size_of(*fault->smallest_case), 9);
  const Finding* ours = of_class(r, "AS118");
  ASSERT_NE(ours, nullptr);
  EXPECT_EQ(ours->visibility, verify::Visibility::latent);
  EXPECT_NE(ours->confirmation.find("the fault is assay's"), std::string::npos);
  for (const verify::JudgedPoint& p : r.points) {
    EXPECT_EQ(p.finding, p.sizes.at("n") < 9 ? "" : fault->id);
  }
}

TEST(SecondOpinion, AFaultOfAssaysAloneIsANote) {
  Check check([](const Case& c) { return gave({size_of(c)}, 3); }, model);
  RunReport r = check.run();
  EXPECT_TRUE(r.gate.passed);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].class_id, "AS118");
  EXPECT_EQ(r.totals.failed, 0);
  EXPECT_EQ(r.totals.valid, 40);
  EXPECT_TRUE(hands_over(r));
}

TEST(SecondOpinion, AnEngineThatIsWrongInItsOwnWayDoesNotExplainTheExportsFault) {
  // Both are wrong at every case but n = 1, in two ways.
  Check check([](const Case& c) { return gave({size_of(c)}, size_of(c) == 1 ? 1 : 3); },
              [](const Case& c) { return gave({size_of(c)}, size_of(c) == 1 ? 1 : 2); });
  RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  EXPECT_TRUE(hands_over(r));
  EXPECT_EQ(of_class(r, "AS118"), nullptr);
}

/// Gives what the other gives, and rounds it by 1e-5.
class Rounding final : public verify::Runner {
 public:
  explicit Rounding(std::shared_ptr<FakeRunner> plain) : plain_(std::move(plain)) {}
  Observation run(const Case& c) override { return plain_->run(c); }
  std::optional<verify::RoundedRun> run_rounded(const Case& c, uint64_t) override {
    return verify::RoundedRun{gave({size_of(c)}, 1 + 1e-5F)};
  }
  std::string name() const override { return "rounding"; }

 private:
  std::shared_ptr<FakeRunner> plain_;
};

TEST(SecondOpinion, RoundingExcusesPytorchAsFarAsItExcusesTheEngine) {
  for (float off : {2e-5F, 3e-3F}) {  // Of PyTorch's run; the engine's is off by the first.
    Check check([](const Case& c) { return gave({size_of(c)}, 1 + 2e-5F); },
                [off](const Case& c) { return gave({size_of(c)}, 1 + off); });
    check.request.subject.runner = std::make_shared<verify::BackedRunner>(
        std::make_shared<Rounding>(check.engine), check.pytorch, check.request.subject.handover);
    RunReport r = check.run();
    bool excused = off < 1e-3F;
    EXPECT_EQ(hands_over(r), !excused);
    EXPECT_EQ(r.gate.passed, excused);
    if (excused) {
      EXPECT_EQ(r.benign["AS117"], r.totals.elements);
      EXPECT_EQ(r.in_pytorch.run, 32);  // All are doubtful.
    }
  }
}

TEST(SecondOpinion, PytorchRunsWhatTheEngineGaveUp) {
  Check check(
      [](const Case& c) {
        if (size_of(c) != 2) return model(c);
        Observation gave_up;
        gave_up.ending = verify::Ending::exhausted;
        return gave_up;
      },
      model);
  RunReport r = check.run();
  EXPECT_TRUE(r.gate.passed);
  EXPECT_EQ(r.totals.uncompared, 0);
  EXPECT_TRUE(hands_over(r));
}

TEST(SecondOpinion, HelpersFollow) {
  Check check(model,
              [](const Case& c) { return size_of(c) >= 7 ? raised("not implemented") : model(c); });
  RunReport alone = check.run();
  check.request.subject.handover = std::make_shared<verify::Handover>();
  check.request.subject.runner = check.backed();
  for (int k = 0; k < 2; ++k) {
    Helper helper{check.request.subject, check.request.reference};
    helper.subject.runner = check.backed();
    helper.reference.runner = std::make_shared<FakeRunner>(model);
    check.request.campaign.helpers.push_back(helper);
  }
  RunReport together = check.run();
  EXPECT_EQ(together.totals.failed, alone.totals.failed);
  EXPECT_EQ(together.totals.valid, 40);
  EXPECT_EQ(together.gate.exit_code, verify::exit_failed);
}

TEST(SecondOpinion, WhatPytorchShowedOnceIsNotForgotten) {
  int left = 1;
  Check check(model, [&](const Case& c) { return left-- == 1 ? raised("once") : model(c); });
  RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_TRUE(r.findings[0].flaky);
  EXPECT_EQ(r.outcomes[0].status, verify::Status::flaky);
}

TEST(SecondOpinion, AnArchiveThatPytorchCannotLoadIsNoFaultAndNoAgreement) {
  Check check(model, [](const Case&) {
    Observation none;
    none.failure = verify::Failure{"not_run", "cannot load it", "load", {}, {}};
    return none;
  });
  RunReport r = check.run();
  EXPECT_TRUE(r.gate.passed);
  EXPECT_EQ(r.in_pytorch.run, 0);
  EXPECT_EQ(r.in_pytorch.reason, "cannot load it");
}

TEST(SecondOpinion, AsksOnlyAsLongAsItMay) {
  Check check(model, model);
  double now = 0;
  check.request.campaign.clock = [&] { return now += 0.3; };
  RunReport r = check.run();
  EXPECT_TRUE(r.gate.passed);
  EXPECT_LT(r.in_pytorch.run, 12);
  EXPECT_EQ(r.in_pytorch.reason, "its share of the time was over");
}

TEST(SecondOpinion, NoCaseIsBegunThatWouldEndLongAfterTheTimeOfTheCheck) {
  for (double seconds : {30.0, 1.0}) {
    Check check(model, model);
    check.request.reference.runner = std::make_shared<FakeRunner>([&](const Case& c) {
      Observation o = model(c);
      o.wall_seconds = seconds;
      return o;
    });
    check.request.campaign.budget.max_seconds = 10;
    check.request.campaign.clock = [] { return 0.0; };
    RunReport r = check.run();
    EXPECT_TRUE(r.gate.passed);
    EXPECT_EQ(r.in_pytorch.run, seconds > 10 ? 0 : 12);
    EXPECT_EQ(r.in_pytorch.reason, seconds > 10 ? "there was no time left for a case" : "");
  }
}

TEST(SecondOpinion, AnArchiveAsReferenceIsNoWordOfPytorchs) {
  Check check(model, [](const Case&) { return raised("no"); });
  check.request.reference.kind = verify::ReferenceKind::archive;  // Assay's engine runs that, too.
  EXPECT_TRUE(check.run().gate.passed);
  EXPECT_EQ(check.pytorch->runs, 0);
}

}  // namespace
}  // namespace assay::fuzz
