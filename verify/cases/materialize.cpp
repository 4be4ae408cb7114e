#include "verify/cases/materialize.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/core/host_access.h"

namespace assay::verify {

namespace {

/// Finalizer of SplitMix64 (Steele, Lea and Flood 2014).
uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr uint64_t golden = 0x9e3779b97f4a7c15u;

uint64_t key_of(uint64_t seed, const std::string& path) {
  uint64_t key = mix(seed + golden);
  for (char c : path) key = mix(key + golden + static_cast<uint8_t>(c));
  return key;
}

uint64_t step_into(uint64_t key, int64_t coordinate) {
  return mix(key + golden * static_cast<uint64_t>(coordinate + 1));
}

/// Uniform in [0, 1).
double uniform(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// About normal with mean 0 and variance 1: the sum of four uniform numbers, in exact arithmetic so
/// that every machine has the same. A second draw below the first's grain keeps ties rare.
double normal(uint64_t bits) {
  double sum = 0;
  for (int part = 0; part < 4; ++part) {
    sum += static_cast<double>((bits >> (16 * part)) & 0xffff);
  }
  double grain = uniform(mix(bits + golden));
  constexpr double mean = 2 * 65535.0 + 0.5;
  constexpr double scale = 1.7320508075688772 / 65536;  // sqrt(3): a uniform has variance 1/12.
  return (sum + grain - mean) * scale;
}

/// The words of the axis `values`.
enum class Values { normal, zeros, ones, negative, equal, huge, tiny, ramp, nan, inf };

Values values_of(const std::string& word) {
  static const std::map<std::string_view, Values> words = {
      {"zeros", Values::zeros}, {"ones", Values::ones}, {"negative", Values::negative},
      {"equal", Values::equal}, {"huge", Values::huge}, {"tiny", Values::tiny},
      {"ramp", Values::ramp},   {"nan", Values::nan},   {"inf", Values::inf}};
  auto found = words.find(word);
  return found == words.end() ? Values::normal : found->second;
}

/// What one tensor or scalar draws its elements from.
struct Draw {
  Values values;
  std::optional<std::pair<double, double>> range;
  core::DType dtype = core::DType::float32;

  double clamp(double value) const {
    return range ? std::clamp(value, range->first, range->second) : value;
  }

  double real(uint64_t bits, int64_t index) const {
    if (values == Values::zeros) return clamp(0);
    if (values == Values::ones) return clamp(1);
    if (values == Values::ramp) return ramp(index);
    if (auto special = not_finite(bits, index)) return *special;
    double low = range ? range->first : 0, high = range ? range->second : 0;
    if (values == Values::huge) return range ? high : normal(bits) * huge();
    if (values == Values::tiny) return range ? low : normal(bits) * 1e-6;
    if (values == Values::negative) {
      if (!range) return -std::fabs(normal(bits));
      high = std::max(low, std::min(high, 0.0));
    }
    return range ? low + (high - low) * uniform(bits) : normal(bits);
  }

  int64_t integer(uint64_t bits, int64_t index) const {
    constexpr double most = 9e15;
    bool negative = values == Values::negative;
    bool is_signed = dtype != core::DType::uint8;
    double low = range ? range->first : negative && is_signed ? -9 : 0;
    double high = range ? range->second : negative && is_signed ? -1 : 9;
    if (range && negative) high = std::max(low, std::min(high, -1.0));
    auto first = static_cast<int64_t>(std::ceil(std::clamp(low, -most, most)));
    auto last = static_cast<int64_t>(std::floor(std::clamp(high, -most, most)));
    last = std::max(first, last);
    if (values == Values::zeros) return std::clamp<int64_t>(0, first, last);
    if (values == Values::ones) return std::clamp<int64_t>(1, first, last);
    if (values == Values::huge) return range ? last : huge_integer();
    if (values == Values::tiny) return first;
    uint64_t span = static_cast<uint64_t>(last - first) + 1;
    if (values == Values::ramp)
      return first + static_cast<int64_t>(static_cast<uint64_t>(index) % span);
    return first + static_cast<int64_t>(bits % span);
  }

  bool boolean(uint64_t bits, int64_t index) const {
    if (range && range->first == range->second) return range->first != 0;
    if (values == Values::zeros) return false;
    if (values == Values::ones) return true;
    if (values == Values::ramp) return index % 2 != 0;
    return (bits & 1) != 0;
  }

 private:
  /// The first element of all, and some of the others, whatever the range.
  std::optional<double> not_finite(uint64_t bits, int64_t index) const {
    constexpr uint64_t one_of = 4;
    bool special = values == Values::nan || values == Values::inf;
    if (!special || (index > 0 && mix(bits) % one_of != 0)) return std::nullopt;
    if (values == Values::nan) return std::numeric_limits<double>::quiet_NaN();
    double infinity = std::numeric_limits<double>::infinity();
    return index > 0 && (mix(bits) / one_of) % 2 != 0 ? -infinity : infinity;
  }
  double ramp(int64_t index) const {
    if (!range) return static_cast<double>(index);
    double width = range->second - range->first;
    return width > 0 ? range->first + std::fmod(static_cast<double>(index), width) : range->first;
  }
  double huge() const { return dtype == core::DType::float16 ? 1e3 : 1e6; }
  int64_t huge_integer() const {
    switch (dtype) {
      case core::DType::int8:
        return 127;
      case core::DType::uint8:
        return 255;
      case core::DType::int16:
        return 32767;
      default:
        return int64_t{1} << 30;
    }
  }
};

template <typename T>
T element(const Draw& draw, uint64_t bits, int64_t index) {
  if constexpr (std::is_same_v<T, core::Bool>) {
    return draw.boolean(bits, index);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(draw.integer(bits, index));
  } else if constexpr (std::is_same_v<T, core::Complex64> || std::is_same_v<T, core::Complex128>) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(draw.real(bits, index)),
             static_cast<Part>(draw.real(mix(bits ^ golden), index)));
  } else if constexpr (std::is_same_v<T, double>) {
    return draw.real(bits, index);
  } else {
    return T(static_cast<float>(draw.real(bits, index)));
  }
}

/// Writes every element. Along a dimension of stride 0 all elements are the first one.
template <typename T>
void fill(const core::Tensor& tensor, const Draw& draw, uint64_t key) {
  int64_t count = tensor.numel();
  if (count == 0) return;
  T* data = tensor.device_data<T>();
  if (tensor.dim() == 0) {
    data[0] = element<T>(draw, mix(key), 0);
    return;
  }
  bool equal = draw.values == Values::equal;
  size_t last = tensor.sizes().size() - 1;
  int64_t length = tensor.size(last), stride = tensor.stride(last);
  core::Dims at(last, 0);  // Of a row: all coordinates but the last.
  for (int64_t index = 0; index < count;) {
    uint64_t of_row = key;
    int64_t offset = 0;
    for (size_t d = 0; d < last; ++d) {
      offset += at[d] * tensor.stride(d);
      if (!equal) of_row = step_into(of_row, tensor.stride(d) == 0 ? 0 : at[d]);
    }
    for (int64_t i = 0; i < length; ++i, ++index, offset += stride) {
      uint64_t bits = equal ? of_row : step_into(of_row, stride == 0 ? 0 : i);
      data[offset] = element<T>(draw, mix(bits), index);
    }
    for (size_t d = last; d-- > 0;) {
      if (++at[d] < tensor.size(d)) break;
      at[d] = 0;
    }
  }
}

void fill_any(const core::Tensor& tensor, const Draw& draw, uint64_t key) {
  using core::BFloat16, core::Bool, core::Complex128, core::Complex64, core::Half;
  switch (tensor.dtype()) {
#define DTYPE(name, number, python, script, type, category) \
  case core::DType::name:                                   \
    return fill<type>(tensor, draw, key);
#include "engine/core/dtype.def"
#undef DTYPE
  }
}

/// A tensor of zeros of this shape whose elements lie as the layout says.
core::Tensor laid_out(const core::Dims& shape, core::DType dtype, const std::string& layout,
                      core::Device device) {
  size_t rank = shape.size();
  core::Dims strides = core::contiguous_strides(shape);
  int64_t offset = 0;
  if (layout == "channels_last" && (rank == 4 || rank == 5)) {
    auto format =
        rank == 4 ? core::MemoryFormat::channels_last : core::MemoryFormat::channels_last_3d;
    strides = core::format_strides(shape, format);
  } else if (layout == "transposed" && rank >= 2) {
    core::Dims swapped = shape;
    std::swap(swapped[rank - 1], swapped[rank - 2]);
    strides = core::contiguous_strides(swapped);
    std::swap(strides[rank - 1], strides[rank - 2]);
  } else if (layout == "strided" && rank >= 1) {
    // Every other element of a tensor that is wider in each dimension, from the second on: no two
    // dimensions can be viewed as one.
    core::Dims wider = shape;
    for (int64_t& size : wider) ++size;
    strides = core::contiguous_strides(wider);
    for (int64_t& stride : strides) stride *= 2;
    offset = 1;
  } else if (layout == "expanded") {
    auto wide = std::find_if(shape.begin(), shape.end(), [](int64_t size) { return size > 1; });
    if (wide != shape.end()) {
      core::Dims narrow = shape;
      auto dim = static_cast<size_t>(wide - shape.begin());
      narrow[dim] = 1;
      strides = core::contiguous_strides(narrow);
      strides[dim] = 0;
    }
  }
  core::Extent extent = core::extent(shape, strides);
  auto bytes = static_cast<size_t>(extent.high + offset) * core::size_of(dtype);
  core::StorageRef storage = core::Storage::allocate(bytes, device);
  core::fill_bytes(storage, 0, bytes, std::byte{0});
  return core::Tensor::view_of(storage, extent.high == 0 ? 0 : offset, shape, strides, dtype);
}

/// Makes the values of one case.
class Maker {
 public:
  explicit Maker(const Case& c) : case_(c), device_(c.device()) {
    for (const auto& group : c.aliases) {
      for (const std::string& path : group) first_of_[path] = group[0];
    }
  }

  core::Value make(const std::string& path, const CaseValue& node) {
    uint64_t key = key_of(case_.point.seed, path);
    Draw draw{values_of(node.values), node.range, node.dtype};
    switch (node.kind) {
      case CaseValue::Kind::tensor:
        return tensor(path, node, draw, key);
      case CaseValue::Kind::integer:
        draw.dtype = core::DType::int64;
        return draw.integer(mix(key), 0);
      case CaseValue::Kind::floating:
        return draw.real(mix(key), 0);
      case CaseValue::Kind::boolean:
        return draw.boolean(mix(key), 0);
      case CaseValue::Kind::text:
        return node.texts.empty() ? std::string() : node.texts[mix(key) % node.texts.size()];
      case CaseValue::Kind::none:
        return {};
      default:
        return container(path, node);
    }
  }

 private:
  core::Value tensor(const std::string& path, const CaseValue& node, const Draw& draw,
                     uint64_t key) {
    auto group = first_of_.find(path);
    if (group != first_of_.end()) {
      auto made = made_.find(group->second);
      if (made != made_.end() && made->second.sizes() == node.shape &&
          made->second.dtype() == node.dtype) {
        return made->second;
      }
    }
    core::Tensor out = laid_out(node.shape, node.dtype, node.layout, device_);
    if (core::has_bytes(out)) {
      core::Tensor on_host = core::to_host(out);
      fill_any(on_host, draw, key);
      core::copy_back(out, on_host);
    }
    if (group != first_of_.end()) made_.emplace(group->second, out);
    return out;
  }

  core::Value container(const std::string& path, const CaseValue& node) {
    core::Values items;
    for (size_t i = 0; i < node.children.size(); ++i) {
      std::string step = node.keys.empty() ? std::to_string(i) : node.keys[i];
      items.push_back(make(fmt::format("{}.{}", path, step), node.children[i]));
    }
    if (node.kind == CaseValue::Kind::tuple) return core::make_tuple(std::move(items));
    if (node.kind == CaseValue::Kind::record) return record(node, std::move(items));
    core::TypePtr element = items.empty() ? core::tensor_type() : items[0].type();
    for (const core::Value& item : items) {
      element = core::unify(element, item.type()).value_or(core::any_type());
    }
    if (node.kind == CaseValue::Kind::list) return core::make_list(element, std::move(items));
    core::DictRef dict = core::make_dict(core::string_type(), element);
    for (size_t i = 0; i < items.size(); ++i) dict->set(node.keys[i], items[i]);
    return dict;
  }

  static core::Value record(const CaseValue& node, core::Values items) {
    std::vector<core::TypePtr> types;
    for (const core::Value& item : items) types.push_back(item.type());
    auto type = core::named_tuple(node.class_name, std::move(types), node.keys);
    return base::make_ref<core::TupleObject>(std::move(items), std::move(type));
  }

  const Case& case_;
  core::Device device_;
  std::map<std::string, std::string> first_of_;
  std::map<std::string, core::Tensor> made_;
};

/// Copies values with their storages, so that a run cannot change the ones that were given.
class Copier {
 public:
  /// What lies on the CPU goes to `device`.
  explicit Copier(core::Device device) : device_(device) {}

  core::Value copy(const core::Value& value) {
    if (value.is_tensor()) return tensor(value.to_tensor());
    if (value.is_list()) {
      return core::make_list(value.list().element, all(value.list().items));
    }
    if (value.is_tuple()) {
      return base::make_ref<core::TupleObject>(all(value.tuple().items), value.tuple().named);
    }
    if (value.is_dict()) {
      core::DictRef out = core::make_dict(value.dict().key, value.dict().value);
      for (const auto& entry : value.dict().entries()) out->set(entry.key, copy(entry.value));
      return out;
    }
    return value;
  }

 private:
  core::Values all(const core::Values& items) {
    core::Values out;
    for (const core::Value& item : items) out.push_back(copy(item));
    return out;
  }

  core::Value tensor(const core::Tensor& from) {
    core::Tensor& to = tensors_[from.impl()];
    if (!to) to = fresh(from);
    return to;
  }

  core::Tensor fresh(const core::Tensor& from) {
    core::StorageRef& storage = storages_[from.storage().get()];
    core::Device device = from.device() == core::Device{} ? device_ : from.device();
    if (!storage) storage = core::copy_to_device(from.storage(), device);
    return core::Tensor::view_of(storage, from.offset(), from.sizes(), from.strides(),
                                 from.dtype());
  }

  core::Device device_;
  std::unordered_map<const core::Storage*, core::StorageRef> storages_;
  std::unordered_map<const core::TensorImpl*, core::Tensor> tensors_;
};

CaseValue described(const core::Value& value) {
  CaseValue out;
  auto add = [&](const core::Value& child) { out.children.push_back(described(child)); };
  if (value.is_tensor()) {
    out.kind = CaseValue::Kind::tensor;
    out.dtype = value.to_tensor().dtype();
    out.shape = value.to_tensor().sizes();
  } else if (value.is_int()) {
    out.kind = CaseValue::Kind::integer;
  } else if (value.is_float()) {
    out.kind = CaseValue::Kind::floating;
  } else if (value.is_bool()) {
    out.kind = CaseValue::Kind::boolean;
  } else if (value.is_string()) {
    out.kind = CaseValue::Kind::text;
    out.texts = {value.to_string()};
  } else if (value.is_list()) {
    out.kind = CaseValue::Kind::list;
    for (const core::Value& item : value.list().items) add(item);
  } else if (value.is_tuple()) {
    const core::TupleType* named = core::as_tuple(value.tuple().named);
    out.kind = named ? CaseValue::Kind::record : CaseValue::Kind::tuple;
    if (named) out.class_name = named->name(), out.keys = named->fields;
    for (const core::Value& item : value.tuple().items) add(item);
  } else if (value.is_dict()) {
    out.kind = CaseValue::Kind::dict;
    for (const auto& entry : value.dict().entries()) {
      out.keys.push_back(entry.key.is_string() ? entry.key.to_string()
                                               : std::to_string(out.keys.size()));
      add(entry.value);
    }
  }
  return out;
}

Call copy_to(const Call& from, core::Device device) {
  Call call;
  Copier copier(device);
  for (const core::Value& arg : from.args) call.args.push_back(copier.copy(arg));
  for (const auto& [name, arg] : from.kwargs) call.kwargs.emplace_back(name, copier.copy(arg));
  return call;
}

}  // namespace

Call deep_copy(const Call& from) { return copy_to(from, core::Device{}); }

Call materialize(const Case& c) {
  if (c.given) return copy_to(*c.given, c.device());
  Call call;
  Maker maker(c);
  for (const CaseInput& input : c.inputs) {
    core::Value value = maker.make(input.name, input.value);
    if (input.keyword) {
      call.kwargs.emplace_back(input.name, std::move(value));
    } else {
      call.args.push_back(std::move(value));
    }
  }
  return call;
}

Call materialize(const Case& c, int64_t call) {
  auto before_last = static_cast<uint64_t>(c.calls() - 1 - call);
  if (before_last == 0) return materialize(c);
  constexpr uint64_t far_apart = 0x9e3779b97f4a7c15;  // From seeds that a campaign counts up.
  Case earlier = c;
  earlier.point.seed += far_apart * before_last;
  return materialize(earlier);
}

Case given_case(Call call) {
  Case out;
  for (size_t i = 0; i < call.args.size(); ++i) {
    out.inputs.push_back({fmt::format("args[{}]", i), false, described(call.args[i])});
  }
  for (const auto& [name, value] : call.kwargs)
    out.inputs.push_back({name, true, described(value)});
  out.given = std::make_shared<const Call>(std::move(call));
  return out;
}

}  // namespace assay::verify
