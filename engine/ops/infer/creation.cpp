#include "engine/ops/infer/creation.h"

#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/constraint.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::Device;
using core::Dims;
using core::DType;
using core::Scalar;
using core::Tensor;

struct Options {
  DType dtype;
  Device device;
};

/// The dtype and device arguments, or the given ones where they are None or missing.
Options options(const Call& c, DType dtype, Device device) {
  if (c.has(arg::dtype)) dtype = c.dtype_or(arg::dtype, dtype);
  if (c.has(arg::device)) device = c.device_or(arg::device, device);
  if (c.has(arg::layout)) check_strided(c);
  return {dtype, device};
}

void check_sizes(core::DimSpan sizes) {
  for (int64_t size : sizes) {
    base::check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
  }
  core::numel(sizes);
}

void declare(RuleCall& c, core::DimSpan sizes, const Options& o) {
  check_sizes(sizes);
  auto format = format_argument(c, core::MemoryFormat::contiguous);
  base::check(format != core::MemoryFormat::preserve, c.op.qualified_name,
              ": a new tensor has no format to preserve");
  c.declare_on(o.device, sizes, core::format_strides(sizes, format), o.dtype);
}

/// For `out` operators: gives the out argument the size; meta tensors are done with that.
void size_out(RuleCall& c, core::DimSpan sizes) {
  Tensor out = c.tensor(arg::out);
  base::check(out.defined(), c.op.qualified_name, ": the tensor to write to is None");
  resize_tensor(out, sizes, core::MemoryFormat::contiguous);
  if (out.device().type == core::DeviceType::meta) c.finish(out);
}

DType default_float(const Call& c) { return c.context.default_dtype; }

/// Rules of `out` operators come from the same size computation as those without.
template <Dims (*sizes)(const Call&)>
void out_rule(RuleCall& c) {
  size_out(c, sizes(c));
}
/// Vectors keep any shape of the right number of elements.
template <Dims (*sizes)(const Call&)>
void vector_out_rule(RuleCall& c) {
  Dims wanted = sizes(c);
  Tensor out = c.tensor(arg::out);
  bool fits = out.defined() && out.numel() == wanted[0];
  size_out(c, fits ? out.sizes() : wanted);
}
template <Dims (*sizes)(const Call&)>
void float_rule(RuleCall& c) {
  declare(c, sizes(c), options(c, default_float(c), Device{}));
}
template <Dims (*sizes)(const Call&)>
void int_rule(RuleCall& c) {
  declare(c, sizes(c), options(c, DType::int64, Device{}));
}

Dims asked_size(const Call& c) { return c.ints(arg::size); }

void declare_strided(RuleCall& c, core::DimSpan sizes, core::DimSpan strides, const Options& o) {
  check_sizes(sizes);
  base::check(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(),
              ") must match dimensionality of strides (", strides.size(), ")");
  c.declare_on(o.device, sizes, strides, o.dtype);
}
void empty_strided_rule(RuleCall& c) {
  declare_strided(c, c.ints(arg::size), c.ints(arg::stride),
                  options(c, default_float(c), Device{}));
}
void new_strided_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  declare_strided(c, c.ints(arg::size), c.ints(arg::stride),
                  options(c, self.dtype(), self.device()));
}

void check_holds(DType dtype, const Call& c, ArgName number) {
  check_fits(c.op, c.op.position(number), c.scalar(number), dtype);
}

void full_rule(RuleCall& c) {
  Options o = options(c, c.scalar(arg::fill_value).natural_dtype(default_float(c)), Device{});
  check_holds(o.dtype, c, arg::fill_value);
  declare(c, c.ints(arg::size), o);
}

void like_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Options o = options(c, self.dtype(), self.device());
  if (c.has(arg::fill_value)) check_holds(o.dtype, c, arg::fill_value);
  auto format = format_argument(c, core::MemoryFormat::preserve);
  c.declare_on(o.device, self.sizes(), copy_strides(self, format), o.dtype);
}
void new_sized_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Options o = options(c, self.dtype(), self.device());
  if (c.has(arg::fill_value)) check_holds(o.dtype, c, arg::fill_value);
  declare(c, c.ints(arg::size), o);
}

void scalar_tensor_rule(RuleCall& c) {
  Options o = options(c, default_float(c), Device{});
  check_holds(o.dtype, c, arg::s);
  declare(c, {}, o);
}

void from_number_rule(RuleCall& c) {
  declare(c, {}, options(c, c.scalar(arg::t).natural_dtype(default_float(c)), Device{}));
}

/// Shape of a nested list by its first elements; every list is checked against it.
void list_sizes(const core::Value& v, size_t depth, Dims& sizes, bool first) {
  if (!v.is_list()) {
    base::check(depth == sizes.size(), "expected nested lists of one depth, but found ",
                v.kind_name(), " at dim ", depth);
    return;
  }
  const auto& items = v.list().items;
  auto length = static_cast<int64_t>(items.size());
  if (first && depth == sizes.size()) sizes.push_back(length);
  base::check(depth < sizes.size() && sizes[depth] == length, "Expected sequence of length ",
              depth < sizes.size() ? sizes[depth] : 0, " at dim ", depth, " (got length ", length,
              ")");
  base::check(depth < 64, "the list is nested too deeply");
  for (size_t i = 0; i < items.size(); ++i) {
    list_sizes(items[i], depth + 1, sizes, first && i == 0);
  }
}

/// The most general kind of number in a nested list.
void join_category(const core::Value& v, std::optional<core::DTypeCategory>& category) {
  if (v.is_list()) {
    for (const core::Value& item : v.list().items) join_category(item, category);
    return;
  }
  auto own = v.to_scalar().category();
  category = category ? std::max(*category, own) : own;
}

void from_list_rule(RuleCall& c) {
  const core::Value& list = c.first();
  Dims sizes;
  list_sizes(list, 0, sizes, true);
  std::optional<core::DTypeCategory> category;
  join_category(list, category);
  DType dtype = default_float(c);
  if (category == core::DTypeCategory::boolean) dtype = DType::boolean;
  if (category == core::DTypeCategory::integral) dtype = DType::int64;
  if (category == core::DTypeCategory::complex) dtype = core::complex_of(dtype);
  if (!category) {
    // An empty list says its type by its elements'.
    core::TypePtr element = list.list().element;
    while (element && element->is(core::TypeKind::list)) element = element->element();
    bool of_tensors = element && element->is(core::TypeKind::tensor);
    base::check(!of_tensors,
                "tensor(): expected numbers or lists of them, but got an empty list of tensors, "
                "which is what [] is unless its type is given: annotate it, as List[int]");
    if (element && element->is(core::TypeKind::integer)) dtype = DType::int64;
    if (element && element->is(core::TypeKind::boolean)) dtype = DType::boolean;
  }
  if (&c.op.rule() == &from_list_of_ints) dtype = DType::int32;
  declare(c, sizes, options(c, dtype, Device{}));
}

/// The number of steps from `start` that stay before `end`.
Dims range_length(Scalar start, Scalar end, Scalar step, bool inclusive, DType dtype) {
  if (dtype == DType::int64) {
    start = start.to_int();
    end = end.to_int();
    step = step.to_int();
  }
  double from = start.to_double(), to = end.to_double(), by = step.to_double();
  base::check(by != 0, "step must be nonzero");
  base::check(std::isfinite(from) && std::isfinite(to), "unsupported range: ", from, " -> ", to);
  base::check(by > 0 ? to >= from : to <= from,
              "upper bound and larger bound inconsistent with step sign");
  double span = to - from;
  bool whole = start.is_int() && end.is_int();
  if (whole) {
    int64_t exact = 0;
    if (!__builtin_sub_overflow(end.to_int(), start.to_int(), &exact)) {
      span = static_cast<double>(exact);
    }
  }
  double length = inclusive ? std::floor(span / by) + 1 : std::ceil(span / by);
  base::check(length >= 0 && length < 0x1p62, "invalid size, possible overflow?");
  return {static_cast<int64_t>(length)};
}

Scalar scalar_or(const Call& c, ArgName name, int64_t otherwise) {
  return c.has(name) ? c.scalar(name) : Scalar(otherwise);
}

/// Whether those of start, end and step that the overload has are ints.
bool all_ints(const Call& c) {
  for (ArgName name : {arg::start, arg::end, arg::step}) {
    Scalar s = scalar_or(c, name, 0);
    if (s.is_float() || s.is_complex()) return false;
  }
  return true;
}

template <bool inclusive>
Dims range_sizes(const Call& c, DType dtype) {
  return range_length(scalar_or(c, arg::start, 0), c.scalar(arg::end), scalar_or(c, arg::step, 1),
                      inclusive, dtype);
}
/// What arange computes in, which its numbers must fit.
DType type_of_steps(DType dtype) {
  if (core::is_integral(dtype, true)) return DType::int64;
  return dtype == DType::float16 || dtype == DType::bfloat16 ? DType::float32 : DType::float64;
}
template <bool inclusive>
void range_rule(RuleCall& c) {
  bool whole = !inclusive && all_ints(c);
  Options o = options(c, whole ? DType::int64 : default_float(c), Device{});
  DType steps = type_of_steps(o.dtype);
  for (ArgName name : {arg::start, arg::end, arg::step}) {
    if (c.has(name)) check_holds(steps, c, name);
  }
  declare(c, range_sizes<inclusive>(c, o.dtype), o);
}
template <bool inclusive>
Dims range_out_sizes(const Call& c) {
  return range_sizes<inclusive>(c, c.tensor(arg::out).dtype());
}

Dims linspace_sizes(const Call& c) {
  int64_t steps = c.integer(arg::steps);
  base::check(steps >= 0, "number of steps must be non-negative");
  return {steps};
}
void linspace_rule(RuleCall& c) {
  bool complex = c.scalar(arg::start).is_complex() || c.scalar(arg::end).is_complex();
  DType dtype = complex ? core::complex_of(default_float(c)) : default_float(c);
  Dims sizes = linspace_sizes(c);
  Options o = options(c, dtype, Device{});
  if (sizes[0] > 0) check_holds(o.dtype, c, arg::start);
  if (sizes[0] > 1) check_holds(o.dtype, c, arg::end);
  declare(c, sizes, o);
}

Dims square(const Call& c) {
  int64_t n = c.integer(arg::n);
  base::check(n >= 0, "n must be greater or equal to 0, got ", n);
  return {n, n};
}
Dims rectangle(const Call& c) {
  int64_t n = c.integer(arg::n), m = c.integer(arg::m);
  base::check(n >= 0, "n must be greater or equal to 0, got ", n);
  base::check(m >= 0, "m must be greater or equal to 0, got ", m);
  return {n, m};
}
Dims permutation(const Call& c) {
  int64_t n = c.integer(arg::n);
  base::check(n >= 0, "n must be non-negative, got", n);
  return {n};
}

/// Number of indices of a row x col matrix on or below the diagonal; all three below 2^31.
int64_t lower_count(int64_t row, int64_t col, int64_t offset) {
  // Rows without any, rows that grow by one each, full rows.
  int64_t first = std::clamp<int64_t>(-offset, 0, row);
  int64_t full_from = std::clamp<int64_t>(col - offset, first, row);
  int64_t growing = full_from - first;
  return growing * (first + offset + 1) + growing * (growing - 1) / 2 + (row - full_from) * col;
}
void check_matrix(const Call& c) {
  constexpr int64_t most = INT32_MAX;
  base::check(c.integer(arg::row) >= 0, "row must be non-negative, got", c.integer(arg::row));
  base::check(c.integer(arg::col) >= 0, "col must be non-negative, got", c.integer(arg::col));
  base::check(c.integer(arg::row) < most && c.integer(arg::col) < most &&
                  c.integer(arg::offset) < most && c.integer(arg::offset) > -most,
              c.op.qualified_name, ": the matrix is too large");
}
Dims lower_sizes(const Call& c) {
  check_matrix(c);
  return {2, lower_count(c.integer(arg::row), c.integer(arg::col), c.integer(arg::offset))};
}
Dims upper_sizes(const Call& c) {
  check_matrix(c);
  int64_t all = core::numel(Dims{c.integer(arg::row), c.integer(arg::col)});
  return {2,
          all - lower_count(c.integer(arg::row), c.integer(arg::col), c.integer(arg::offset) - 1)};
}

Dims window_sizes(const Call& c) {
  int64_t length = c.integer(arg::window_length);
  base::check(length >= 0, c.op.symbol.name(), " requires non-negative window_length, got ",
              "window_length=", length);
  return {length};
}

void dim_arange_rule(RuleCall& c) {
  Tensor like = c.tensor(arg::like);
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), like.dim(), false));
  c.declare(Dims{like.size(dim)}, DType::int64);
}
void vander_rule(RuleCall& c) {
  Tensor x = c.tensor(arg::x);
  DType dtype = core::is_integral(x.dtype(), false) ? DType::int64 : x.dtype();
  bool known = dtype != DType::boolean && dtype != DType::float16 && dtype != DType::bfloat16;
  base::check(known,
              "linalg.vander supports floating point, complex, and integer tensors, but got ",
              core::script_name(x.dtype()));
  Dims sizes = x.sizes();
  if (sizes.empty()) sizes.push_back(1);
  int64_t count = c.integer_or(arg::N, sizes.back());
  base::check(count > 1, "N must be greater than 1.");
  sizes.push_back(count);
  c.declare(sizes, dtype);
}

void shape_as_tensor_rule(RuleCall& c) {
  c.declare_on(Device{}, Dims{c.tensor(arg::self).dim()}, Dims{1}, DType::int64);
}

void complex_rule(RuleCall& c) {
  Tensor real = c.tensor(arg::real), imag = c.tensor(arg::imag);
  base::check(core::is_floating(real.dtype()) && real.dtype() != DType::bfloat16,
              "Expected both inputs to be Half, Float or Double tensors but got ",
              core::script_name(real.dtype()), " and ", core::script_name(imag.dtype()));
  base::check(real.dtype() == imag.dtype(), "Expected object of scalar type ",
              core::script_name(real.dtype()), " but got scalar type ",
              core::script_name(imag.dtype()), " for second argument");
  if (real.dtype() == DType::float16) base::unsupported("complex numbers of float16");
  Dims sizes = core::broadcast(real.sizes(), imag.sizes());
  c.declare(sizes, elementwise_strides(sizes, std::vector{real, imag}),
            core::complex_of(real.dtype()));
}

void multinomial_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t samples = c.integer(arg::num_samples);
  base::check(self.dim() > 0 && self.dim() <= 2, "prob_dist must be 1 or 2 dim");
  base::check(core::is_floating(self.dtype()),
              "multinomial only supports floating-point dtypes for input, got: ",
              core::script_name(self.dtype()));
  base::check(samples > 0, "cannot sample n_sample <= 0 samples");
  int64_t categories = self.sizes().back();
  base::check(c.boolean(arg::replacement) || samples <= categories,
              "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  base::check(categories <= 1 << 24, "number of categories cannot exceed 2^24");
  Dims sizes = self.sizes();
  sizes.back() = samples;
  c.declare(sizes, DType::int64);
}

void fill_in_place_rule(RuleCall& c) {
  if (c.first().to_tensor().device().type == core::DeviceType::meta) c.finish(c.first());
}

}  // namespace

const Rule sized{float_rule<asked_size>};
const Rule sized_out{out_rule<asked_size>};
const Rule empty_strided{empty_strided_rule};
const Rule new_strided{new_strided_rule};
const Rule full{full_rule};
const Rule like{like_rule};
const Rule new_sized{new_sized_rule};
const Rule randperm{int_rule<permutation>};
const Rule randperm_out{out_rule<permutation>};
const Rule scalar_tensor{scalar_tensor_rule};
const Rule from_number{from_number_rule};
const Rule from_list{from_list_rule};
const Rule from_list_of_ints{from_list_rule};
const Rule arange{range_rule<false>};
const Rule arange_out{vector_out_rule<range_out_sizes<false>>};
const Rule range{range_rule<true>};
const Rule range_out{vector_out_rule<range_out_sizes<true>>};
const Rule linspace{linspace_rule};
const Rule linspace_out{vector_out_rule<linspace_sizes>};
const Rule eye{float_rule<square>};
const Rule eye_out{out_rule<square>};
const Rule eye_m{float_rule<rectangle>};
const Rule eye_m_out{out_rule<rectangle>};
const Rule tril_indices{int_rule<lower_sizes>};
const Rule triu_indices{int_rule<upper_sizes>};
const Rule window{float_rule<window_sizes>};
const Rule multinomial{multinomial_rule};
const Rule fill_in_place{fill_in_place_rule, false, Devices::scalars_follow};
const Rule dim_arange{dim_arange_rule};
const Rule linalg_vander{vander_rule};
const Rule shape_as_tensor{shape_as_tensor_rule};
const Rule complex_from_parts{complex_rule, true};

}  // namespace assay::ops::infer
