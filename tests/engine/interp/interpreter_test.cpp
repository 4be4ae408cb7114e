#include "engine/interp/interpreter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/builtin/register.h"
#include "engine/ops/composite/register.h"
#include "engine/ops/size_tracker.h"
#include "tests/engine/interp/program.h"

namespace assay::interp {
namespace {

using core::Value;

core::Tensor tensor(std::vector<float> items) {
  core::Tensor made =
      core::Tensor::empty(core::Dims{static_cast<int64_t>(items.size())}, core::DType::float32);
  std::copy(items.begin(), items.end(), made.device_data<float>());
  return made;
}

constexpr const char* sum_to_n = R"(graph(%n : int):
  %t : bool = prim::Constant[value=1]()
  %z : int = prim::Constant[value=0]()
  %s : int = prim::Loop(%n, %t, %z)
    block0(%i : int, %s.1 : int):
      %s.2 : int = aten::add(%s.1, %i)
      -> (%t, %s.2)
  return (%s)
)";

TEST(Interpreter, SumsInALoopOfTwoInstructions) {
  Program program;
  ir::Function& sum = program.add("sum", sum_to_n);
  EXPECT_EQ(program.interpreter.run(sum, {10}).to_int(), 45);
  EXPECT_EQ(program.interpreter.run(sum, {0}).to_int(), 0);
  EXPECT_EQ(program.interpreter.run(sum, {-3}).to_int(), 0);
  std::string text = program.interpreter.code_of(sum)->str();
  EXPECT_NE(text.find("add_int r5 = r5 r3\n4 count_next r3 ->3"), std::string::npos) << text;
}

TEST(Interpreter, ScalarsThroughTheDispatcherGiveTheSame) {
  Program program;
  ir::Function& sum = program.add("sum", sum_to_n);
  program.interpreter.set_options({.scalar_instructions = false});
  std::string text = program.interpreter.code_of(sum)->str();
  EXPECT_NE(text.find("call_operator"), std::string::npos) << text;
  if (program.table.has(ops::get_operator("aten::add.int"), ops::Backend::reference)) {
    EXPECT_EQ(program.interpreter.run(sum, {10}).to_int(), 45);
  }
}

// Fibonacci by swapping two carried values; the condition reads an old one.
TEST(Interpreter, CarriedValuesMayChangePlaces) {
  Program program;
  const char* text = R"(graph(%limit : int):
  %max : int = prim::Constant[value=1000]()
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %a : int, %b : int, %go : bool = prim::Loop(%max, %t, %zero, %one, %t)
    block0(%i : int, %a.1 : int, %b.1 : int, %go.1 : bool):
      %c : int = aten::add(%a.1, %b.1)
      %go.2 : bool = aten::lt(%c, %limit)
      -> (%go.1, %b.1, %c, %go.2)
  %r : (int, int) = prim::TupleConstruct(%a, %b)
  return (%r)
)";
  // As the same loop in Python: a, b, go = 0, 1, True; the old go decides.
  int64_t a = 0, b = 1;
  bool go = true;
  while (true) {
    bool old = go;
    int64_t c = a + b;
    go = c < 20;
    a = b;
    b = c;
    if (!old) break;
  }
  Value result = program.run(text, {20});
  EXPECT_EQ(result.tuple().items[0].to_int(), a);
  EXPECT_EQ(result.tuple().items[1].to_int(), b);
}

TEST(Interpreter, SwapsInACircle) {
  Program program;
  const char* text = R"(graph(%n : int, %x : str, %y : str):
  %t : bool = prim::Constant[value=1]()
  %p : str, %q : str = prim::Loop(%n, %t, %x, %y)
    block0(%i : int, %a : str, %b : str):
      -> (%t, %b, %a)
  %r : (str, str) = prim::TupleConstruct(%p, %q)
  return (%r)
)";
  Value result = program.run(text, {3, "x", "y"});
  EXPECT_EQ(result.tuple().items[0].to_string(), "y");
  EXPECT_EQ(result.tuple().items[1].to_string(), "x");
}

constexpr const char* choose = R"(graph(%c : bool, %x : Tensor, %y : Tensor):
  %r : Tensor = prim::If(%c)
    block0():
      %l : Tensor[] = prim::ListConstruct(%x, %y)
      %one : int = prim::Constant[value=-1]()
      %z : Tensor = aten::__getitem__(%l, %one)
      -> (%z)
    block1():
      -> (%x)
  return (%r)
)";

TEST(Interpreter, BranchesShareTheirResult) {
  Program program;
  ir::Function& f = program.add("f", choose);
  core::Tensor x = tensor({1}), y = tensor({2});
  EXPECT_TRUE(program.interpreter.run(f, {true, x, y}).to_tensor().same(y));
  EXPECT_TRUE(program.interpreter.run(f, {false, x, y}).to_tensor().same(x));
  EXPECT_THROW(program.interpreter.run(f, {1, x, y}), base::Error);
}

// A tensor that is read for the last time does not live on in a register.
TEST(Interpreter, EmptiesRegistersAtTheLastRead) {
  Program program;
  const char* text = R"(graph(%x : Tensor):
  %l : Tensor[] = prim::ListConstruct(%x)
  %n : int = aten::len(%l)
   = prim::Print(%n)
  return (%n)
)";
  core::Tensor x = tensor({1, 2});
  uint32_t during = 0;
  program.interpreter.set_print([&](std::string_view) { during = x.impl()->use_count(); });
  core::Values args{x};
  program.run(text, std::move(args));
  EXPECT_EQ(during, 1u);
}

// As in PyTorch: each place once in a run, and again in the next.
TEST(Interpreter, WarnsOncePerPlaceAndRun) {
  Program program;
  const char* text = R"(graph(%n : int):
  %yes : bool = prim::Constant[value=1]()
  %level : int = prim::Constant[value=2]()
  %text : str = prim::Constant[value="told"]()
   = prim::Loop(%n, %yes)
    block0(%i : int):
       = aten::warn(%text, %level)
      -> (%yes)
   = aten::warn(%text, %level)
  return (%n)
)";
  std::vector<std::string> heard;
  program.interpreter.set_warn(
      [&](const std::string& message, const base::SourceRange&) { heard.push_back(message); });
  ir::Function& function = program.add("f", text);
  program.interpreter.run(function, {core::Value(3)});
  EXPECT_EQ(heard, (std::vector<std::string>{"told", "told"}));
  program.interpreter.run(function, {core::Value(1)});
  EXPECT_EQ(heard.size(), 4u);
}

TEST(Interpreter, CallsOperatorsOfTheCatalog) {
  Program program;
  const char* text = R"(graph(%x : Tensor, %y : Tensor):
  %two : int = prim::Constant[value=2]()
  %z : Tensor = aten::add(%x, %y, %two)
  return (%z)
)";
  core::Tensor z = program.run(text, {tensor({1, 2}), tensor({10, 20})}).to_tensor();
  EXPECT_EQ(z.data<float>()[0], 21);
  EXPECT_EQ(z.data<float>()[1], 42);
}

// PyTorch's graph executor: a loaded trace of `torch.arange(3) * 0.1` gives float32, as eager does.
TEST(Interpreter, AZeroDimConstantIsANumberInArithmetic) {
  Program program;
  const char* text = R"(graph(%x : Tensor):
  %tenth : Double(requires_grad=0, device=cpu) = prim::Constant[value={0.1}]()
  %y : Tensor = aten::%s(%x, %tenth)
  %z : (Tensor, Tensor) = prim::TupleConstruct(%y, %tenth)
  return (%z)
)";
  core::Tensor whole = core::Tensor::empty(core::Dims{1}, core::DType::int64);
  *whole.data<int64_t>() = 3;
  auto types_of = [&](const std::string& op) {
    std::string made = text;
    made.replace(made.find("%s"), 2, op);
    core::Value both = program.run(made, {whole});
    return std::pair(both.tuple().items[0].to_tensor().dtype(),
                     both.tuple().items[1].to_tensor().dtype());
  };
  for (const char* op : {"mul", "div"}) {
    EXPECT_EQ(types_of(op), std::pair(core::DType::float32, core::DType::float64)) << op;
  }
  // Not among those that the executor rewrites.
  EXPECT_EQ(types_of("maximum").first, core::DType::float64);
}

TEST(Interpreter, UnknownOperatorsFailOnlyWhenReached) {
  Program program;
  const char* text = R"(graph(%c : bool, %x : Tensor):
  %r : Tensor = prim::If(%c)
    block0():
      %z : Tensor = other::thing(%x)
      -> (%z)
    block1():
      -> (%x)
  return (%r)
)";
  ir::Function& f = program.add("f", text);
  EXPECT_TRUE(program.interpreter.run(f, {false, tensor({1})}).is_tensor());
  try {
    program.interpreter.run(f, {true, tensor({1})});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::unsupported);
    EXPECT_EQ(error.message(), "unknown operator other::thing");
  }
}

TEST(Interpreter, CallsMethodsThroughTheClass) {
  Program program;
  auto type = std::make_shared<core::ClassType>("__torch__.Counter");
  type->add_attribute("n", core::int_type());
  type->add_method("bump");
  program.unit.define_class(type);
  program.add("__torch__.Counter.bump", R"(graph(%self : __torch__.Counter, %by : int):
  %n : int = prim::GetAttr[name="n"](%self)
  %m : int = aten::add(%n, %by)
   = prim::SetAttr[name="n"](%self, %m)
  return (%m)
)");
  ir::Function& twice = program.add("twice", R"(graph(%c : __torch__.Counter, %by : int):
  %a : int = prim::CallMethod[name="bump"](%c, %by)
  %b : int = prim::CallMethod[name="bump"](%c, %by)
  return (%b)
)");
  auto object = base::make_ref<core::Object>(type);
  object->set_attribute("n", 5);
  EXPECT_EQ(program.interpreter.run(twice, {object, 3}).to_int(), 11);
  EXPECT_EQ(object->attribute("n").to_int(), 11);
  EXPECT_EQ(program.interpreter.call_method(object, "bump", {}, {{"by", 4}}).to_int(), 15);
  EXPECT_THROW(program.interpreter.call_method(object, "missing", {}), base::Error);
}

TEST(Interpreter, ErrorsTellTheStack) {
  Program program;
  program.add("inner", R"(graph(%x : int):
  %m : str = prim::Constant[value="bad value"]()
  %k : str = prim::Constant[value="builtins.ValueError"]()
   = prim::RaiseException(%m, %k) # inner.py:7:8
  return (%x)
)");
  ir::Function& outer = program.add("pkg.outer", R"(graph(%x : int):
  %f : Function = prim::Constant[name="inner"]()
  %y : int = prim::CallFunction(%f, %x) # outer.py:3:4
  return (%y)
)");
  try {
    program.interpreter.run(outer, {1});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.message(), "bad value");
    EXPECT_EQ(error.raised_class(), "builtins.ValueError");
    EXPECT_EQ(error.range().place(), "inner.py:7");
    EXPECT_EQ(error.context(), (std::vector<std::string>{"File \"inner.py\", line 7, in inner",
                                                         "File \"outer.py\", line 3, in outer"}));
  }
  // The interpreter is as good as new.
  EXPECT_EQ(program.run(sum_to_n, {5}).to_int(), 10);
}

std::string message_of(Program& program, const std::string& text, core::Values args) {
  try {
    program.run(text, std::move(args));
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    return error.message();
  }
  return "";
}

TEST(Interpreter, ACastMustBeTrue) {
  for (const char* type :
       {"Tensor", "int", "int[]", "Tensor[]", "Dict(str, int)", "(int, Tensor)", "Device"}) {
    Program program;
    std::string text = std::string("graph(%a : Any):\n  %b : ") + type +
                       " = prim::unchecked_cast(%a)\n  return (%b)\n";
    try {
      program.run(text, {std::string("text")});
      ADD_FAILURE() << type;
    } catch (const base::Error& e) {
      EXPECT_NE(e.describe().find("a value of type str is said to be of type"), std::string::npos)
          << e.describe();
    }
  }
  Program program;
  EXPECT_EQ(
      program.run("graph(%a : int?):\n  %b : int = prim::unchecked_cast(%a)\n  return (%b)\n", {7})
          .to_int(),
      7);
}

TEST(Interpreter, WhatNobodyMadeIsStillOfItsType) {
  auto blank = [](const std::string& type) {
    return Program().run("graph():\n  %a : " + type + " = prim::Uninitialized()\n  return (%a)\n",
                         {});
  };
  EXPECT_EQ(blank("int").to_int(), 0);
  EXPECT_EQ(blank("str").to_string(), "");
  EXPECT_TRUE(blank("Tensor[]").list().items.empty());
  EXPECT_EQ(blank("(int, float[])").tuple().items.at(0).to_int(), 0);
  EXPECT_TRUE(blank("Tensor").is_none());
}

TEST(Interpreter, FailsInPyTorchsWords) {
  Program program;
  auto list = core::make_list(core::int_type(), {1, 2, 3});
  EXPECT_EQ(message_of(program,
                       "graph(%l : int[], %i : int):\n"
                       "  %x : int = aten::__getitem__(%l, %i)\n  return (%x)\n",
                       {list, 3}),
            "list index out of range");
  EXPECT_EQ(message_of(program,
                       "graph(%l : int[]):\n  %a : int, %b : int = prim::ListUnpack(%l)\n"
                       "  return (%a)\n",
                       {list}),
            "Expected 2 elements in a list but found 3");
  EXPECT_EQ(message_of(program,
                       "graph(%x : int, %y : int):\n"
                       "  %z : int = aten::floordiv(%x, %y)\n  return (%z)\n",
                       {1, 0}),
            "division by 0");
}

TEST(Interpreter, ForkKeepsTheErrorInTheFuture) {
  Program program;
  const char* text = R"(graph(%x : int, %wanted : bool):
  %zero : int = prim::Constant[value=0]()
  %f : Future[int] = prim::fork_0(%x)
  %r : int = prim::If(%wanted)
    block0():
      %y : int = aten::wait(%f)
      -> (%y)
    block1():
      -> (%zero)
  return (%r)
with prim::fork_0 = graph(%x.1 : int):
  %ten : int = prim::Constant[value=10]()
  %q : int = aten::floordiv(%ten, %x.1)
  return (%q)
)";
  ir::Function& f = program.add("f", text);
  EXPECT_EQ(program.interpreter.run(f, {5, true}).to_int(), 2);
  EXPECT_EQ(program.interpreter.run(f, {0, false}).to_int(), 0);
  EXPECT_THROW(program.interpreter.run(f, {0, true}), base::Error);
}

// `with` leaves its context when the body raises.
TEST(Interpreter, LeavesContextsOnErrors) {
  Program program;
  auto type = std::make_shared<core::ClassType>("__torch__.Guard");
  type->add_attribute("open", core::int_type());
  program.unit.define_class(type);
  auto setter = [](const char* value, const char* params) {
    return std::string("graph(%self : __torch__.Guard") + params +
           "):\n  %v : int = prim::Constant[value=" + value +
           "]()\n   = prim::SetAttr[name=\"open\"](%self, %v)\n"
           "  %n : NoneType = prim::Constant()\n  return (%n)\n";
  };
  program.add("__torch__.Guard.__enter__", setter("1", ""));
  program.add("__torch__.Guard.__exit__", setter("2", ", %t : Any, %v.1 : Any, %b : Any"));
  ir::Function& f = program.add("f", R"(graph(%g : __torch__.Guard, %x : int):
  %ten : int = prim::Constant[value=10]()
  %e : NoneType = prim::Enter(%g)
  %q : int = aten::floordiv(%ten, %x)
  %l : NoneType = prim::Exit(%g)
  return (%q)
)");
  for (int64_t x : {5, 0}) {
    auto guard = base::make_ref<core::Object>(type);
    guard->set_attribute("open", 0);
    if (x)
      program.interpreter.run(f, {guard, x});
    else
      EXPECT_THROW(program.interpreter.run(f, {guard, x}), base::Error);
    EXPECT_EQ(guard->attribute("open").to_int(), 2);
  }
}

TEST(Interpreter, ALimitReachedOnTheWayOutLeavesNoFrameBehind) {
  Program program;
  auto type = std::make_shared<core::ClassType>("__torch__.Endless");
  program.unit.define_class(type);
  program.add("__torch__.Endless.__enter__",
              "graph(%self : __torch__.Endless):\n  return (%self)\n");
  program.add("__torch__.Endless.__exit__", R"(graph(%self : __torch__.Endless):
  %t : bool = prim::Constant[value=1]()
  %n : int = prim::Constant[value=1000000000]()
   = prim::Loop(%n, %t)
    block0(%i : int):
      -> (%t)
  %none : NoneType = prim::Constant()
  return (%none)
)");
  ir::Function& f = program.add("f", R"(graph(%g : __torch__.Endless, %x : int):
  %ten : int = prim::Constant[value=10]()
  %e : __torch__.Endless = prim::Enter(%g)
  %q : int = aten::floordiv(%ten, %x)
  %l : NoneType = prim::Exit(%g)
  return (%q)
)");
  program.interpreter.set_limits({.steps = 500});
  for (int run = 0; run < 2; ++run) {
    try {
      program.interpreter.run(f, {base::make_ref<core::Object>(type), 0});
      ADD_FAILURE() << "nothing was raised";
    } catch (const base::Error& e) {
      EXPECT_EQ(e.message(), "the program took more than 500 steps");
    }
    EXPECT_EQ(program.context.location, nullptr);
    EXPECT_EQ(program.run(sum_to_n, {400}).to_int(), 399 * 400 / 2);  // Steps count anew.
  }
}

TEST(Interpreter, StopsAtLimits) {
  Program program;
  program.interpreter.set_limits({.steps = 1000});
  EXPECT_EQ(message_of(program, sum_to_n, {int64_t{1} << 60}),
            "the program took more than 1000 steps");
  EXPECT_EQ(program.run(sum_to_n, {999}).to_int(), 998 * 999 / 2);
  program.interpreter.set_limits({.time = std::chrono::milliseconds(20)});
  EXPECT_EQ(message_of(program, sum_to_n, {int64_t{1} << 60}), "the program took more than 20 ms");
  program.add("again", R"(graph(%x : int):
  %f : Function = prim::Constant[name="again"]()
  %y : int = prim::CallFunction(%f, %x)
  return (%y)
)");
  program.interpreter.set_limits({.call_depth = 100});
  EXPECT_THROW(program.interpreter.run(program.unit.function("again"), {1}), base::Error);
}

TEST(Interpreter, BoundsWhatTensorsOfARunHold) {
  Program program;
  const char* zeros = R"(graph(%n : int):
  %none : NoneType = prim::Constant()
  %one : int = prim::Constant[value=1]()
  %sizes : int[] = prim::ListConstruct(%n)
  %x : Tensor = aten::zeros(%sizes, %none, %none, %none, %none)
  %y : Tensor = aten::neg(%x)
  %z : Tensor = aten::add(%x, %y, %one)
  return (%z)
)";
  auto around = core::Tensor::empty(core::Dims{1000}, core::DType::float32);
  program.interpreter.set_limits({.memory = 1000});
  EXPECT_NO_THROW(program.run(zeros, {100}));
  EXPECT_EQ(message_of(program, zeros, {200}),
            "not enough memory: you tried to allocate 800 bytes on cpu beyond the limit of 1000 "
            "bytes");
  EXPECT_NO_THROW(program.run(zeros, {100}));  // Each run by itself.
}

TEST(Interpreter, SpendsOperandsThatDieWithACall) {
  Program program;
  const char* negated = R"(graph(%n : int):
  %none : NoneType = prim::Constant()
  %sizes : int[] = prim::ListConstruct(%n)
  %x : Tensor = aten::ones(%sizes, %none, %none, %none, %none)
  %y : Tensor = aten::neg(%x)
  %z : Tensor = aten::exp(%y)
  return (%z)
)";
  program.interpreter.set_limits({.memory = 1000});
  core::Tensor out = program.run(negated, {200}).to_tensor();  // Of 800 bytes.
  EXPECT_FLOAT_EQ(out.data<float>()[199], std::exp(-1.0f));
}

TEST(Interpreter, AppendsAndGivesTheListBack) {
  Program program;
  Value list = program.run(R"(graph(%n : int):
  %t : bool = prim::Constant[value=1]()
  %xs : int[] = prim::ListConstruct()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %ys : int[] = aten::append(%xs, %i)
      %zs : int[] = aten::append(%ys, %n)
      -> (%t)
  return (%xs)
)",
                           {2});
  EXPECT_TRUE(list.equals(core::make_list(core::int_type(), {0, 2, 1, 2})));
}

TEST(Interpreter, SortsObjectsByTheirMethod) {
  Program program;
  auto type = std::make_shared<core::ClassType>("__torch__.Card");
  type->add_attribute("n", core::int_type());
  program.unit.define_class(type);
  program.add("__torch__.Card.__lt__", R"(graph(%self : __torch__.Card, %other : __torch__.Card):
  %a : int = prim::GetAttr[name="n"](%self)
  %b : int = prim::GetAttr[name="n"](%other)
  %c : bool = aten::lt(%a, %b)
  return (%c)
)");
  ir::Function& f = program.add("f", R"(graph(%l : __torch__.Card[], %reverse : bool):
   = aten::sort(%l, %reverse)
  return (%l)
)");
  auto order = [&](bool reverse) {
    core::Values cards;
    for (int64_t n : {3, 1, 2, 5, 4}) {
      auto card = base::make_ref<core::Object>(type);
      card->set_attribute("n", n);
      cards.push_back(card);
    }
    Value sorted = program.interpreter.run(f, {core::make_list(type, cards), reverse});
    std::string text;
    for (const Value& card : sorted.list().items)
      text += std::to_string(card.object().attribute("n").to_int());
    return text;
  };
  EXPECT_EQ(order(false), "12345");
  EXPECT_EQ(order(true), "54321");
}

TEST(Interpreter, SizesKeepTheirIdentityThroughAProgram) {
  Program program;
  ops::builtin::register_kernels(program.table);
  ops::composite::register_kernels(program.table);
  program.interpreter.set_options({.scalar_instructions = false});
  ir::Function& f = program.add("f", R"(graph(%x : Tensor):
  %z : int = prim::Constant[value=0]()
  %two : int = prim::Constant[value=2]()
  %rest : int = prim::Constant[value=-1]()
  %true : bool = prim::Constant[value=1]()
  %n : int = aten::size(%x, %z)
  %m : int = prim::Loop(%two, %true, %n)
    block0(%i : int, %s.1 : int):
      %s.2 : int = aten::mul(%s.1, %two)
      -> (%true, %s.2)
  %sizes : int[] = prim::ListConstruct(%m, %rest)
  %y : Tensor = aten::reshape(%x, %sizes)
  %more : bool = aten::gt(%m, %two)
  %all : (Tensor, int, bool) = prim::TupleConstruct(%y, %m, %more)
  return (%all)
)");
  core::Tensor x = core::Tensor::empty(core::Dims{3, 8}, core::DType::float32);
  ops::SizeTracker tracker(program.context);
  tracker.follow("x", x);
  ops::HandlerScope scope(program.context, tracker);
  core::Values results = program.interpreter.run(f, {x}).tuple().items;
  EXPECT_EQ(results[1].to_int(), 12);
  EXPECT_EQ(tracker.expressions().text(results[1].identity()), "mul(mul(x.size(0), 2), 2)");
  core::Tensor y = results[0].to_tensor();
  EXPECT_EQ(tracker.size(y, 0), results[1].identity());
  EXPECT_EQ(tracker.evaluate(tracker.size(y, 1), {5, 16})->to_int(), 4);
  EXPECT_FALSE(tracker.evaluate(results[2].identity(), {0, 8})->to_bool());
}

TEST(Interpreter, RecompilesEditedGraphs) {
  Program program;
  ir::Function& f = program.add("f",
                                "graph(%x : int):\n  %c : int = prim::Constant[value=1]()\n"
                                "  %y : int = aten::add(%x, %c)\n  return (%y)\n");
  EXPECT_EQ(program.interpreter.run(f, {1}).to_int(), 2);
  f.graph().find_all("prim::Constant").at(0)->set("value", int64_t{41});
  f.touch();
  EXPECT_EQ(program.interpreter.run(f, {1}).to_int(), 42);
}

}  // namespace
}  // namespace assay::interp
