#include "engine/kernels/cuda/libraries.h"

#include <array>
#include <type_traits>

#include "engine/base/error.h"

namespace assay::kernels::cuda {
namespace {

/// One handle for each device, of the thread that asks. They are not given back: the libraries may
/// be gone before a thread's last moments.
template <typename Handle, typename Make>
Handle handle_for(core::Device device, Make make) {
  thread_local std::array<Handle, core::max_devices> made{};
  Handle& handle = made[static_cast<size_t>(device.index)];
  if (!handle) handle = make();
  return handle;
}

}  // namespace

cublasHandle_t blas_of(const ops::Call& call) {
  Queue queue = queue_of(call);
  cublasHandle_t handle = handle_for<cublasHandle_t>(call.device(), [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), "starting cuBLAS");
    return made;
  });
  check(cublasSetStream(handle, queue.stream), "choosing a stream");
  return handle;
}

cublasLtHandle_t blas_lt_of(const ops::Call& call) {
  queue_of(call);
  return handle_for<cublasLtHandle_t>(call.device(), [] {
    cublasLtHandle_t made = nullptr;
    check(cublasLtCreate(&made), "starting cuBLAS");
    return made;
  });
}

cudnnHandle_t dnn_of(const ops::Call& call) {
  Queue queue = queue_of(call);
  cudnnHandle_t handle = handle_for<cudnnHandle_t>(call.device(), [] {
    cudnnHandle_t made = nullptr;
    check(cudnnCreate(&made), "starting cuDNN");
    return made;
  });
  check(cudnnSetStream(handle, queue.stream), "choosing a stream");
  return handle;
}

cusolverDnHandle_t solver_of(const ops::Call& call) {
  Queue queue = queue_of(call);
  cusolverDnHandle_t handle = handle_for<cusolverDnHandle_t>(call.device(), [] {
    cusolverDnHandle_t made = nullptr;
    check(cusolverDnCreate(&made), "starting cuSOLVER");
    return made;
  });
  check(cusolverDnSetStream(handle, queue.stream), "choosing a stream");
  return handle;
}

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) [[likely]]
    return;
  base::fail("cuBLAS refused ", what, ": ", cublasGetStatusString(status));
}

void check(cudnnStatus_t status, const char* what) {
  if (status == CUDNN_STATUS_SUCCESS) [[likely]]
    return;
  base::fail("cuDNN refused ", what, ": ", cudnnGetErrorString(status));
}

void check(cusolverStatus_t status, const char* what) {
  if (status == CUSOLVER_STATUS_SUCCESS) [[likely]]
    return;
  base::fail("cuSOLVER refused ", what, ": status ", static_cast<int>(status));
}

void check(cufftResult status, const char* what) {
  if (status == CUFFT_SUCCESS) [[likely]]
    return;
  base::fail("cuFFT refused ", what, ": status ", static_cast<int>(status));
}

}  // namespace assay::kernels::cuda
