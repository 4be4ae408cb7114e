#include "verify/graph/program.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/ir/parser.h"

namespace assay::verify {
namespace {

/// view(x, [2, -1]) under a condition, then a named parameter added.
Program branching() {
  return flatten(ir::parse(R"(graph(%self : NoneType,
      %x.1 : Tensor,
      %flag : bool):
  %two : int = prim::Constant[value=2]()
  %minus : int = prim::Constant[value=-1]()
  %one : int = prim::Constant[value=1]()
  %y : Tensor = prim::If(%flag) # m.py:3:4
    block0():
      %s : int[] = prim::ListConstruct(%two, %minus)
      %v : Tensor = aten::view(%x.1, %s) # m.py:4:8
      -> (%v)
    block1():
      -> (%x.1)
  %z : Tensor = aten::add(%y, %x.1, %one) # m.py:5:4
  return (%z)
)"));
}

size_t step_of(const Program& p, const std::string& op) {
  for (size_t i = 0; i < p.steps.size(); ++i) {
    if (p.steps[i].op == op) return i;
  }
  ADD_FAILURE() << "no step " << op;
  return 0;
}

TEST(Flatten, BlocksFollowTheirNodeAndAreClosed) {
  Program p = branching();
  std::vector<std::string> ops;
  for (const Step& s : p.steps) ops.push_back(s.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"prim::If", "prim::ListConstruct", "aten::view", "}",
                                           "}", "aten::add", "}"}));
}

TEST(Flatten, PartsOfATupleInSightAreReadThemselves) {
  Program p = flatten(ir::parse(R"(graph(%x.1 : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::relu(%x.1)
  %inner : (Tensor, Tensor) = prim::TupleConstruct(%a, %x.1)
  %outer : ((Tensor, Tensor), Tensor) = prim::TupleConstruct(%inner, %a)
  %i : (Tensor, Tensor), %b : Tensor = prim::TupleUnpack(%outer)
  %c : Tensor, %d : Tensor = prim::TupleUnpack(%i)
  %z : Tensor = aten::add(%c, %d, %one)
  %w : Tensor = aten::add(%z, %b, %one)
  %kept : (Tensor, Tensor) = prim::TupleConstruct(%z, %w)
  return (%kept)
)"));
  std::vector<std::string> ops;
  for (const Step& s : p.steps) ops.push_back(s.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"aten::relu", "aten::add", "aten::add",
                                           "prim::TupleConstruct", "}"}));
  EXPECT_EQ(p.steps[1].operands[0].kind, Operand::Kind::result);
  EXPECT_EQ(p.steps[1].operands[1].kind, Operand::Kind::input);
  EXPECT_EQ(p.steps[2].operands[1].step, 0u);
}

TEST(Flatten, OperandsAreLiteralsInputsOrResults) {
  Program p = branching();
  const Step& view = p.steps[step_of(p, "aten::view")];
  EXPECT_EQ(view.operands[0].kind, Operand::Kind::input);
  EXPECT_EQ(view.operands[1].kind, Operand::Kind::result);
  EXPECT_EQ(view.operands[1].step, step_of(p, "prim::ListConstruct"));
  const Step& add = p.steps[step_of(p, "aten::add")];
  EXPECT_EQ(add.operands[0].kind, Operand::Kind::result);
  EXPECT_EQ(add.operands[0].step, step_of(p, "prim::If"));
  EXPECT_EQ(add.operands[2].literal.to_int(), 1);
  EXPECT_EQ(add.file, "m.py");
  EXPECT_EQ(add.line, 5);
}

/// `y = relu(x)` with the Python stack of a trace, innermost frame first.
Step traced(const std::string& stack) {
  auto graph = ir::parse("graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n");
  auto source = std::make_shared<base::Source>();
  source->text = stack;
  ir::Node* relu = graph->outputs()[0]->node();
  relu->set_range({source, 0, stack.size()});
  return flatten(graph).steps[0];
}

TEST(Flatten, APlaceIsTheUsersInnermostLineInTheModel) {
  const std::string tracer =
      "/usr/lib/python3/dist-packages/torch/jit/_trace.py(976): trace_module\n";
  const std::string library = "/usr/lib/python3/dist-packages/torch/nn/functional.py(12): relu\n";
  Step step = traced(library + "model.py(8): forward\n" + tracer + "export.py(3): <module>\n");
  EXPECT_EQ(step.file, "model.py");
  EXPECT_EQ(step.line, 8);
  EXPECT_EQ(step.function, "forward");
  // What the tracer does itself, such as taking a dict apart, is at no line of whoever called it.
  step = traced(tracer + "export.py(3): <module>\n");
  EXPECT_EQ(step.file, "");
  EXPECT_EQ(step.line, 0);
  // A function under @script_if_tracing is called by way of the same file.
  step = traced(
      "/usr/lib/python3/dist-packages/torch/jit/_trace.py(1120): wrapper\nmodel.py(9): forward\n");
  EXPECT_EQ(step.line, 9);
}

TEST(IsScripted, StepsAtLinesThatNoTraceRecorded) {
  EXPECT_TRUE(is_scripted(branching()));
  Program trace = branching();
  trace.steps.back().traced = true;
  EXPECT_FALSE(is_scripted(trace));
  Program nothing = flatten(ir::parse("graph(%x : Tensor):\n  return (%x)\n"));
  EXPECT_FALSE(is_scripted(nothing)) << "a trace of what does nothing looks so, too";
}

TEST(CopyProgram, IsTheSameOverAnotherGraph) {
  Program p = branching(), copy = copy_program(p);
  ASSERT_EQ(copy.steps.size(), p.steps.size());
  for (size_t i = 0; i < p.steps.size(); ++i) {
    EXPECT_EQ(copy.steps[i].key(), p.steps[i].key());
    if (p.steps[i].node) {
      EXPECT_NE(copy.steps[i].node, p.steps[i].node);
    }
  }
  EXPECT_NE(copy.graph, p.graph);
}

TEST(Role, OfAListsElementIsItsReadersArgument) {
  Program p = branching();
  size_t list = step_of(p, "prim::ListConstruct");
  EXPECT_EQ(role_of(p, list, 0), "size[0]");
  EXPECT_EQ(role_of(p, list, 1), "size[1]");
  EXPECT_EQ(served_op(p, list), "aten::view");
  EXPECT_EQ(role_of(p, step_of(p, "aten::add"), 2), "alpha");
}

TEST(ServedOp, OfWhatIsGivenBackIsWhatPutsItTogether) {
  Program p = flatten(ir::parse(R"(graph(%x : Tensor):
  %y : Tensor = aten::relu(%x)
  %both : (Tensor, Tensor) = prim::TupleConstruct(%y, %x)
  return (%both)
)"));
  EXPECT_EQ(served_op(p, step_of(p, "prim::TupleConstruct")), "prim::TupleConstruct");
}

/// A step of this Python stack, innermost call first.
Step recorded_at(const std::vector<std::string>& stack) {
  auto graph = ir::parse(R"(graph(%x : Tensor):
  %y : Tensor = aten::relu(%x)
  return (%y)
)");
  auto source = std::make_shared<base::Source>();
  for (const std::string& call : stack) source->text += call + "\n";
  graph->for_each([&](ir::Node* node) { node->set_range({source, 0, 0}); });
  return flatten(std::move(graph)).steps[0];
}

const std::string torch = "/lib/dist-packages/torch/";

TEST(Flatten, ATracedStepIsAtTheLineThatCalledTheLibrary) {
  Step step = recorded_at({torch + "nn/functional.py(1252): dropout", "model.py(14): forward",
                           torch + "jit/_trace.py(976): trace_module", "export.py(3): <module>"});
  EXPECT_TRUE(step.traced);
  EXPECT_FALSE(step.in_layer);
  EXPECT_EQ(step.file, "model.py");
  EXPECT_EQ(step.line, 14);
  EXPECT_EQ(step.function, "forward");
}

TEST(Flatten, ALayersStepIsTheLayers) {
  std::string call = torch + "nn/modules/module.py(1194): _call_impl";
  EXPECT_TRUE(
      recorded_at({torch + "nn/functional.py(1252): dropout",
                   torch + "nn/modules/dropout.py(59): forward", call, "model.py(14): forward"})
          .in_layer);
  EXPECT_FALSE(recorded_at({"model.py(14): forward", call, "model.py(20): forward"}).in_layer);
}

TEST(Flatten, WhatTracingItselfDidHasNoLine) {
  Step step = recorded_at({torch + "jit/_trace.py(976): trace_module", "export.py(3): <module>"});
  EXPECT_TRUE(step.traced);
  EXPECT_EQ(step.file, "");
  EXPECT_EQ(step.line, 0);
}

TEST(Flatten, AScriptedStepIsNotTraced) {
  Program p = branching();
  EXPECT_FALSE(p.steps[step_of(p, "aten::view")].traced);
}

TEST(Located, IsTheNearestKnownLine) {
  Program p = branching();
  // A list has no line: the view that reads it has.
  EXPECT_EQ(located(p, step_of(p, "prim::ListConstruct")).line, 4);
  EXPECT_EQ(located(p, step_of(p, "aten::add")).line, 5);
}

TEST(StepText, IsShortAndNamesTheLine) {
  Program p = branching();
  EXPECT_EQ(step_text(p.steps[step_of(p, "prim::ListConstruct")]), "prim::ListConstruct(2, -1)");
  EXPECT_EQ(step_text(p.steps[step_of(p, "aten::add")]), "aten::add(_, _, 1)  # m.py:5");
  EXPECT_EQ(step_text(p.steps.back()), "}");
}

core::Tensor of_one(double value, core::DType dtype, core::Dims sizes = {}) {
  core::Tensor t = core::Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i < t.numel(); ++i) {
    if (dtype == core::DType::int64) t.data<int64_t>()[i] = static_cast<int64_t>(value);
    if (dtype == core::DType::float64) t.data<double>()[i] = value;
    if (dtype == core::DType::float32) t.data<float>()[i] = static_cast<float>(value);
  }
  return t;
}

TEST(NumberOf, IsANumberOrATensorWithoutDimensions) {
  EXPECT_EQ(number_of(core::Value(7))->to_int(), 7);
  EXPECT_EQ(number_of(of_one(7, core::DType::int64))->to_int(), 7);
  EXPECT_EQ(number_of(of_one(2.5, core::DType::float64))->to_double(), 2.5);
  EXPECT_FALSE(number_of(of_one(7, core::DType::int64, {1})));
  EXPECT_FALSE(number_of(core::Value(std::string("7"))));
}

TEST(LiteralText, ReadsAsPython) {
  EXPECT_EQ(literal_text(core::Value()), "None");
  EXPECT_EQ(literal_text(core::Value(true)), "True");
  EXPECT_EQ(literal_text(core::Value(7)), "7");
  EXPECT_EQ(literal_text(core::Value(1.0)), "1.0");
  EXPECT_EQ(literal_text(core::Value(std::string("a'b"))), "\"a'b\"");
  EXPECT_EQ(literal_text(core::Value(core::Device{})), "'cpu'");
  EXPECT_EQ(literal_text(of_one(7, core::DType::int64)), "7");
}

TEST(SameLiteral, TellsKindsValuesAndElements) {
  double nan = std::nan("");
  EXPECT_TRUE(same_literal(core::Value(nan), core::Value(nan)));
  EXPECT_FALSE(same_literal(core::Value(nan), core::Value(1.0)));
  EXPECT_FALSE(same_literal(core::Value(true), core::Value(1)));
  EXPECT_TRUE(
      same_literal(of_one(1, core::DType::float32, {3}), of_one(1, core::DType::float32, {3})));
  EXPECT_FALSE(
      same_literal(of_one(1, core::DType::float32, {3}), of_one(2, core::DType::float32, {3})));
  EXPECT_FALSE(
      same_literal(of_one(1, core::DType::float32, {3}), of_one(1, core::DType::float32, {1, 3})));
  EXPECT_FALSE(same_literal(of_one(1, core::DType::float32), of_one(1, core::DType::float64)));
  EXPECT_TRUE(
      same_literal(of_one(0, core::DType::float32, {0}), of_one(5, core::DType::float32, {0})));
}

}  // namespace
}  // namespace assay::verify
