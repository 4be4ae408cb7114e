// What kernels of a GPU report is told with the call that it belongs to.

#include "engine/kernels/cuda/faults.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/cuda/gpu.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::Tensor;

constexpr core::Device gpu{core::DeviceType::cuda, 0};

class Faults : public OnGpu<> {
 protected:
  Tensor on_gpu(double number, core::DType dtype) {
    Tensor host = core::tensor_from({core::Scalar(number)}, Dims{1}, dtype);
    return ops::relocate(engine_.context(), host, gpu, dtype);
  }
  Tensor call(const char* op, core::Values args) {
    return ops::call(engine_.context(), op, std::move(args)).to_tensor();
  }

  api::Engine engine_ = gpu_engine();
};

TEST_F(Faults, AreToldWhenTheHostWaits) {
  Tensor table = on_gpu(1, core::DType::float32);
  Tensor row = call("aten::take", {table, on_gpu(5, core::DType::int64)});
  EXPECT_THROW(core::to_host(row), base::Error);
  EXPECT_NO_THROW(core::to_host(table));
}

// The kernel finds an index too large, then the host finds that `out` cannot hold the result.
TEST_F(Faults, AreToldByTheCallThatFails) {
  Tensor table = on_gpu(1.5, core::DType::float32), flag = on_gpu(1, core::DType::boolean);
  core::Values args{table, on_gpu(5, core::DType::int64), flag};
  try {
    call("aten::take.out", args);
    ADD_FAILURE() << "nothing was refused";
  } catch (const base::Error& e) {
    EXPECT_NE(e.message().find("index 5 is out of bounds"), std::string::npos) << e.message();
  }
  EXPECT_NO_THROW(core::to_host(table));
}

}  // namespace
}  // namespace assay::kernels::testing
