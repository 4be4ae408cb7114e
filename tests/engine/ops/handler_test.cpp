#include "engine/ops/handler.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

using core::Tensor;
using core::Value;
using Args = std::span<const Value>;

// Kernels whose results tell who ran: neg gives -x, abs gives 1000 + x, and chain_matmul, a
// composite, the neg of its first matrix.
void neg(Call& c) { *c.out().data<float>() = -*c.tensor(arg::self).data<float>(); }
void abs(Call& c) { *c.out().data<float>() = 1000 + *c.tensor(arg::self).data<float>(); }
void outer(Call& c) { c.finish(c.call("aten::neg", {c.tensors(arg::matrices)[0]})); }
void broken(Call&) { throw std::runtime_error("no such primitive"); }
void hungry(Call&) { throw std::bad_alloc(); }
constexpr Kernel kernels[] = {
    {"aten::neg", neg}, {"aten::abs", abs}, {"aten::exp", broken}, {"aten::log", hungry}};
constexpr Kernel composites[] = {{"aten::chain_matmul", outer}};

/// Writes down what it hears in a common log, one word each.
struct Recorder : Handler {
  Recorder(std::string& common, std::string own_name, Stage own_stage = Stage::watch,
           bool hears_nested = false)
      : log(common), name(std::move(own_name)), place(own_stage), nested(hears_nested) {}

  Stage stage() const override { return place; }
  bool wants_nested() const override { return nested; }
  Results call(const Operator& op, Args args, const Next& next) override {
    log += name + ":" + std::string(op.symbol.name()) + "(" + std::to_string(args.size()) + ") ";
    return next(op, args);
  }
  void failed(const Operator&, const base::Error& e) override {
    log += name + "!" + e.message() + " ";
  }

  std::string& log;
  std::string name;
  Stage place;
  bool nested;
};

class HandlerTest : public ::testing::Test {
 protected:
  HandlerTest() {
    table_.add(Backend::reference, "reference", kernels);
    table_.add(Backend::composite, "composite", composites);
    context_.kernels = &table_;
  }

  static Tensor number(float value) {
    Tensor made = Tensor::empty(core::Dims{}, core::DType::float32);
    *made.data<float>() = value;
    return made;
  }
  float run(const char* op, core::Values args) {
    return *call(context_, op, std::move(args)).to_tensor().data<float>();
  }
  float composite(float x) {
    return run("aten::chain_matmul", {core::make_tensor_list({number(x)})});
  }

  KernelTable table_;
  Context context_;
  std::string log_;
};

TEST_F(HandlerTest, CallsPassByStageThenNewestFirst) {
  Recorder watch(log_, "watch"), change(log_, "change", Stage::change),
      older(log_, "older", Stage::record), newer(log_, "newer", Stage::record);
  HandlerScope a(context_, watch), b(context_, change), c(context_, older), d(context_, newer);
  EXPECT_EQ(run("aten::neg", {number(2)}), -2);
  EXPECT_EQ(log_, "change:neg(1) newer:neg(1) older:neg(1) watch:neg(1) ");
}

TEST_F(HandlerTest, LeaveWithTheirScope) {
  Recorder first(log_, "first"), second(log_, "second");
  {
    HandlerScope outer_scope(context_, first);
    { HandlerScope inner_scope(context_, second); }
    run("aten::neg", {number(2)});
  }
  EXPECT_TRUE(context_.handlers.empty());
  run("aten::neg", {number(2)});
  EXPECT_EQ(log_, "first:neg(1) ");
}

TEST_F(HandlerTest, SeeArgumentsWithDefaults) {
  Recorder recorder(log_, "r");
  HandlerScope scope(context_, recorder);
  Value meta(Tensor::empty(core::Dims{3}, core::DType::float32, {core::DeviceType::meta, -1}));
  call(context_, "aten::add.Tensor", {meta, meta});  // alpha=1
  EXPECT_EQ(log_, "r:add(3) ");
}

struct Changing : Handler {
  Stage stage() const override { return Stage::change; }
  Results call(const Operator& op, Args args, const Next& next) override {
    if (op.qualified_name != "aten::neg") return next(op, args);
    float x = *args[0].to_tensor().data<float>();
    if (x == 0) return {args[0]};                             // Answered here.
    if (x < 0) return next(get_operator("aten::abs"), args);  // Another operator.
    if (x > 99) base::fail("refused");
    Results once = next(op, args);  // Twice, on other arguments.
    return next(op, core::Values{once[0]});
  }
};

TEST_F(HandlerTest, MayAnswerChangeRepeatAndRefuse) {
  Changing changing;
  Recorder below(log_, "below");
  HandlerScope a(context_, changing), b(context_, below);
  EXPECT_EQ(run("aten::neg", {number(0)}), 0);
  EXPECT_EQ(log_, "");
  EXPECT_EQ(run("aten::neg", {number(-3)}), 997);
  EXPECT_EQ(log_, "below:abs(1) ");
  log_.clear();
  EXPECT_EQ(run("aten::neg", {number(5)}), 5);
  EXPECT_EQ(log_, "below:neg(1) below:neg(1) ");
  EXPECT_THROW(run("aten::neg", {number(100)}), base::Error);
}

TEST_F(HandlerTest, HearWhatCompositesCallIfTheyAsk) {
  Recorder outermost(log_, "outermost", Stage::record), all(log_, "all", Stage::watch, true);
  HandlerScope a(context_, outermost), b(context_, all);
  EXPECT_EQ(composite(2), -2);
  EXPECT_EQ(log_, "outermost:chain_matmul(1) all:chain_matmul(1) all:neg(1) ");
}

/// Calls a composite of its own before each call.
struct Calling : Recorder {
  using Recorder::Recorder;
  Results call(const Operator& op, Args args, const Next& next) override {
    ops::call(next.context(), "aten::chain_matmul", {core::make_tensor_list({number_})});
    return Recorder::call(op, args, next);
  }
  Tensor number_;
};

TEST_F(HandlerTest, OwnCallsPassTheHandlersBelow) {
  Recorder above(log_, "above", Stage::change, true);
  Calling calling(log_, "calling", Stage::record, true);
  calling.number_ = number(1);
  Recorder below(log_, "below");
  HandlerScope a(context_, above), b(context_, calling), c(context_, below);
  EXPECT_EQ(run("aten::neg", {number(2)}), -2);
  EXPECT_EQ(log_, "above:neg(1) below:chain_matmul(1) calling:neg(1) below:neg(1) ");
  log_.clear();
  // Below the composite the whole stack listens again.
  composite(2);
  EXPECT_EQ(log_,
            "above:chain_matmul(1) below:chain_matmul(1) calling:chain_matmul(1) "
            "below:chain_matmul(1) above:neg(1) calling:neg(1) ");
}

/// Enters another handler while it runs.
struct Entering : Handler {
  explicit Entering(Handler& other) : inner(other) {}
  Stage stage() const override { return Stage::change; }
  Results call(const Operator& op, Args args, const Next& next) override {
    HandlerScope scope(next.context(), inner);
    return next(op, args);
  }
  Handler& inner;
};

TEST_F(HandlerTest, MayEnterOthersWhileTheyRun) {
  Recorder inner(log_, "inner"), below(log_, "below");
  Entering entering(inner);
  HandlerScope a(context_, entering), b(context_, below);
  run("aten::neg", {number(2)});
  EXPECT_EQ(log_, "inner:neg(1) below:neg(1) ");
  run("aten::neg", {number(2)});
  EXPECT_EQ(log_, "inner:neg(1) below:neg(1) inner:neg(1) below:neg(1) ");
}

TEST_F(HandlerTest, HearOfErrorsInnermostFirst) {
  Changing changing;
  Recorder above(log_, "above", Stage::change), below(log_, "below");
  HandlerScope a(context_, changing), b(context_, above), c(context_, below);
  EXPECT_THROW(run("aten::neg", {number(100)}), base::Error);
  EXPECT_EQ(log_, "above:neg(1) above!refused ");
}

TEST_F(HandlerTest, AnErrorOfALibraryLeavesNothingBehind) {
  Recorder recorder(log_, "r", Stage::watch, true);
  {
    HandlerScope scope(context_, recorder);
    try {
      run("aten::exp", {number(1)});
      ADD_FAILURE() << "nothing was raised";
    } catch (const base::Error& e) {
      EXPECT_EQ(e.kind(), base::ErrorKind::unsupported);
      EXPECT_EQ(e.describe(), "a library failed: no such primitive\n  in aten::exp");
    }
    EXPECT_EQ(context_.depth, 0);
    EXPECT_EQ(log_, "r:exp(1) r!a library failed: no such primitive ");
    log_.clear();
    composite(2);  // Heard as before.
    EXPECT_EQ(log_, "r:chain_matmul(1) r:neg(1) ");
  }
  EXPECT_TRUE(context_.handlers.empty());
  try {
    run("aten::log", {number(1)});
    ADD_FAILURE() << "nothing was raised";
  } catch (const base::Error& e) {
    EXPECT_EQ(e.describe(), "not enough memory\n  in aten::log");
  }
}

struct Events : Handler {
  void answered(const Operator& op, std::string_view kernel) override {
    log += op.qualified_name + " by " + std::string(kernel) + "\n";
  }
  void allocated(core::Device device, size_t bytes) override {
    log += fmt::format("{} {}\n", device.text(), bytes);
  }
  std::string log;
};

TEST_F(HandlerTest, HearWhatHappened) {
  Events events;
  HandlerScope scope(context_, events);
  composite(2);
  EXPECT_EQ(events.log, "cpu 4\naten::chain_matmul by composite\n");
  events.log.clear();
  call(context_, "aten::t", {number(2)});
  EXPECT_EQ(events.log, "aten::t by rule\n");
}

}  // namespace
}  // namespace assay::ops
