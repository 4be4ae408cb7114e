#include "engine/archive/upgraders.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ir/copy.h"
#include "engine/ops/catalog.h"
#include "engine/script/compiler.h"

namespace assay::archive {
namespace {

constexpr Upgrader rows[] = {
#define UPGRADER(op, since, function) {op, since, function},
#include "engine/archive/upgraders.def"
#undef UPGRADER
};

// Before version 4 a division without a mode rounded towards zero unless an operand was floating
// point. Before 5, `full` without a dtype gave floats. Before 8 and 9, linspace and logspace had
// 100 steps by default. Before 10, gelu had no approximation.
constexpr std::string_view source = R"SCRIPT(
def div_Tensor_0_3(self: Tensor, other: Tensor) -> Tensor:
  if self.is_floating_point() or other.is_floating_point():
    return torch.div(self, other)
  return torch.div(self, other, rounding_mode="trunc")

def div_Tensor_mode_0_3(self: Tensor, other: Tensor, *, rounding_mode: Optional[str]) -> Tensor:
  return torch.div(self, other, rounding_mode=rounding_mode)

def div_Scalar_0_3(self: Tensor, other: number) -> Tensor:
  if self.is_floating_point() or isinstance(other, float):
    return torch.div(self, other)
  return torch.div(self, other, rounding_mode="trunc")

def div_Scalar_mode_0_3(self: Tensor, other: number, *, rounding_mode: Optional[str]) -> Tensor:
  return torch.div(self, other, rounding_mode=rounding_mode)

def div_out_0_3(self: Tensor, other: Tensor, *, out: Tensor) -> Tensor:
  if self.is_floating_point() or other.is_floating_point() or out.is_floating_point():
    return torch.div(self, other, out=out)
  return torch.div(self, other, rounding_mode="trunc", out=out)

def div_out_mode_0_3(self: Tensor, other: Tensor, *, rounding_mode: Optional[str], out: Tensor) -> Tensor:
  return torch.div(self, other, rounding_mode=rounding_mode, out=out)

def div__Tensor_0_3(self: Tensor, other: Tensor) -> Tensor:
  if self.is_floating_point() or other.is_floating_point():
    return self.div_(other)
  return self.div_(other, rounding_mode="trunc")

def div__Tensor_mode_0_3(self: Tensor, other: Tensor, *, rounding_mode: Optional[str]) -> Tensor:
  return self.div_(other, rounding_mode=rounding_mode)

def div__Scalar_0_3(self: Tensor, other: number) -> Tensor:
  if self.is_floating_point() or isinstance(other, float):
    return self.div_(other)
  return self.div_(other, rounding_mode="trunc")

def div__Scalar_mode_0_3(self: Tensor, other: number, *, rounding_mode: Optional[str]) -> Tensor:
  return self.div_(other, rounding_mode=rounding_mode)

def full_0_4(size: List[int], fill_value: number, *, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
  if dtype is None:
    return torch.full(size, float(fill_value), dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
  return torch.full(size, fill_value, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)

def full_out_0_4(size: List[int], fill_value: number, *, out: Tensor) -> Tensor:
  return torch.full(size, fill_value, out=out)

def linspace_0_7(start: number, end: number, steps: Optional[int], *, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
  count = 100 if steps is None else steps
  return torch.linspace(start, end, count, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)

def linspace_out_0_7(start: number, end: number, steps: Optional[int], *, out: Tensor) -> Tensor:
  count = 100 if steps is None else steps
  return torch.linspace(start, end, count, out=out)

def logspace_0_8(start: number, end: number, steps: Optional[int], base: float, *, dtype: Optional[int], layout: Optional[int], device: Optional[Device], pin_memory: Optional[bool]) -> Tensor:
  count = 100 if steps is None else steps
  return torch.logspace(start, end, count, base, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)

def logspace_out_0_8(start: number, end: number, steps: Optional[int], base: float, *, out: Tensor) -> Tensor:
  count = 100 if steps is None else steps
  return torch.logspace(start, end, count, base, out=out)

def gelu_0_9(self: Tensor) -> Tensor:
  return torch.gelu(self, approximate="none")

def gelu_out_0_9(self: Tensor, *, out: Tensor) -> Tensor:
  return torch.gelu(self, approximate="none", out=out)
)SCRIPT";

/// Inlines the function in place of the node; its parameters take the operator's arguments by name.
void replace(ir::Node* node, const ir::Function& function) {
  const ops::Schema& schema = node->op()->schema;
  std::vector<ir::Value*> arguments;
  for (const ops::Argument& parameter : function.schema().arguments) {
    auto at = schema.find_argument(parameter.name);
    base::invariant(at.has_value(), "upgrader ", function.qualified_name(),
                    " has a parameter that its operator lacks: ", parameter.name);
    arguments.push_back(node->input(*at));
  }
  std::vector<ir::Value*> results = ir::inline_graph(function.graph(), node, arguments);
  node->output()->replace_all_uses(results.at(0));
  node->erase();
}

}  // namespace

std::span<const Upgrader> upgraders() { return rows; }

bool Upgrades::needed() const {
  return std::any_of(std::begin(rows), std::end(rows),
                     [&](const Upgrader& row) { return version_ < row.since; });
}

const ir::Function& Upgrades::body(std::string_view name) {
  if (!functions_) {
    functions_ = std::make_unique<ir::Unit>();
    script::compile_source(*functions_, std::string(source));
  }
  return functions_->function(fmt::format("__torch__.{}", name));
}

void Upgrades::apply(ir::Function& function) {
  bool changed = false;
  function.graph().for_each([&](ir::Node* node) {
    if (node->op() == nullptr) return;
    for (const Upgrader& row : rows) {
      if (version_ >= row.since || node->op()->qualified_name != row.op) continue;
      replace(node, body(row.function));
      changed = true;
      return;
    }
  });
  if (changed) function.touch();
}

}  // namespace assay::archive
