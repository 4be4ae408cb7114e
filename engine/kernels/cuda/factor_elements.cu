// What factorizations need beside the libraries' routines: triangles, permutations, looks for
// infinities.

#include "engine/core/host_access.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/factor_elements.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/matrices.h"
#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;
using ops::Call;

/// Calls `body` with a zero of a type of LAPACK's elements.
template <typename Body>
void over_elements(core::DType dtype, Body&& body) {
  switch (dtype) {
    case core::DType::float32:
      return body(float{});
    case core::DType::float64:
      return body(double{});
    case core::DType::complex64:
      return body(Complex<float>{});
    default:
      return body(Complex<double>{});
  }
}

template <typename T>
struct TakePart {
  const std::byte* from;
  std::byte* to;
  int64_t rows, columns;
  Part part;
  Layout<2> layout;  // Numbered by rows.

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t column = i % columns, row = i / columns % rows;
    Offsets<2> at = layout.offsets(i);
    T value = *reinterpret_cast<const T*>(from + at.of[1]);
    bool taken = part == Part::upper   ? row <= column
                 : part == Part::lower ? row >= column
                                       : row > column;
    if (!taken) value = part == Part::unit_lower && row == column ? T(1) : T(0);
    *reinterpret_cast<T*>(to + at.of[0]) = value;
  }
};

template <typename T>
void run_take(const Call& c, const Tensor& from, Part part, const Tensor& to) {
  auto layout = Layout<2>::of(to.sizes(), {to, from}, true);
  for_each(queue_of(c), layout.count,
           TakePart<T>{from.device_address(), to.device_address(), rows_of(to), columns_of(to),
                       part, layout});
}

template <typename T>
struct Mirror {
  T* matrices;
  int64_t n, row_step, column_step;  // Matrix follows matrix.
  bool upper;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t column = i % n, row = i / n % n;
    if (row == column || (row < column) == upper) return;
    T* matrix = matrices + i / (n * n) * n * n;
    T value = matrix[column * row_step + row * column_step];
    if constexpr (is_complex_type<T>) value = T(value.real(), -value.imag());
    matrix[row * row_step + column * column_step] = value;
  }
};

template <typename T>
void run_mirror(const Call& c, const Tensor& t, bool upper) {
  for_each(queue_of(c), t.numel(),
           Mirror<T>{reinterpret_cast<T*>(t.device_address()), columns_of(t),
                     t.stride(t.sizes().size() - 2), t.strides().back(), upper});
}

struct CheckPivots {
  const std::byte* from;
  int32_t* to;
  int64_t rows;
  Layout<1> layout;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int32_t pivot = *reinterpret_cast<const int32_t*>(from + layout.offsets(i).of[0]);
    bool fits = report.within(int64_t{pivot} - 1, rows);
    to[i] = fits ? pivot : 1;
  }
};

/// A thread follows the exchanges of a matrix's rows.
struct FollowPivots {
  const int32_t* pivots;
  int64_t* order;
  int64_t rows, steps;

  ASSAY_ANYWHERE void operator()(int64_t matrix) const {
    int64_t* mine = order + matrix * rows;
    for (int64_t r = 0; r < rows; ++r) mine[r] = r;
    for (int64_t r = 0; r < steps; ++r) {
      int64_t other = pivots[matrix * steps + r] - 1, row = mine[r];
      mine[r] = mine[other];
      mine[other] = row;
    }
  }
};

template <typename T>
struct FillPermutation {
  const int64_t* order;
  T* to;
  int64_t n;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t column = i % n, row = i / n % n, matrix = i / (n * n);
    to[i] = order[matrix * n + column] == row ? T(1) : T(0);
  }
};

template <typename T>
void run_permutations(const Call& c, const int64_t* order, const Tensor& to) {
  for_each(queue_of(c), to.numel(),
           FillPermutation<T>{order, reinterpret_cast<T*>(to.device_address()), columns_of(to)});
}

template <typename T>
struct AnyInfinite {
  const T* data;
  int32_t* out;

  ASSAY_ANYWHERE int32_t start() const { return 0; }
  ASSAY_ANYWHERE int32_t load(int64_t, int64_t i) const {
    // The difference to itself is 0 of finite numbers alone.
    if constexpr (is_complex_type<T>) {
      auto re = data[i].real() - data[i].real(), im = data[i].imag() - data[i].imag();
      return re == 0 && im == 0 ? 0 : 1;
    } else {
      return data[i] - data[i] == 0 ? 0 : 1;
    }
  }
  ASSAY_ANYWHERE int32_t join(int32_t a, int32_t b) const { return a | b; }
  ASSAY_ANYWHERE void finish(int64_t, int32_t total) const { *out = total; }
};

template <typename T>
void run_any_infinite(const Call& c, const Tensor& t, const Tensor& out) {
  AnyInfinite<T> body{reinterpret_cast<const T*>(t.device_address()), out.device_data<int32_t>()};
  reduce(c, queue_of(c), 1, t.numel(), body);
}

struct SpacedAddresses {
  std::byte* first;
  int64_t step;
  std::byte** to;

  ASSAY_ANYWHERE void operator()(int64_t i) const { to[i] = first + i * step; }
};

/// The first rows and columns, as many as there are elsewhere.
Tensor cut(const Tensor& t, int64_t rows, int64_t columns) {
  return t.view(batch_and(t, {rows, columns}), t.strides(), t.offset());
}

}  // namespace

void take_part(const Call& call, const Tensor& from, Part part, const Tensor& to) {
  if (to.numel() == 0) return;
  Tensor source = cut(from, rows_of(to), columns_of(to));
  over_elements(to.dtype(), [&]<typename T>(T) { run_take<T>(call, source, part, to); });
}

void mirror_triangle(const Call& call, const Tensor& matrices, bool upper) {
  over_elements(matrices.dtype(), [&]<typename T>(T) { run_mirror<T>(call, matrices, upper); });
}

Tensor checked_pivots(const Call& call, const Tensor& pivots, int64_t rows) {
  Tensor made = call.new_empty(pivots.sizes(), core::DType::int32);
  Queue queue = queue_of(call);
  auto layout = Layout<1>::of(pivots.sizes(), {pivots}, true);
  for_each(queue, layout.count,
           CheckPivots{pivots.device_address(), made.device_data<int32_t>(), rows, layout,
                       queue.report});
  return made;
}

void fill_permutations(const Call& call, const Tensor& pivots, const Tensor& matrices) {
  if (matrices.numel() == 0) return;
  int64_t n = columns_of(matrices), count = matrices.numel() / (n * n);
  Tensor order = call.new_empty(core::Dims{count, n}, core::DType::int64);
  auto* rows = order.device_data<int64_t>();
  for_each(queue_of(call), count,
           FollowPivots{pivots.device_data<int32_t>(), rows, n, pivots.sizes().back()});
  over_elements(matrices.dtype(),
                [&]<typename T>(T) { run_permutations<T>(call, rows, matrices); });
}

bool all_finite(const Call& call, const Tensor& t) {
  if (t.numel() == 0) return true;
  Tensor packed = contiguous(call, t);
  Tensor flag = call.new_empty(core::Dims{1}, core::DType::int32);
  over_elements(t.dtype(), [&]<typename T>(T) { run_any_infinite<T>(call, packed, flag); });
  call.synchronized();
  return core::to_host(flag).device_data<int32_t>()[0] == 0;
}

Tensor spaced_addresses(const Call& call, std::byte* first, int64_t count, int64_t step) {
  Tensor room = scratch(call, count * static_cast<int64_t>(sizeof(std::byte*)));
  for_each(queue_of(call), count,
           SpacedAddresses{first, step, reinterpret_cast<std::byte**>(room.device_address())});
  return room;
}

}  // namespace assay::kernels::cuda
