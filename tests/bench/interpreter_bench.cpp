// What the interpreter costs when the arithmetic is nothing; interpreter.py puts PyTorch beside it.

#include <benchmark/benchmark.h>

#include "engine/kernels/cpu/register.h"
#include "tests/engine/interp/program.h"

namespace assay::interp {
namespace {

constexpr int64_t turns = 100000;

void run_loop(benchmark::State& state, const char* text) {
  Program program;
  ir::Function& function = program.add("loop", text);
  for (auto _ : state) {
    core::Value result = program.interpreter.run(function, {turns});
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations() * turns);
}

void int_loop(benchmark::State& state) {
  run_loop(state, R"(graph(%n : int):
  %t : bool = prim::Constant[value=1]()
  %z : int = prim::Constant[value=0]()
  %s : int = prim::Loop(%n, %t, %z)
    block0(%i : int, %s.1 : int):
      %s.2 : int = aten::add(%s.1, %i)
      -> (%t, %s.2)
  return (%s)
)");
}
BENCHMARK(int_loop);

void float_loop(benchmark::State& state) {
  run_loop(state, R"(graph(%n : int):
  %t : bool = prim::Constant[value=1]()
  %z : float = prim::Constant[value=0.]()
  %h : float = prim::Constant[value=0.5]()
  %o : float = prim::Constant[value=1.]()
  %s : float = prim::Loop(%n, %t, %z)
    block0(%i : int, %s.1 : float):
      %s.2 : float = aten::mul(%s.1, %h)
      %s.3 : float = aten::add(%s.2, %o)
      -> (%t, %s.3)
  return (%s)
)");
}
BENCHMARK(float_loop);

void branch_loop(benchmark::State& state) {
  run_loop(state, R"(graph(%n : int):
  %t : bool = prim::Constant[value=1]()
  %z : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %three : int = prim::Constant[value=3]()
  %s : int = prim::Loop(%n, %t, %z)
    block0(%i : int, %s.1 : int):
      %m : int = aten::remainder(%i, %three)
      %c : bool = aten::eq(%m, %z)
      %s.4 : int = prim::If(%c)
        block0():
          %s.2 : int = aten::add(%s.1, %i)
          -> (%s.2)
        block1():
          %s.3 : int = aten::sub(%s.1, %one)
          -> (%s.3)
      -> (%t, %s.4)
  return (%s)
)");
}
BENCHMARK(branch_loop);

void list_loop(benchmark::State& state) {
  run_loop(state, R"(graph(%n : int):
  %t : bool = prim::Constant[value=1]()
  %z : int = prim::Constant[value=0]()
  %xs : int[] = prim::ListConstruct()
   = prim::Loop(%n, %t)
    block0(%i : int):
      %ys : int[] = aten::append(%xs, %i)
      -> (%t)
  %k : int = aten::len(%xs)
  %s : int = prim::Loop(%k, %t, %z)
    block0(%i.1 : int, %s.1 : int):
      %v : int = aten::__getitem__(%xs, %i.1)
      %s.2 : int = aten::add(%s.1, %v)
      -> (%t, %s.2)
  return (%s)
)");
}
BENCHMARK(list_loop);

core::Value one_element(float value) {
  core::Tensor made = core::Tensor::empty(core::Dims{1}, core::DType::float32);
  made.device_data<float>()[0] = value;
  return made;
}

/// A loop over tensors; `operators` of them each turn.
void run_tensor_loop(benchmark::State& state, int64_t operators, const char* text) {
  Program program;
  kernels::cpu::register_kernels(program.table);
  ir::Function& function = program.add("loop", text);
  constexpr int64_t count = 2000;
  for (auto _ : state) {
    core::Value result = program.interpreter.run(
        function, {one_element(1.0F), one_element(0.001F), one_element(0.999F), count});
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations() * count * operators);
}

void add_loop(benchmark::State& state) {
  run_tensor_loop(state, 1, R"(graph(%x : Tensor, %y : Tensor, %z : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %r : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %x.1 : Tensor):
      %x.2 : Tensor = aten::add(%x.1, %y, %one)
      -> (%t, %x.2)
  return (%r)
)");
}
BENCHMARK(add_loop);

void tensor_loop(benchmark::State& state) {
  run_tensor_loop(state, 2, R"(graph(%x : Tensor, %y : Tensor, %z : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %r : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %x.1 : Tensor):
      %x.2 : Tensor = aten::add(%x.1, %y, %one)
      %x.3 : Tensor = aten::mul(%x.2, %z)
      -> (%t, %x.3)
  return (%r)
)");
}
BENCHMARK(tensor_loop);

}  // namespace
}  // namespace assay::interp
