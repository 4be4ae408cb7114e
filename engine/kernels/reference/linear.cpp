// Products of matrices and vectors: every sum of products is accumulated in double, int64 or
// complex128 and rounded once.

#include <fmt/core.h>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;

/// out (n, m) += a (n, k) x b (k, m), all row-major.
template <typename W>
void add_product(const W* a, const W* b, W* out, int64_t n, int64_t k, int64_t m) {
  base::DeadlineTicker deadline;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      deadline.tick(m);
      for (int64_t j = 0; j < m; ++j) {
        out[i * m + j] = multiply_add(out[i * m + j], a[i * k + p], b[p * m + j]);
      }
    }
  }
}

/// Matrices (or batches of them) multiplied; leading dimensions are broadcast.
template <typename W>
std::vector<W> product(const Tensor& a, const Tensor& b) {
  size_t x = a.sizes().size(), y = b.sizes().size();
  int64_t n = a.size(x - 2), k = a.size(x - 1), m = b.size(y - 1);
  Dims lead = core::broadcast(Dims(a.sizes().begin(), a.sizes().end() - 2),
                              Dims(b.sizes().begin(), b.sizes().end() - 2));
  Dims wide_a = lead, wide_b = lead;
  for (int64_t size : {n, k}) wide_a.push_back(size);
  for (int64_t size : {k, m}) wide_b.push_back(size);
  auto left = dense<W>(expanded(a, wide_a)), right = dense<W>(expanded(b, wide_b));
  int64_t batch = core::numel(lead);
  std::vector<W> out(static_cast<size_t>(batch * n * m));
  for (int64_t i = 0; i < batch; ++i) {
    add_product(left.data() + i * n * k, right.data() + i * k * m, out.data() + i * n * m, n, k, m);
  }
  return out;
}

/// A vector as a matrix of one row, or of one column.
Tensor row(const Tensor& v) { return v.view(Dims{1, v.size(0)}, Dims{0, v.stride(0)}, v.offset()); }
Tensor column(const Tensor& v) {
  return v.view(Dims{v.size(0), 1}, Dims{v.stride(0), 0}, v.offset());
}

/// beta * self + alpha * values; self is not read where beta is 0.
template <typename W>
void add_scaled(const Call& c, std::vector<W> values) {
  W beta = c.scalar(arg::beta).to<W>(), alpha = c.scalar(arg::alpha).to<W>();
  Tensor out = c.out();
  Dense<W> self;
  if (beta != W{}) self = dense<W>(expanded(c.tensor(arg::self), out.sizes()));
  for (size_t i = 0; i < values.size(); ++i) {
    W scaled = multiply_add(W{}, alpha, values[i]);
    values[i] = beta != W{} ? multiply_add(scaled, beta, self.values[i]) : scaled;
  }
  store<W>(values, out);
}

/// As add_scaled, of a product that BLAS does not form where alpha is 0, so that no NaN comes of
/// it.
template <typename W>
void add_scaled_product(const Call& c, std::vector<W> values) {
  bool formed = c.scalar(arg::alpha).to<W>() != W{};
  add_scaled(c, formed ? std::move(values) : std::vector<W>(values.size()));
}

/// PyTorch's CPU kernels of products know neither bool nor half.
void check_multiplies(const Call& c, const char* kernel, bool half = false) {
  core::DType dtype = c.out().dtype();
  bool on_cpu = c.device().type == core::DeviceType::cpu;
  bool missing = dtype == core::DType::boolean || (dtype == core::DType::float16 && !half);
  if (missing && on_cpu) common::not_implemented_for(dtype, kernel);
}

void run_mm(Call& c) {
  check_multiplies(c, "addmm_impl_cpu_");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    store<W>(product<W>(c.tensor(arg::self), c.tensor(arg::mat2)), c.out());
  });
}

void run_bmm(Call& c) {
  check_multiplies(c, "baddbmm");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    store<W>(product<W>(c.tensor(arg::self), c.tensor(arg::mat2)), c.out());
  });
}

void run_mv(Call& c) {
  check_multiplies(c, "addmv_impl_cpu");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    store<W>(product<W>(c.tensor(arg::self), column(c.tensor(arg::vec))), c.out());
  });
}

void run_dot(Call& c) {
  check_multiplies(c, "dot", true);
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    store<W>(product<W>(row(c.tensor(arg::self)), column(c.tensor(arg::tensor))), c.out());
  });
}

void run_vdot(Call& c) {
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    auto a = dense<W>(c.tensor(arg::self));
    if constexpr (common::is_complex_type<W>) {
      for (W& v : a.values) v = std::conj(v);
    }
    auto b = dense<W>(c.tensor(arg::other));
    std::vector<W> sum(1);
    add_product(a.data(), b.data(), sum.data(), 1, c.tensor(arg::self).size(0), 1);
    store<W>(sum, c.out());
  });
}

void run_outer(Call& c) {
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    store<W>(product<W>(column(c.tensor(arg::self)), row(c.tensor(arg::vec2))), c.out());
  });
}

void run_matmul(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  check_multiplies(c, a.dim() <= 2 || b.dim() <= 2 ? "addmm_impl_cpu_" : "baddbmm",
                   a.dim() == 1 && b.dim() == 1);
  if (a.dim() == 1) a = row(a);
  if (b.dim() == 1) b = column(b);
  over_wide(c.out().dtype(), [&]<typename W>(W) { store<W>(product<W>(a, b), c.out()); });
}

void run_linear(Call& c) {
  Tensor x = c.tensor(arg::input), w = c.tensor(arg::weight), bias = c.tensor(arg::bias);
  check_multiplies(c, "addmm_impl_cpu_");
  Tensor weight = w.dim() == 1 ? column(w) : transposed(w, 0, 1);
  if (x.dim() == 1) x = row(x);
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    auto values = product<W>(x, weight);
    if (bias) {
      auto added = dense<W>(expanded(bias, c.out().sizes()));
      for (size_t i = 0; i < values.size(); ++i) values[i] = plus(values[i], added.values[i]);
    }
    store<W>(values, c.out());
  });
}

void run_addmm(Call& c) {
  check_multiplies(c, "addmm_impl_cpu_");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    add_scaled_product(c, product<W>(c.tensor(arg::mat1), c.tensor(arg::mat2)));
  });
}

void run_baddbmm(Call& c) {
  check_multiplies(c, "baddbmm");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    add_scaled(c, product<W>(c.tensor(arg::batch1), c.tensor(arg::batch2)));
  });
}

void run_addbmm(Call& c) {
  check_multiplies(c, "baddbmm");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    auto each = product<W>(c.tensor(arg::batch1), c.tensor(arg::batch2));
    std::vector<W> sum(static_cast<size_t>(c.out().numel()));
    for (size_t i = 0; i < each.size(); ++i) {
      W& total = sum[i % sum.size()];
      total = plus(total, each[i]);
    }
    add_scaled_product(c, std::move(sum));
  });
}

void run_addmv(Call& c) {
  check_multiplies(c, "addmv_impl_cpu");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    add_scaled_product(c, product<W>(c.tensor(arg::mat), column(c.tensor(arg::vec))));
  });
}

void run_addr(Call& c) {
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    add_scaled(c, product<W>(column(c.tensor(arg::vec1)), row(c.tensor(arg::vec2))));
  });
}

/// out[.., o] = sum over i, j of a[.., i] * weight[o, i, j] * b[.., j] (+ bias[o])
void run_bilinear(Call& c) {
  check_multiplies(c, "bilinear");
  over_wide(c.out().dtype(), [&]<typename W>(W) {
    auto a = dense<W>(c.tensor(arg::input1)), b = dense<W>(c.tensor(arg::input2)),
         w = dense<W>(c.tensor(arg::weight));
    auto bias = dense<W>(c.tensor(arg::bias));
    int64_t outs = w.size(0), n = w.size(1), m = w.size(2);
    int64_t rows = outs == 0 ? 0 : c.out().numel() / outs;
    std::vector<W> values(static_cast<size_t>(rows * outs));
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t o = 0; o < outs; ++o) {
        W sum = bias.defined() ? bias.values[static_cast<size_t>(o)] : W{};
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t j = 0; j < m; ++j) {
            W left = multiply_add(W{}, a.data()[r * n + i], w.data()[(o * n + i) * m + j]);
            sum = multiply_add(sum, left, b.data()[r * m + j]);
          }
        }
        values[static_cast<size_t>(r * outs + o)] = sum;
      }
    }
    store<W>(values, c.out());
  });
}

void run_linalg_cross(Call& c) {
  Tensor out = c.out();
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), out.dim()));
  int64_t step = 1;
  for (size_t d = dim + 1; d < out.sizes().size(); ++d) step *= out.size(d);
  over_wide(out.dtype(), [&]<typename W>(W) {
    auto a = dense<W>(expanded(c.tensor(arg::self), out.sizes()));
    auto b = dense<W>(expanded(c.tensor(arg::other), out.sizes()));
    Dense<W> result(out.sizes());
    base::DeadlineTicker deadline;
    for (int64_t i = 0; i < out.numel(); ++i) {
      deadline.tick();
      int64_t k = i / step % 3, first = i - k * step;
      int64_t u = first + (k + 1) % 3 * step, v = first + (k + 2) % 3 * step;
      W minus = multiply_add(W{}, a.data()[v], b.data()[u]);
      result.data()[i] = multiply_add(W{} - minus, a.data()[u], b.data()[v]);
    }
    store(result, out);
  });
}

/// Factors a matrix A = L Lᴴ in place, of which only the lower triangle is read. The order of the
/// first leading minor that is not positive; 0 if there is none.
template <typename W>
int64_t factorize(W* a, int64_t n) {
  auto less_product = [&](int64_t i, int64_t j) {
    W rest = a[i * n + j];
    for (int64_t k = 0; k < j; ++k) {
      W other = a[j * n + k];
      if constexpr (common::is_complex_type<W>) other = std::conj(other);
      rest = multiply_add(rest, W{} - a[i * n + k], other);
    }
    return rest;
  };
  for (int64_t j = 0; j < n; ++j) {
    double pivot = std::real(less_product(j, j));
    if (!(pivot > 0)) return j + 1;
    a[j * n + j] = std::sqrt(pivot);
    for (int64_t i = j + 1; i < n; ++i) a[i * n + j] = less_product(i, j) / a[j * n + j];
    std::fill_n(a + j * n + j + 1, n - j - 1, W{});
  }
  return 0;
}

/// The conjugate transpose of each matrix.
template <typename W>
void adjoin(Dense<W>& matrices, int64_t n) {
  for (int64_t at = 0; at < static_cast<int64_t>(matrices.values.size()); at += n * n) {
    W* a = matrices.data() + at;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < i; ++j) std::swap(a[i * n + j], a[j * n + i]);
    }
    if constexpr (common::is_complex_type<W>)
      std::transform(a, a + n * n, a, [](W v) { return std::conj(v); });
  }
}

void run_linalg_cholesky(Call& c) {
  Tensor self = c.tensor(arg::self);
  bool half = self.dtype() == core::DType::float16 || self.dtype() == core::DType::bfloat16;
  if (half) common::not_implemented_for(self.dtype(), "cholesky_cpu");
  int64_t n = self.size(self.sizes().size() - 1), each = n * n;
  over_wide(self.dtype(), [&]<typename W>(W) {
    auto a = dense<W>(self);
    bool upper = c.boolean(arg::upper);
    if (upper) adjoin(a, n);
    for (int64_t b = 0; b * each < self.numel(); ++b) {
      int64_t minor = factorize(a.data() + b * each, n);
      std::string which = self.dim() > 2 ? fmt::format("(Batch element {}): ", b) : "";
      base::check_matrix(minor == 0, "linalg.cholesky: ", which,
                         "The factorization could not be completed because the input is not "
                         "positive-definite (the leading minor of order ",
                         minor, " is not positive-definite).");
    }
    if (upper) adjoin(a, n);
    store(a, c.out());
  });
}

constexpr ops::Kernel linear_table[] = {
    {"aten::mm", run_mm},
    {"aten::bmm", run_bmm},
    {"aten::mv", run_mv},
    {"aten::dot", run_dot},
    {"aten::vdot", run_vdot},
    {"aten::outer", run_outer},
    {"aten::matmul", run_matmul},
    {"aten::linear", run_linear},
    {"aten::addmm", run_addmm},
    {"aten::baddbmm", run_baddbmm},
    {"aten::addbmm", run_addbmm},
    {"aten::addmv", run_addmv},
    {"aten::addr", run_addr},
    {"aten::bilinear", run_bilinear},
    {"aten::linalg_cross", run_linalg_cross},
    {"aten::linalg_cholesky", run_linalg_cholesky},
};

}  // namespace

std::span<const ops::Kernel> linear_kernels() { return linear_table; }

}  // namespace assay::kernels::reference
