#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <cusolverDn.h>

#include "engine/kernels/cuda/queue.h"

// NVIDIA's libraries: what a call uses of each, on its device and stream. Handles are made at the
// first use by a thread and a device, and live as long as the process.
namespace assay::kernels::cuda {

cublasHandle_t blas_of(const ops::Call& call);
cublasLtHandle_t blas_lt_of(const ops::Call& call);
cudnnHandle_t dnn_of(const ops::Call& call);
cusolverDnHandle_t solver_of(const ops::Call& call);

// Raise an input error that says what the library refused.
void check(cublasStatus_t status, const char* what);
void check(cudnnStatus_t status, const char* what);
void check(cusolverStatus_t status, const char* what);
void check(cufftResult status, const char* what);

}  // namespace assay::kernels::cuda
