// Products by cuBLAS. Those with a bias go to cuBLASLt, which adds it on the way.

#include "engine/kernels/cuda/gemm.h"

#include <cstring>
#include <memory>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/kernels/cuda/libraries.h"

namespace assay::kernels::cuda {
namespace {

using core::DType;
using ops::Call;

cudaDataType type_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return CUDA_R_32F;
    case DType::float64:
      return CUDA_R_64F;
    case DType::float16:
      return CUDA_R_16F;
    case DType::bfloat16:
      return CUDA_R_16BF;
    case DType::complex64:
      return CUDA_C_32F;
    case DType::complex128:
      return CUDA_C_64F;
    default:
      base::unreachable("cuBLAS has no products of ", core::script_name(dtype));
  }
}

bool is_double(DType dtype) { return dtype == DType::float64 || dtype == DType::complex128; }

/// Not the type that rounds float32 to fewer digits for tensor cores.
cublasComputeType_t compute_type(DType dtype) {
  return is_double(dtype) ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
}

/// alpha or beta as cuBLAS reads it: of the type that is computed in.
struct Factor {
  alignas(16) std::byte bytes[16]{};

  Factor(DType dtype, const core::Scalar& number) {
    if (dtype == DType::complex128) {
      put(number.to<core::Complex128>());
    } else if (dtype == DType::complex64) {
      put(number.to<core::Complex64>());
    } else if (dtype == DType::float64) {
      put(number.to<double>());
    } else {
      put(number.to<float>());
    }
  }
  template <typename T>
  void put(T value) {
    std::memcpy(bytes, &value, sizeof value);
  }
};

cublasOperation_t operation(const BlasOperand& operand) {
  return operand.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

// Products with a bias

/// What cuBLASLt's choice of an algorithm depends on.
struct Shape {
  int64_t numbers[9];

  friend bool operator==(const Shape&, const Shape&) = default;
};

struct HashOfShape {
  size_t operator()(const Shape& shape) const {
    uint64_t hash = 0x9e3779b97f4a7c15;
    for (int64_t n : shape.numbers) {
      hash = (hash ^ static_cast<uint64_t>(n)) * 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// The largest power of two, up to 256, that divides an address.
uint32_t alignment_of(const std::byte* address) {
  auto number = reinterpret_cast<uintptr_t>(address) | 256;
  return static_cast<uint32_t>(number & (~number + 1));
}

Shape shape_of(const Call& c, const Gemm& g, const std::byte* bias) {
  const ProductPlan& p = g.plan;
  int64_t alignments = 0;
  for (const std::byte* at : {g.first, g.second, static_cast<const std::byte*>(g.out), bias})
    alignments = alignments * 512 + alignment_of(at);
  return {{c.device().index, static_cast<int64_t>(g.dtype), p.m, p.n, p.k,
           p.first.leading * 2 + p.first.transposed, p.second.leading * 2 + p.second.transposed,
           p.leading, alignments}};
}

/// A product with a bias as cuBLASLt was told of it, and how it will form it.
struct Prepared {
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, out = nullptr;
  cublasLtMatmulAlgo_t algorithm{};
  size_t workspace = 0;
  bool possible = false;

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() {
    if (product) cublasLtMatmulDescDestroy(product);
    for (cublasLtMatrixLayout_t layout : {first, second, out}) {
      if (layout) cublasLtMatrixLayoutDestroy(layout);
    }
  }
};

constexpr size_t most_workspace = size_t{32} << 20;
constexpr size_t most_kept = 4096;

template <typename T>
void set(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t what, T value) {
  check(cublasLtMatmulDescSetAttribute(product, what, &value, sizeof value),
        "describing a product");
}
template <typename T>
void set(cublasLtMatmulPreference_t wish, cublasLtMatmulPreferenceAttributes_t what, T value) {
  check(cublasLtMatmulPreferenceSetAttribute(wish, what, &value, sizeof value),
        "describing a product");
}

/// The layout of what lies in memory.
cublasLtMatrixLayout_t layout_of(DType dtype, int64_t rows, int64_t columns, bool transposed,
                                 int64_t leading) {
  if (transposed) std::swap(rows, columns);
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLtMatrixLayoutCreate(&made, type_of(dtype), static_cast<uint64_t>(rows),
                                   static_cast<uint64_t>(columns), leading),
        "describing a matrix");
  return made;
}

void describe(const Gemm& g, const std::byte* bias, Prepared& made) {
  const ProductPlan& p = g.plan;
  check(cublasLtMatmulDescCreate(&made.product, compute_type(g.dtype),
                                 is_double(g.dtype) ? CUDA_R_64F : CUDA_R_32F),
        "describing a product");
  set(made.product, CUBLASLT_MATMUL_DESC_TRANSA, operation(p.first));
  set(made.product, CUBLASLT_MATMUL_DESC_TRANSB, operation(p.second));
  set(made.product, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  set(made.product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias));
  made.first = layout_of(g.dtype, p.m, p.k, p.first.transposed, p.first.leading);
  made.second = layout_of(g.dtype, p.k, p.n, p.second.transposed, p.second.leading);
  made.out = layout_of(g.dtype, p.m, p.n, false, p.leading);
}

void choose_algorithm(const Call& c, const Gemm& g, Prepared& made) {
  cublasLtMatmulPreference_t wish = nullptr;
  check(cublasLtMatmulPreferenceCreate(&wish), "describing a product");
  std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>,
                  decltype(&cublasLtMatmulPreferenceDestroy)>
      owner(wish, cublasLtMatmulPreferenceDestroy);
  set(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t{most_workspace});
  set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(g.first));
  set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(g.second));
  set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(g.out));
  set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(g.out));
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  auto status = cublasLtMatmulAlgoGetHeuristic(blas_lt_of(c), made.product, made.first, made.second,
                                               made.out, made.out, wish, 1, &best, &found);
  made.possible =
      status == CUBLAS_STATUS_SUCCESS && found > 0 && best.state == CUBLAS_STATUS_SUCCESS;
  made.algorithm = best.algo;
  made.workspace = best.workspaceSize;
}

Prepared& prepared(const Call& c, const Gemm& g, const std::byte* bias) {
  using Known = std::unordered_map<Shape, Prepared, HashOfShape>;
  // Asking for an algorithm takes longer than a small product. As the libraries' handles, what is
  // kept is not given back when a thread ends.
  thread_local auto* known = new Known;
  if (known->size() >= most_kept) known->clear();
  auto [at, is_new] = known->try_emplace(shape_of(c, g, bias));
  if (is_new) {
    describe(g, bias, at->second);
    choose_algorithm(c, g, at->second);
  }
  return at->second;
}

}  // namespace

bool run_gemm_with_bias(const Call& c, const Gemm& g, const std::byte* bias) {
  if (core::is_complex(g.dtype)) return false;
  cublasLtHandle_t handle = blas_lt_of(c);
  Prepared& how = prepared(c, g, bias);
  if (!how.possible) return false;
  set(how.product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias));
  core::Tensor room;
  if (how.workspace > 0) room = scratch(c, static_cast<int64_t>(how.workspace));
  Factor one(g.dtype, 1.0), zero(g.dtype, 0.0);
  auto status =
      cublasLtMatmul(handle, how.product, one.bytes, g.first, how.first, g.second, how.second,
                     zero.bytes, g.out, how.out, g.out, how.out, &how.algorithm,
                     room ? room.device_address() : nullptr, how.workspace, queue_of(c).stream);
  // What it refuses before it begins can be asked for in another way.
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE)
    how.possible = false;
  else
    check(status, "a product with a bias");
  return how.possible;
}

void run_gemm(const Call& c, const Gemm& g) {
  const ProductPlan& p = g.plan;
  Factor alpha(g.dtype, g.alpha), beta(g.dtype, g.beta);
  cudaDataType type = type_of(g.dtype);
  cublasHandle_t handle = blas_of(c);
  if (g.batches == 1 && !g.addresses) {
    check(cublasGemmEx_64(handle, operation(p.first), operation(p.second), p.m, p.n, p.k,
                          alpha.bytes, g.first, type, p.first.leading, g.second, type,
                          p.second.leading, beta.bytes, g.out, type, p.leading,
                          compute_type(g.dtype), CUBLAS_GEMM_DEFAULT),
          "a product of matrices");
    return;
  }
  if (!g.addresses) {
    check(cublasGemmStridedBatchedEx_64(
              handle, operation(p.first), operation(p.second), p.m, p.n, p.k, alpha.bytes, g.first,
              type, p.first.leading, g.first_step, g.second, type, p.second.leading, g.second_step,
              beta.bytes, g.out, type, p.leading, g.out_step, g.batches, compute_type(g.dtype),
              CUBLAS_GEMM_DEFAULT),
          "products of matrices");
    return;
  }
  auto* at = reinterpret_cast<const void* const*>(g.addresses);
  auto* results = const_cast<void* const*>(at + 2 * g.batches);
  check(cublasGemmBatchedEx_64(handle, operation(p.first), operation(p.second), p.m, p.n, p.k,
                               alpha.bytes, at, type, p.first.leading, at + g.batches, type,
                               p.second.leading, beta.bytes, results, type, p.leading, g.batches,
                               compute_type(g.dtype), CUBLAS_GEMM_DEFAULT),
        "products of matrices");
}

}  // namespace assay::kernels::cuda
