// What factors are: whichever signs and roundings a library gives, their products are the matrices
// that were factorized.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/cuda/gpu.h"
#include "tests/engine/kernels/outcome.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

constexpr core::Device gpu{core::DeviceType::cuda, 0};

struct Shape {
  Dims batch;
  int64_t rows, columns;
};

class Factorization : public OnGpu<::testing::TestWithParam<DType>> {
 protected:
  DType dtype() const { return GetParam(); }
  double tolerance() const { return core::real_of(dtype()) == DType::float32 ? 2e-4 : 1e-11; }

  /// The results of a call on the GPU, on the CPU.
  std::vector<Tensor> there(const char* name, const core::Values& args) {
    core::Values moved = deep_copy(args, gpu);
    std::vector<Tensor> out;
    for (const Value& v : ops::call(gpu_.context(), ops::get_operator(name), moved))
      out.push_back(core::to_host(v.to_tensor()));
    return out;
  }
  Tensor here(const char* name, const core::Values& args) {
    return ops::call(plain_.context(), ops::get_operator(name), args)[0].to_tensor();
  }

  Tensor random(const Shape& shape) {
    Dims sizes = shape.batch;
    sizes.push_back(shape.rows);
    sizes.push_back(shape.columns);
    std::normal_distribution<double> normal;
    std::vector<core::Scalar> numbers;
    for (int64_t i = 0; i < core::numel(sizes); ++i) {
      double re = normal(source_), im = normal(source_);
      numbers.emplace_back(core::is_complex(dtype()) ? core::Scalar(core::Complex128(re, im))
                                                     : core::Scalar(re));
    }
    return core::tensor_from(numbers, sizes, dtype());
  }
  Tensor identity(const Dims& batch, int64_t n) {
    Dims sizes = batch;
    sizes.push_back(n);
    sizes.push_back(n);
    Tensor eye = here("aten::zeros",
                      {core::make_int_list(sizes), static_cast<int64_t>(dtype()), {}, {}, {}});
    here("aten::fill_.Scalar", {ops::views::diagonal(eye, 0, -2, -1), 1});
    return eye;
  }

  Tensor product(const Tensor& a, const Tensor& b) { return here("aten::matmul", {a, b}); }
  Tensor adjoint(const Tensor& a) { return here("aten::adjoint", {a}); }
  /// A Aᴴ + I
  Tensor positive(const Dims& batch, int64_t n) {
    Tensor a = random({batch, n, n});
    return here("aten::add.Tensor", {product(a, adjoint(a)), identity(batch, n), 1});
  }
  Tensor scaled_columns(const Tensor& a, const Tensor& factors) {
    return here("aten::mul.Tensor", {a, ops::views::unsqueeze(factors, -2)});
  }

  void expect_near(const Tensor& a, const Tensor& b, const char* what) {
    ASSERT_EQ(a.sizes(), b.sizes()) << what;
    auto x = core::elements(a), y = core::elements(b);
    double most = 0, off = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      most = std::max(most, std::abs(y[i].to_complex()));
      double apart = std::abs(x[i].to_complex() - y[i].to_complex());
      off = apart > off || std::isnan(apart) ? apart : off;
    }
    EXPECT_LE(off, tolerance() * std::max(1.0, most)) << what;
  }
  void expect_orthonormal_columns(const Tensor& q, const char* what) {
    Dims batch(q.sizes().begin(), q.sizes().end() - 2);
    expect_near(product(adjoint(q), q), identity(batch, q.sizes().back()), what);
  }

  static std::vector<Shape> shapes() {
    return {{{}, 1, 1},  {{}, 4, 4},     {{}, 6, 3},     {{}, 3, 6},  {{3}, 5, 5},
            {{4}, 5, 2}, {{2, 2}, 2, 5}, {{2, 1}, 3, 3}, {{}, 40, 40}};
  }
  static std::vector<Shape> squares() {
    std::vector<Shape> all = shapes();
    std::erase_if(all, [](const Shape& s) { return s.rows != s.columns; });
    return all;
  }

  api::Engine gpu_ = gpu_engine(), plain_ = engine_of(true);
  std::mt19937 source_{7};
};

TEST_P(Factorization, LuMultipliesToTheMatrix) {
  for (const Shape& shape : shapes()) {
    Tensor a = random(shape);
    auto lu = there("aten::linalg_lu_factor_ex", {a, true, false});
    auto parts = there("aten::lu_unpack", {lu[0], lu[1], true, true});
    expect_near(product(parts[0], product(parts[1], parts[2])), a, "P L U");
  }
}

TEST_P(Factorization, LuSolvesSystems) {
  for (const Shape& shape : squares()) {
    Tensor a = random(shape);
    auto lu = there("aten::linalg_lu_factor_ex", {a, true, false});
    for (int mode = 0; mode < 4; ++mode) {
      bool left = mode % 2 == 0, uses_adjoint = mode >= 2;
      Tensor b =
          random(left ? Shape{shape.batch, shape.rows, 3} : Shape{shape.batch, 3, shape.rows});
      Tensor x = there("aten::linalg_lu_solve", {lu[0], lu[1], b, left, uses_adjoint})[0];
      Tensor matrix = uses_adjoint ? adjoint(a) : a;
      // Of what is ill-conditioned the solution is far off, but what it solves is not.
      Tensor made = left ? product(matrix, x) : product(x, matrix);
      expect_near(made, b, left ? "A X" : "X A");
    }
  }
}

TEST_P(Factorization, QrMultipliesToTheMatrix) {
  for (const Shape& shape : shapes()) {
    Tensor a = random(shape);
    for (const char* mode : {"reduced", "complete"}) {
      auto qr = there("aten::linalg_qr", {a, std::string(mode)});
      expect_near(product(qr[0], qr[1]), a, "Q R");
      expect_orthonormal_columns(qr[0], "Q");
      expect_near(here("aten::triu", {qr[1], 0}), qr[1], "R");
    }
    auto only = there("aten::linalg_qr", {a, std::string("r")});
    expect_near(product(adjoint(only[1]), only[1]), product(adjoint(a), a), "R alone");
  }
}

TEST_P(Factorization, ReflectionsAreApplied) {
  for (const Shape& shape : shapes()) {
    Tensor a = random(shape);
    auto packed = there("aten::geqrf", {a});
    Tensor r = here("aten::triu", {packed[0], 0});
    Tensor q = there("aten::ormqr",
                     {packed[0], packed[1], identity(shape.batch, shape.rows), true, false})[0];
    expect_near(product(q, r), a, "Q R");
    Tensor b = random({shape.batch, shape.rows, 2}), d = random({shape.batch, 2, shape.rows});
    auto applied = [&](const Tensor& to, bool left, bool transpose) {
      return there("aten::ormqr", {packed[0], packed[1], to, left, transpose})[0];
    };
    expect_near(applied(b, true, true), product(adjoint(q), b), "adjoint, from the left");
    expect_near(applied(d, false, false), product(d, q), "from the right");
    expect_near(applied(d, false, true), product(d, adjoint(q)), "adjoint, from the right");
    if (shape.rows < shape.columns) continue;
    Tensor formed = there("aten::linalg_householder_product", {packed[0], packed[1]})[0];
    expect_near(formed, ops::views::narrow(q, -1, 0, shape.columns), "formed");
  }
}

TEST_P(Factorization, CholeskyMultipliesToTheMatrix) {
  for (const Shape& shape : squares()) {
    Tensor a = positive(shape.batch, shape.rows), b = random({shape.batch, shape.rows, 2});
    for (bool upper : {false, true}) {
      Tensor factor = there("aten::linalg_cholesky_ex", {a, upper, false})[0];
      Tensor lower = upper ? adjoint(factor) : factor;
      expect_near(here("aten::tril", {lower, 0}), lower, "the other triangle");
      expect_near(product(lower, adjoint(lower)), a, "L L^H");
      expect_near(there("aten::linalg_cholesky", {a, upper})[0], factor, "without info");
      Tensor x = there("aten::cholesky_solve", {b, factor, upper})[0];
      expect_near(product(a, x), b, "A X");
      Tensor inverse = there("aten::cholesky_inverse", {factor, upper})[0];
      expect_near(product(a, inverse), identity(shape.batch, shape.rows), "A A^-1");
    }
  }
}

TEST_P(Factorization, TrianglesAreSolved) {
  for (const Shape& shape : squares()) {
    if (shape.rows > 10) continue;  // Random triangles grow ill-conditioned.
    Tensor whole = positive(shape.batch, shape.rows);
    for (int mode = 0; mode < 16; ++mode) {
      bool upper = mode & 1, left = mode & 2, unit = mode & 4, turned = mode & 8;
      Tensor a = here(upper ? "aten::triu" : "aten::tril", {whole, unit ? (upper ? 1 : -1) : 0});
      if (unit) a = here("aten::mul.Scalar", {a, 0.1});
      Tensor used = unit ? here("aten::add.Tensor", {a, identity(shape.batch, shape.rows), 1}) : a;
      Tensor given = a;
      if (turned) {
        given = ops::views::transpose(
            here("aten::contiguous", {ops::views::transpose(a, -2, -1), 0}), -2, -1);
      }
      Tensor b =
          random(left ? Shape{shape.batch, shape.rows, 2} : Shape{shape.batch, 2, shape.rows});
      Tensor x = there("aten::linalg_solve_triangular", {given, b, upper, left, unit})[0];
      expect_near(left ? product(used, x) : product(x, used), b, "a triangle");
    }
  }
}

TEST_P(Factorization, EigenvectorsAreScaled) {
  for (const Shape& shape : squares()) {
    Tensor a = positive(shape.batch, shape.rows);
    for (const char* part : {"L", "U"}) {
      auto found = there("aten::_linalg_eigh", {a, std::string(part), true});
      expect_near(product(a, found[1]), scaled_columns(found[1], found[0]), "A V");
      expect_orthonormal_columns(found[1], "V");
      auto alone = there("aten::_linalg_eigh", {a, std::string(part), false});
      expect_near(alone[0], found[0], "values alone");
    }
  }
}

TEST_P(Factorization, SingularVectorsMultiplyToTheMatrix) {
  for (const Shape& shape : shapes()) {
    Tensor a = random(shape);
    int64_t least = std::min(shape.rows, shape.columns);
    for (bool full : {false, true}) {
      auto found = there("aten::_linalg_svd", {a, full, true, {}});
      expect_orthonormal_columns(found[0], "U");
      expect_orthonormal_columns(adjoint(found[2]), "V");
      Tensor u = ops::views::narrow(found[0], -1, 0, least);
      Tensor vh = ops::views::narrow(found[2], -2, 0, least);
      expect_near(product(scaled_columns(u, found[1]), vh), a, "U S V^H");
    }
    auto alone = there("aten::_linalg_svd", {a, false, false, {}});
    auto found = there("aten::_linalg_svd", {a, false, true, {}});
    expect_near(alone[1], found[1], "values alone");
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Factorization,
                         ::testing::Values(DType::float32, DType::float64, DType::complex64,
                                           DType::complex128),
                         [](const auto& param) {
                           return std::string(core::script_name(param.param));
                         });

}  // namespace
}  // namespace assay::kernels::testing
