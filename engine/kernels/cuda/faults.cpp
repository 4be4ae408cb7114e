#include "engine/kernels/cuda/faults.h"

#include "engine/base/error.h"
#include "engine/ops/catalog.h"

namespace assay::kernels::cuda {

void raise_faults(FaultBoard& board, core::Device device) {
  auto fault = static_cast<Fault>(board.fault);
  if (fault == Fault::none) return;
  FaultBoard seen = board;
  board = FaultBoard{};
  const std::string& op = ops::operator_of(seen.op).qualified_name;
  switch (fault) {
    case Fault::index_out_of_range:
      base::fail("index ", seen.value, " is out of bounds for dimension with size ", seen.bound,
                 " (", op, " on ", device.text(), ")");
    case Fault::division_by_zero:
      base::fail("ZeroDivisionError (", op, " on ", device.text(), ")");
    default:
      base::fail(op, " on ", device.text(), ": the elements of an argument are not allowed");
  }
}

}  // namespace assay::kernels::cuda
