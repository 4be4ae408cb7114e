#include "engine/trace/tracer.h"

#include <gtest/gtest.h>

#include "engine/core/memory_budget.h"
#include "engine/ir/verify.h"
#include "tests/engine/trace/traced.h"

// Expected texts: what PyTorch 1.13 prints for the trace of the Python function that stands above
// each test (without places: nobody tells the tracer any here).
namespace assay::trace {
namespace {

using core::Value;
using testing::Trace;

// def f(x, y): return x * 2 + y
TEST(Tracer, records_calls_with_their_constants_in_front) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 3}), y = trace.input("y", {2, 3});
  core::Tensor twice = trace("aten::mul.Tensor", {x, Trace::number(2)});
  core::Tensor sum = trace("aten::add.Tensor", {twice, y});
  EXPECT_EQ(trace.text(sum), R"(graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu),
      %y : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %2 : Long(requires_grad=0, device=cpu) = prim::Constant[value={2}]()
  %3 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::mul(%x, %2)
  %4 : int = prim::Constant[value=1]()
  %5 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%3, %y, %4)
  return (%5)
)");
}

// def f(x): return x.view(x.size(0), -1)
TEST(Tracer, sizes_are_values_of_the_graph) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 3});
  core::Tensor rows = trace.tracer.size(x, 0);
  Value size = trace.tracer.number(rows);
  EXPECT_EQ(size.to_int(), 2);
  core::Tensor flat =
      trace("aten::view", {x, core::make_list(core::int_type(), {size, Value(-1)})});
  EXPECT_EQ(trace.text(flat),
            R"(graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=0]()
  %2 : int = aten::size(%x, %1)
  %3 : Long(device=cpu) = prim::NumToTensor(%2)
  %4 : int = aten::Int(%3)
  %5 : int = prim::Constant[value=-1]()
  %6 : int[] = prim::ListConstruct(%4, %5)
  %7 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::view(%x, %6)
  return (%7)
)");
}

// def f(x):
//     z = x.neg()
//     z[0] = 1
//     z.copy_(x)
//     return z
TEST(Tracer, a_written_tensor_is_what_the_write_gives) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 3});
  core::Tensor z = trace("aten::neg", {x});
  core::Tensor row = trace("aten::select.int", {z, 0, 0});
  trace("aten::fill_.Tensor", {row, Trace::number(1)});
  trace("aten::copy_", {z, x});
  EXPECT_EQ(trace.text(z), R"(graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %1 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::neg(%x)
  %2 : int = prim::Constant[value=0]()
  %3 : int = prim::Constant[value=0]()
  %4 : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::select(%1, %2, %3)
  %5 : Long(requires_grad=0, device=cpu) = prim::Constant[value={1}]()
  %6 : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::fill_(%4, %5)
  %7 : bool = prim::Constant[value=0]()
  %8 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::copy_(%1, %x, %7)
  return (%8)
)");
}

// def f(x): return F.conv1d(x, x)     x: 2, 3, 4
TEST(Tracer, a_convolution_shows_the_operator_behind_it) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 3, 3});
  core::Tensor y = trace("aten::conv1d", {x, x});
  std::string text = trace.text(y);
  EXPECT_NE(text.find("aten::_convolution(%x, %x, %1, %3, %5, %7, %8, %10, %11, %12, %13, %14, "
                      "%15)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("aten::conv1d"), std::string::npos);
}

// def f(x):
//     a, b = x.split(1)
//     return a + b, x.sum() is unused
TEST(Tracer, takes_lists_apart_and_leaves_out_what_nobody_needs) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 3});
  Value parts = ops::call(trace.engine.context(), "aten::split.Tensor", {x, 1, 0});
  trace("aten::sum", {x});
  core::Tensor sum = trace("aten::add.Tensor", {parts.list().items[0], parts.list().items[1]});
  EXPECT_EQ(trace.text(core::make_tuple({sum, x})),
            R"(graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=0]()
  %3 : Tensor[] = aten::split(%x, %1, %2)
  %4 : Float(1, 3, strides=[3, 1], requires_grad=0, device=cpu), %5 : Float(1, 3, strides=[3, 1], requires_grad=0, device=cpu) = prim::ListUnpack(%3)
  %8 : int = prim::Constant[value=1]()
  %9 : Float(1, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::add(%4, %5, %8)
  %10 : (Float(1, 3, strides=[3, 1], requires_grad=0, device=cpu), Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)) = prim::TupleConstruct(%9, %x)
  return (%10)
)");
}

TEST(Tracer, a_nested_input_is_taken_apart) {
  Trace trace;
  Value pair = trace.tracer.input(core::make_tuple({Trace::tensor({2}), Trace::tensor({2})}), "p");
  core::Tensor sum = trace("aten::add.Tensor", {pair.tuple().items[0], pair.tuple().items[1]});
  std::string text = trace.text(sum);
  EXPECT_NE(text.find("= prim::TupleUnpack(%p)"), std::string::npos) << text;
  EXPECT_TRUE(ir::verify(*trace.graph).empty());
}

TEST(Tracer, refuses_an_output_that_it_did_not_see) {
  Trace trace;
  trace.input("x", {2});
  EXPECT_THROW(trace.tracer.output(Trace::tensor({2})), base::Error);
  EXPECT_THROW(trace.tracer.output(Value()), base::Error);
  core::DictRef dict = core::make_dict(core::string_type(), core::tensor_type());
  EXPECT_THROW(trace.tracer.output(dict), base::Error);
}

TEST(Tracer, a_call_that_raises_leaves_nothing_behind) {
  Trace trace;
  core::Tensor x = trace.input("x", {2, 3});
  EXPECT_THROW(trace("aten::view", {x, core::make_int_list(std::vector<int64_t>{7})}), base::Error);
  EXPECT_EQ(trace.text(trace("aten::relu", {x})).find("aten::view"), std::string::npos);
}

TEST(Tracer, names_a_value_when_it_is_read_first) {
  int asked = 0;
  Trace trace({.place = {},
               .user_place = {},
               .name_of =
                   [&](const core::Tensor&) {
                     ++asked;
                     return std::string("y");
                   },
               .warn = {}});
  core::Tensor x = trace.input("x", {2});
  core::Tensor y = trace("aten::relu", {x});
  std::string text = trace.text(trace("aten::neg", {y}));
  EXPECT_NE(text.find("aten::neg(%y)"), std::string::npos) << text;
  EXPECT_EQ(asked, 1);
}

TEST(Tracer, nothing_is_recorded_while_it_pauses) {
  Trace trace;
  core::Tensor x = trace.input("x", {2});
  {
    auto quiet = trace.tracer.pause();
    EXPECT_FALSE(trace.tracer.knows(trace("aten::relu", {x})));
  }
  EXPECT_TRUE(trace.tracer.knows(trace("aten::relu", {x})));
}

TEST(Tracer, tells_a_numbers_expression_over_the_inputs) {
  Trace trace;
  core::Tensor x = trace.input("x", {4, 3});
  core::Tensor half = trace("aten::floor_divide", {trace.tracer.size(x, 0), Trace::number(2)});
  EXPECT_EQ(trace.tracer.expression(half), "x.size(0) // 2");
  EXPECT_EQ(trace.tracer.expression(trace("aten::sum", {x})), "sum(x)");
}

TEST(Tracer, what_is_computed_element_by_element_is_as_large_as_what_it_is_of) {
  Trace trace;
  core::Tensor x = trace.input("x", {4, 3}), y = trace.input("y", {3});
  core::Tensor z = trace("aten::tanh", {trace("aten::mul.Tensor", {x, Trace::number(2)})});
  EXPECT_EQ(trace.tracer.expression_of_size(z, 1), "x.size(1)");
  core::Tensor joined = trace("aten::mul.Tensor", {x, y});
  EXPECT_EQ(trace.tracer.expression_of_size(joined, 1), "(x * y).size(1)");
}

TEST(Tracer, says_where_a_number_that_left_comes_back) {
  Trace trace;
  core::Tensor x = trace.input("x", {4, 3});
  size_t origin = trace.tracer.origins().leave({"x.size(0)", 4, "len", "net.py:3"});
  Value end = trace.tracer.with_origin(4, {"x.size(0)", {origin}});
  core::Tensor rows = trace("aten::narrow", {x, 0, 0, end});
  ASSERT_EQ(trace.tracer.origins().baked().size(), 1u);
  const Origins::Baked& baked = trace.tracer.origins().baked()[0];
  EXPECT_EQ(baked.op, "aten::narrow");
  EXPECT_EQ(baked.argument, "length");
  EXPECT_EQ(baked.expression, "x.size(0)");
  EXPECT_EQ(baked.from, Origins::From{origin});
}

TEST(Tracer, says_so_of_the_operator_that_the_graph_has) {
  Trace trace;
  core::Tensor x = trace.input("x", {1, 2, 5}), w = trace.input("w", {3, 2, 3});
  size_t origin = trace.tracer.origins().leave({"x.size(1)", 2, "int", "net.py:3"});
  Value padding = trace.tracer.with_origin(2, {"x.size(1)", {origin}});
  auto one = core::make_int_list(std::vector<int64_t>{1});
  core::Values args{x, w, {}, one, core::make_list(core::int_type(), {padding})};
  core::Tensor y = trace("aten::conv1d", args);
  ASSERT_EQ(trace.tracer.origins().baked().size(), 1u);
  const Origins::Baked& baked = trace.tracer.origins().baked()[0];
  EXPECT_EQ(baked.op, "aten::_convolution");
  EXPECT_EQ(baked.argument, "padding[0]");
  EXPECT_EQ(baked.value.to_int(), 2);
  EXPECT_EQ(y.size(2), 7);
}

// A loop whose condition never turns false.
TEST(Tracer, a_full_graph_refuses_more_and_stays_as_it_is) {
  Trace trace;
  trace.tracer.set_most_nodes(10);
  core::Tensor x = trace.input("x", {2});
  std::string last;
  auto endless = [&] {
    while (true) {
      x = trace("aten::relu", {x});
      last = trace.tracer.graph().str();
    }
  };
  EXPECT_THROW(
      {
        try {
          endless();
        } catch (const base::Error& error) {
          EXPECT_EQ(error.kind(), base::ErrorKind::input);
          EXPECT_EQ(error.ran_out_of(), base::Resource::memory);
          EXPECT_NE(error.message().find("limit of 10"), std::string::npos);
          throw;
        }
      },
      base::Error);
  EXPECT_THROW(trace.tracer.size(x, 0), base::Error);
  EXPECT_EQ(trace.tracer.graph().str(), last);
}

TEST(Tracer, lets_go_of_tensors_that_the_program_dropped) {
  Trace trace;
  core::Tensor x = trace.input("x", {256, 1024});  // One MiB.
  core::Tensor kept = trace("aten::neg", {x});
  core::MemoryScope bound(base::make_ref<core::MemoryBudget>(size_t{8} << 20));
  for (int turn = 0; turn < 1000; ++turn) x = trace("aten::relu", {x});
  EXPECT_TRUE(trace.tracer.knows(x));
  EXPECT_TRUE(trace.tracer.knows(kept));
}

}  // namespace
}  // namespace assay::trace
