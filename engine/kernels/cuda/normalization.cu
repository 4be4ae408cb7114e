// Normalization of images, of groups of their channels, and of rows.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/image_moments.h"
#include "engine/kernels/cuda/normalization.h"
#include "engine/kernels/cuda/normalizing_body.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

Parameter::Parameter(const ops::Call& call, core::Tensor& tensor) {
  if (!tensor) return;
  if (tensor.dim() != 1) tensor = contiguous(call, tensor);
  data = tensor.device_address();
  dtype = tensor.dtype();
  step = (tensor.dim() == 1 ? tensor.stride(0) : 1) * static_cast<int64_t>(tensor.item_size());
}

namespace {

namespace arg = ops::arg;

using namespace normalizing;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

bool is_aligned(const Tensor& t) {
  return reinterpret_cast<uintptr_t>(t.device_address()) % 16 == 0;
}

template <typename T, typename Scales, typename Moments>
void launch(const Call& c, const Tensor& x, const Tensor& y, const Places& places,
            const Scales& scales, const Moments& moments) {
  using Body = NormalizingBody<T, Scales, Moments>;
  int64_t count = x.numel();
  Body body{x.device_data<T>(),
            y.device_data<T>(),
            count,
            places,
            scales,
            moments,
            is_aligned(x) && is_aligned(y),
            places.inner.divisor() % Body::width == 0};
  for_each(queue_of(c), (count + Body::width - 1) / Body::width, body);
}

template <typename T, typename Moments>
void normalize(const Call& c, const Tensor& x, const Tensor& y, const Places& places,
               const AnyScales& scales, const Moments& moments) {
  if (x.numel() == 0) return;
  if (scales.alike<T>()) return launch<T>(c, x, y, places, scales.as<T>(), moments);
  if constexpr (is_half_type<T>) {
    if (scales.alike<float>()) return launch<T>(c, x, y, places, scales.as<float>(), moments);
  }
  launch<T>(c, x, y, places, scales, moments);
}

template <typename T>
void observe(const Call& c, const Tensor& x, const Rows& rows, const Observed<Computed<T>>& to) {
  reduce(c, queue_of(c), rows.count, rows.length, Observing<T>{x.device_data<T>(), rows, to});
}

/// Whether elements lie in the same places.
bool lie_alike(const Tensor& a, const Tensor& b) {
  for (size_t d = 0; d < a.sizes().size(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
  }
  return true;
}

/// The tensor as results lie, which are dense.
Tensor laid_out_as(const Call& c, const Tensor& t, const Tensor& out) {
  if (t.numel() == 0 || lie_alike(t, out)) return t;
  Tensor copy = Tensor::empty_strided(t.sizes(), out.strides(), t.dtype(), t.device());
  copy_elements(c, copy, t);
  return copy;
}

/// In the type that is computed in: tiny ones are 0 there.
double eps_of(const Call& c, DType dtype) {
  double eps = c.floating(arg::eps);
  return dtype == DType::float64 ? eps : static_cast<double>(static_cast<float>(eps));
}

/// Running statistics that are written: row-major ones of any shape in place, others by a copy.
struct Running {
  Tensor given_mean, given_var, mean, var;

  explicit Running(const Call& c)
      : given_mean(c.tensor(arg::running_mean)),
        given_var(c.tensor(arg::running_var)),
        mean(writable(c, given_mean)),
        var(writable(c, given_var)) {}

  /// Elements that are read after the statistics have changed: a copy where they are the same.
  Tensor apart(const Call& c, const Tensor& t) const {
    auto shares = [&](const Tensor& own) { return t && own && t.storage() == own.storage(); };
    if (!shares(given_mean) && !shares(given_var)) return t;
    Tensor copy = Tensor::empty_strided(t.sizes(), t.strides(), t.dtype(), t.device());
    copy_elements(c, copy, t);
    return copy;
  }
  void write(const Call& c) const {
    put(c, given_mean, mean);
    put(c, given_var, var);
  }

 private:
  static Tensor writable(const Call& c, const Tensor& t) {
    return !t || t.dim() == 1 ? t : contiguous(c, t);
  }
  static void put(const Call& c, const Tensor& to, const Tensor& from) {
    if (!to) return;
    if (!to.same(from)) copy_elements(c, to, from);
    to.storage()->mark_written();
  }
};

/// Weight, bias and running statistics of a call; the tensors are kept as long as they are read.
struct Given {
  Tensor weight, bias, mean, var;
  AnyScales scales;

  /// `changed`: statistics that are written before these are read.
  explicit Given(const Call& c, const Running* changed = nullptr)
      : weight(c.tensor(arg::weight)), bias(c.tensor(arg::bias)) {
    if (changed) weight = changed->apart(c, weight), bias = changed->apart(c, bias);
    scales.weights = Parameter(c, weight);
    scales.biases = Parameter(c, bias);
    if (changed || !c.has(arg::running_mean)) return;
    mean = c.tensor(arg::running_mean), var = c.tensor(arg::running_var);
    scales.means = Parameter(c, mean);
    scales.vars = Parameter(c, var);
  }
};

template <typename C>
C* room_for(Tensor& scratch_room, const Call& c, int64_t count) {
  scratch_room = scratch(c, count * static_cast<int64_t>(sizeof(C)));
  return reinterpret_cast<C*>(scratch_room.device_address());
}

template <typename T>
void batch_norm(Call& c, bool save) {
  using C = Computed<T>;
  Tensor out = c.out(), x = laid_out_as(c, c.tensor(arg::input), out);
  double eps = eps_of(c, x.dtype());
  Images images(out);
  Places places(images, images.channels, false);
  if (!c.boolean(arg::training)) {
    return normalize<T>(c, x, out, places, Given(c).scales, RunningMoments<C>{static_cast<C>(eps)});
  }
  Running running(c);
  Given given(c, &running);
  x = running.apart(c, x);
  Tensor room;
  Observed<C> to;
  to.moments = room_for<Moment<C>>(room, c, images.channels);
  to.running_mean = Target(running.mean), to.running_var = Target(running.var);
  to.momentum = c.floating(arg::momentum);
  to.eps = eps;
  if (save) to.saved_mean = Target(c.out(1)), to.saved_inverse = Target(c.out(2));
  observe<T>(c, x, Rows::of_channels(images), to);
  running.write(c);
  normalize<T>(c, x, out, places, given.scales, OwnMoments<C>{to.moments});
}

void run_batch_norm(Call& c) {
  common::over_floating(c.out().dtype(), "batch_norm",
                        [&](auto zero) { batch_norm<decltype(zero)>(c, false); });
}

void run_native_batch_norm(Call& c) {
  common::over_floating(c.out().dtype(), "batch_norm",
                        [&](auto zero) { batch_norm<decltype(zero)>(c, true); });
  if (c.op.schema.returns.size() == 5) c.results.push_back(int64_t{0});
}

/// Each image's channels by themselves; running statistics take the mean over the batch.
template <typename T>
void instance_norm(Call& c) {
  using C = Computed<T>;
  Tensor out = c.out(), x = laid_out_as(c, c.tensor(arg::input), out);
  double eps = eps_of(c, x.dtype());
  Images images(out);
  if (!c.boolean(arg::use_input_stats)) {
    Places places(images, images.channels, false);
    return normalize<T>(c, x, out, places, Given(c).scales, RunningMoments<C>{static_cast<C>(eps)});
  }
  Running running(c);
  Given given(c, &running);
  x = running.apart(c, x);
  int64_t rows = images.batch * images.channels;
  Tensor room, plain_room;
  Observed<C> to;
  to.eps = eps;
  to.moments = room_for<Moment<C>>(room, c, rows);
  bool keeps = running.mean || running.var;
  if (keeps) to.plain = room_for<MeanAndVariance>(plain_room, c, rows);
  Rows all(rows, images.area, 1, images.area, 0, images.area, 0);
  observe<T>(c, x, all, to);
  if (keeps) {
    for_each(queue_of(c), images.channels,
             MixingBody{to.plain, images.batch, images.channels, images.area, Target(running.mean),
                        Target(running.var), c.floating(arg::momentum)});
    running.write(c);
  }
  Places places(images, images.channels, true);
  normalize<T>(c, x, out, places, given.scales, OwnMoments<C>{to.moments});
}

void run_instance_norm(Call& c) {
  common::over_floating(c.out().dtype(), "instance_norm",
                        [&](auto zero) { instance_norm<decltype(zero)>(c); });
}

/// The rows of x in groups of channels; weight and bias are the channels'.
template <typename T>
void normalize_groups(Call& c, const Tensor& x, const Tensor& y, const Images& images,
                      int64_t groups) {
  using C = Computed<T>;
  Given given(c);
  Rows rows = Rows::of_groups(images, groups);
  Tensor room;
  Observed<C> to;
  to.eps = eps_of(c, x.dtype());
  to.moments = room_for<Moment<C>>(room, c, rows.count);
  if (c.results.size() > 1) {
    to.saved_mean = Target(c.out(1)), to.saved_inverse = Target(c.out(2));
    if (rows.length == 0) {  // There are rows, with a mean of 0, where they have no elements.
      to.saved_mean = Target();
      fill_elements(c, c.out(1), 0);
    }
  }
  observe<T>(c, x, rows, to);
  normalize<T>(c, x, y, Places(images, groups, true), given.scales, OwnMoments<C>{to.moments});
}

void group_norm(Call& c, Images images, int64_t groups) {
  Tensor out = c.out();
  bool seen_so = out.dim() > 1 && out.size(0) == images.batch && out.size(1) == images.channels;
  images.last = seen_so && !out.is_contiguous();
  // Images of other sizes than the tensor's are counted in its rows.
  bool apart = !seen_so && !out.is_contiguous();
  Tensor y = apart ? Tensor::empty(out.sizes(), out.dtype(), out.device()) : out;
  Tensor x = laid_out_as(c, c.tensor(arg::input), y);
  common::over_floating(out.dtype(), "group_norm", [&](auto zero) {
    normalize_groups<decltype(zero)>(c, x, y, images, groups);
  });
  if (apart) copy_elements(c, out, y);
}

void run_group_norm(Call& c) { group_norm(c, Images(c.out()), c.integer(arg::num_groups)); }

void run_native_group_norm(Call& c) {
  group_norm(c, Images(c.integer(arg::N), c.integer(arg::C), c.integer(arg::HxW)),
             c.integer(arg::group));
}

void run_layer_norm(Call& c) {
  Tensor out = c.out(), x = contiguous(c, c.tensor(arg::input));
  Dims shape = c.ints(arg::normalized_shape);
  std::span<const int64_t> sizes = x.sizes();
  int64_t length = core::numel(shape);
  int64_t rows = core::numel(sizes.first(sizes.size() - shape.size()));
  if (length > 0 && length <= longest_row) {
    RowNormalization all{x, out, {}, {}, {}, {}, rows, length, eps_of(c, x.dtype()), true};
    if (Tensor weight = c.tensor(arg::weight)) all.weight = contiguous(c, weight);
    if (Tensor bias = c.tensor(arg::bias)) all.bias = contiguous(c, bias);
    if (c.results.size() > 1) all.mean = c.out(1), all.inverse = c.out(2);
    return normalize_rows(c, all);
  }
  common::over_floating(out.dtype(), "layer_norm", [&](auto zero) {
    normalize_groups<decltype(zero)>(c, x, out, Images(rows, length, 1), 1);
  });
}

/// Root mean square normalization in one step; others are composed of operators.
bool accepts_rms_norm(const Call& c) {
  Tensor x = c.tensor(arg::input), weight = c.tensor(arg::weight);
  Dims shape = c.ints(arg::normalized_shape);
  size_t rank = x.sizes().size(), last = shape.size();
  bool fits = last >= 1 && last <= rank && core::is_floating(x.dtype()) &&
              x.strides() == core::contiguous_strides(x.sizes()) &&
              std::equal(shape.begin(), shape.end(), x.sizes().end() - static_cast<int64_t>(last));
  bool weighed = !weight || (weight.sizes() == shape && weight.dtype() == x.dtype() &&
                             weight.device() == x.device());
  return fits && weighed && core::numel(shape) <= longest_row;
}

void run_rms_norm(Call& c) {
  Tensor x = c.tensor(arg::input);
  Tensor out = c.new_empty(x.sizes(), x.dtype());
  if (x.numel() == 0) return c.finish(out);
  double least = x.dtype() == DType::float64 ? std::numeric_limits<double>::epsilon()
                                             : double{std::numeric_limits<float>::epsilon()};
  int64_t length = core::numel(c.ints(arg::normalized_shape));
  RowNormalization all{x, out, {}, {}, {}, {}, x.numel() / length, length, 0, false};
  all.eps = c.is_none(arg::eps) ? least : eps_of(c, x.dtype());
  if (Tensor weight = c.tensor(arg::weight)) all.weight = contiguous(c, weight);
  normalize_rows(c, all);
  c.finish(out);
}

constexpr ops::Kernel normalization_table[] = {
    {"aten::batch_norm", run_batch_norm},
    {"aten::native_batch_norm", run_native_batch_norm},
    {"aten::_batch_norm_impl_index", run_native_batch_norm},
    {"aten::instance_norm", run_instance_norm},
    {"aten::layer_norm", run_layer_norm},
    {"aten::native_layer_norm", run_layer_norm},
    {"aten::group_norm", run_group_norm},
    {"aten::native_group_norm", run_native_group_norm},
    {"aten::rms_norm", run_rms_norm, accepts_rms_norm},
};

}  // namespace

std::span<const ops::Kernel> normalization_kernels() { return normalization_table; }

}  // namespace assay::kernels::cuda
