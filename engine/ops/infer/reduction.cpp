#include "engine/ops/infer/reduction.h"

#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

const Value* named(const Call& call, ArgName name) {
  return call.has(name) ? &call.value(name) : nullptr;
}

core::Dims dims_of(const Call& call) {
  const Value* dim = named(call, arg::dim);
  if (!dim || dim->is_none()) return {};
  if (dim->is_int()) return {dim->to_int()};
  core::Dims dims;
  for (const Value& v : dim->list().items) dims.push_back(v.to_int());
  return dims;
}

/// "sum" of aten::sum.dim_IntList.
std::string short_name(const Call& call) { return std::string(call.op.symbol.name()); }

DType own(const Call& call) { return call.tensor(arg::self).dtype(); }

DType asked_or(const Call& call, DType otherwise) {
  return call.has(arg::dtype) ? call.dtype_or(arg::dtype, otherwise) : otherwise;
}

DType widened(const Call& call) {
  DType dtype = own(call);
  return asked_or(call, core::is_integral(dtype, true) ? DType::int64 : dtype);
}

DType floating_only(const Call& call) {
  DType dtype = asked_or(call, own(call));
  base::check(core::is_floating(dtype) || core::is_complex(dtype), short_name(call),
              "(): could not infer output dtype. Input dtype must be either a floating point or "
              "complex dtype. Got: ",
              core::script_name(dtype));
  return dtype;
}

DType moment(const Call& call) {
  DType dtype = own(call);
  base::check(core::is_floating(dtype) || core::is_complex(dtype),
              "std and var only support floating point and complex dtypes");
  return core::real_of(dtype);
}

DType norm(const Call& call) {
  DType dtype = asked_or(call, own(call));
  base::check(core::is_floating(dtype) || core::is_complex(dtype), short_name(call),
              "(): input dtype should be either floating point or complex dtypes. Got ",
              core::script_name(dtype), " instead.");
  return core::real_of(dtype);
}

DType default_float(const Call& call) {
  return core::is_integral(own(call), true) ? call.context.default_dtype : own(call);
}
DType count(const Call&) { return DType::int64; }
DType truth(const Call& call) { return own(call) == DType::uint8 ? DType::uint8 : DType::boolean; }

template <DType (*dtype)(const Call&)>
void reduce(RuleCall& call) {
  DType result = dtype(call);
  call.declare(reduction_of(call).sizes, result);
}

void reduce_moments(RuleCall& call) {
  core::Dims sizes = reduction_of(call).sizes;
  call.declare(sizes, moment(call));
  call.declare(sizes, own(call));
}

/// There is no extreme of nothing.
core::Dims extreme_sizes(const Call& call) {
  Tensor t = call.tensor(arg::self);
  Reduction r = reduction_of(call);
  if (t.numel() > 0) return r.sizes;
  bool all = dims_of(call).empty();
  base::check(!all, short_name(call),
              "(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
              "reduction dim with the 'dim' argument.");
  for (size_t d = 0; d < r.reduced.size(); ++d) {
    base::check(!r.reduced[d] || t.size(d) != 0, short_name(call), "(): Expected reduction dim ", d,
                " to have non-zero size.");
  }
  return r.sizes;
}

void refuse_complex(const Call& call) {
  base::check(!core::is_complex(own(call)), short_name(call), "(): does not support complex input");
}

void reduce_extreme(RuleCall& call) {
  refuse_complex(call);
  call.declare(extreme_sizes(call), own(call));
}

/// The median of nothing is NaN, or the lowest integer.
void reduce_median(RuleCall& call) {
  refuse_complex(call);
  call.declare(core::Dims{}, own(call));
}

void reduce_extremes(RuleCall& call) {
  reduce_extreme(call);
  reduce_extreme(call);
}

void reduce_place(RuleCall& call) {
  refuse_complex(call);
  call.declare(extreme_sizes(call), DType::int64);
}

void reduce_pair(RuleCall& call) {
  refuse_complex(call);
  core::Dims sizes = extreme_sizes(call);
  call.declare(sizes, own(call));
  call.declare(sizes, DType::int64);
}

void reduce_trace(RuleCall& call) {
  base::check(call.tensor(arg::self).dim() == 2,
              "trace: expected a matrix, but got tensor with dim ", call.tensor(arg::self).dim());
  call.declare({}, widened(call));
}

void check_dim(const Call& call) {
  core::wrap_dim(call.integer(arg::dim), call.tensor(arg::self).dim());
}

void scan_sum(RuleCall& call) {
  check_dim(call);
  call.declare(call.tensor(arg::self).sizes(), widened(call));
}

void scan(RuleCall& call) {
  check_dim(call);
  call.declare(call.tensor(arg::self).sizes(), own(call));
}

void scan_pair(RuleCall& call) {
  scan(call);
  call.declare(call.tensor(arg::self).sizes(), DType::int64);
}

void sort_pair(RuleCall& call) {
  check_dim(call);
  refuse_complex(call);
  Tensor t = call.tensor(arg::self);
  core::Dims strides = elementwise_strides(t.sizes(), std::span(&t, 1));
  call.declare(t.sizes(), strides, t.dtype());
  call.declare(t.sizes(), strides, DType::int64);
}

void top(RuleCall& call) {
  Tensor t = call.tensor(arg::self);
  refuse_complex(call);
  core::Dims sizes = t.sizes();
  int64_t dim = core::wrap_dim(call.integer(arg::dim), t.dim());
  int64_t k = call.integer(arg::k);
  int64_t length = t.dim() == 0 ? 1 : t.size(static_cast<size_t>(dim));
  base::check(k >= 0 && k <= length, "selected index k out of range");
  if (t.dim() > 0) sizes[static_cast<size_t>(dim)] = k;
  call.declare(sizes, t.dtype());
  call.declare(sizes, DType::int64);
}

/// The segments of each row along the axis are told by their lengths, or by where they begin and
/// the last one ends.
void reduce_segments(RuleCall& call) {
  base::check(call.is_none(arg::indices),
              "segment_reduce(): segments by indices are not supported; give lengths or offsets");
  bool by_offsets = !call.is_none(arg::offsets);
  base::check(by_offsets || !call.is_none(arg::lengths),
              "segment_reduce(): neither lengths nor offsets are given");
  Tensor data = call.tensor(arg::data);
  Tensor bounds = call.tensor(by_offsets ? arg::offsets : arg::lengths);
  const char* word = by_offsets ? "offsets" : "lengths";
  int64_t axis = core::wrap_dim(call.integer(arg::axis), data.dim());
  base::check(data.numel() > 0, "segment_reduce(): data has no elements");
  base::check(bounds.dim() == axis + 1 && bounds.dim() <= data.dim(), "segment_reduce(): axis ",
              axis, " is not the last dimension of ", word, ", which have ", bounds.dim());
  core::Dims sizes = data.sizes();
  for (size_t d = 0; d < static_cast<size_t>(axis); ++d) {
    base::check(sizes[d] == bounds.size(d), "segment_reduce(): ", word, " of shape ",
                bounds.sizes(), " do not fit data of shape ", data.sizes());
  }
  base::check(bounds.numel() > 0, "segment_reduce(): ", word, " are empty");
  int64_t segments = bounds.sizes().back() - (by_offsets ? 1 : 0);
  sizes[static_cast<size_t>(axis)] = segments;
  call.declare(sizes, data.dtype());
}

}  // namespace

Reduction reduction_of(const Call& call) {
  core::DimSpan from = call.tensor(arg::self).sizes();
  auto rank = static_cast<int64_t>(from.size());
  const Value* keep = named(call, arg::keepdim);
  bool keepdim = keep && keep->to_bool();
  core::Dims dims = dims_of(call);
  Reduction r;
  r.reduced.assign(from.size(), dims.empty());
  bool scalar_done = false;
  for (int64_t dim : dims) {
    int64_t at = core::wrap_dim(dim, rank);
    bool repeated = rank == 0 ? scalar_done : r.reduced[static_cast<size_t>(at)];
    base::check(!repeated, "dim ", at, " appears multiple times in the list of dims");
    scalar_done = true;
    if (rank > 0) r.reduced[static_cast<size_t>(at)] = true;
  }
  for (size_t d = 0; d < from.size(); ++d) {
    if (!r.reduced[d])
      r.sizes.push_back(from[d]);
    else if (keepdim)
      r.sizes.push_back(1);
  }
  return r;
}

const Rule reduced_sum{reduce<widened>};
const Rule reduced_mean{reduce<floating_only>};
const Rule reduced_moment{reduce<moment>};
const Rule reduced_moments{reduce_moments};
const Rule reduced_norm{reduce<norm>};
const Rule reduced_float{reduce<default_float>};
const Rule reduced_count{reduce<count>};
const Rule reduced_index{reduce_place};
const Rule reduced_bool{reduce<truth>};
const Rule reduced_extreme{reduce_extreme};
const Rule reduced_median{reduce_median};
const Rule reduced_extremes{reduce_extremes};
const Rule reduced_segments{reduce_segments};
const Rule reduced_pair{reduce_pair};
const Rule reduced_trace{reduce_trace};
const Rule scanned_sum{scan_sum};
const Rule scanned{scan};
const Rule scanned_pair{scan_pair};
const Rule sorted_pair{sort_pair};
const Rule top_pair{top};

}  // namespace assay::ops::infer
