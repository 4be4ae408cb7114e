#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/host_access.h"
#include "verify/spec/parser.h"

namespace assay::verify {

namespace {

constexpr int max_depth = 24;

/// Which sizes become which letters.
class Letters {
 public:
  void count(const core::Tensor& tensor) {
    for (size_t d = 0; d < tensor.sizes().size(); ++d) {
      if (tensor.size(d) > 1) ++tensors_with_[tensor.size(d)];
    }
  }

  /// The leading size is a batch or a length, and a size that several tensors share is more than a
  /// weight's; other sizes are most often fixed by weights and stay numbers.
  SizeExpr size(int64_t value, bool leading) {
    bool shared = tensors_with_[value] > 1;
    if (!leading && !shared) return SizeExpr(value);
    auto found = letters_.find(value);
    if (found == letters_.end()) found = letters_.emplace(value, fresh()).first;
    return SizeExpr::letter(found->second);
  }

  std::vector<Dim> dims() const {
    std::vector<Dim> out;
    for (const auto& [value, letter] : letters_) {
      Interval interval{SizeExpr(1), SizeExpr(std::max<int64_t>(4, 2 * value)), 1};
      out.push_back({letter, {interval}});
    }
    std::sort(out.begin(), out.end(),
              [](const Dim& a, const Dim& b) { return a.letter < b.letter; });
    return out;
  }

 private:
  std::string fresh() {
    constexpr std::string_view names = "bthwklmnpqrsuvxyz";
    size_t k = letters_.size();
    std::string name(1, names[k % names.size()]);
    return k < names.size() ? name : fmt::format("{}{}", name, k / names.size());
  }

  std::map<int64_t, int> tensors_with_;
  std::map<int64_t, std::string> letters_;
};

template <typename T>
std::pair<double, double> ends_of(const core::Tensor& on_device) {
  core::Tensor tensor = core::to_host(on_device);
  core::Extent extent = core::extent(tensor.sizes(), tensor.strides());
  const T* data = tensor.device_data<T>();
  double low = static_cast<double>(data[extent.low]), high = low;
  for (int64_t i = extent.low; i < extent.high; ++i) {
    double value = static_cast<double>(data[i]);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return {low, high};
}

/// Integers are most often indices: nothing outside what the example holds is known to be valid.
std::optional<ValueRange> integer_range(const core::Tensor& tensor) {
  if (tensor.numel() == 0 || tensor.device().type == core::DeviceType::meta) return std::nullopt;
  std::pair<double, double> ends;
  switch (tensor.dtype()) {
    case core::DType::int64:
      ends = ends_of<int64_t>(tensor);
      break;
    case core::DType::int32:
      ends = ends_of<int32_t>(tensor);
      break;
    case core::DType::int16:
      ends = ends_of<int16_t>(tensor);
      break;
    case core::DType::int8:
      ends = ends_of<int8_t>(tensor);
      break;
    case core::DType::uint8:
      ends = ends_of<uint8_t>(tensor);
      break;
    default:
      return std::nullopt;
  }
  return ValueRange{SizeExpr(static_cast<int64_t>(ends.first)),
                    SizeExpr(static_cast<int64_t>(ends.second))};
}

void count_sizes(const core::Value& value, Letters& letters, int depth) {
  base::check(depth < max_depth, "an example input nests too deeply");
  if (value.is_tensor()) letters.count(value.to_tensor());
  if (value.is_list()) {
    for (const core::Value& item : value.list().items) count_sizes(item, letters, depth + 1);
  } else if (value.is_tuple()) {
    for (const core::Value& item : value.tuple().items) count_sizes(item, letters, depth + 1);
  } else if (value.is_dict()) {
    for (const auto& entry : value.dict().entries()) count_sizes(entry.value, letters, depth + 1);
  }
}

InputTree tensor_tree(const core::Tensor& tensor, Letters& letters) {
  InputTree tree;
  tree.dtype = tensor.dtype();
  for (size_t d = 0; d < tensor.sizes().size(); ++d) {
    ShapeItem item;
    item.size = letters.size(tensor.size(d), d == 0);
    tree.shape.push_back(std::move(item));
  }
  tree.range = integer_range(tensor);
  return tree;
}

InputTree tree_of(const core::Value& value, Letters& letters);

void add_children(const core::Values& items, InputTree& tree, Letters& letters) {
  for (const core::Value& item : items) tree.children.push_back(tree_of(item, letters));
}

InputTree tree_of(const core::Value& value, Letters& letters) {
  if (value.is_tensor()) return tensor_tree(value.to_tensor(), letters);
  InputTree tree;
  if (value.is_int()) {
    tree.kind = InputTree::Kind::integer;
    SizeExpr only(value.to_int());
    tree.range = ValueRange{only, only};
  } else if (value.is_float()) {
    tree.kind = InputTree::Kind::floating;
    tree.range = ValueRange{value.to_float(), value.to_float()};
  } else if (value.is_bool()) {
    tree.kind = InputTree::Kind::boolean;
    SizeExpr only(value.to_bool() ? 1 : 0);
    tree.range = ValueRange{only, only};
  } else if (value.is_string()) {
    tree.kind = InputTree::Kind::text;
    tree.texts = {value.to_string()};
  } else if (value.is_list()) {
    tree.kind = InputTree::Kind::list;
    add_children(value.list().items, tree, letters);
  } else if (value.is_tuple()) {
    const core::TupleType* named = core::as_tuple(value.tuple().named);
    tree.kind = named ? InputTree::Kind::record : InputTree::Kind::tuple;
    if (named) tree.class_name = named->name(), tree.keys = named->fields;
    add_children(value.tuple().items, tree, letters);
  } else if (value.is_dict()) {
    tree.kind = InputTree::Kind::dict;
    for (const auto& entry : value.dict().entries()) {
      base::check(entry.key.is_string(), "no spec can be proposed for a dict with keys of kind ",
                  entry.key.kind_name());
      tree.keys.push_back(entry.key.to_string());
      tree.key_optional.push_back(false);
      tree.children.push_back(tree_of(entry.value, letters));
    }
  } else {
    base::fail("no spec can be proposed for an input of kind ", value.kind_name());
  }
  return tree;
}

}  // namespace

Spec propose_spec(const std::vector<std::pair<std::string, core::Value>>& inputs) {
  Letters letters;
  for (const auto& [name, value] : inputs) count_sizes(value, letters, 0);
  Spec spec;
  bool left_out = false;
  for (const auto& [name, value] : inputs) {
    // An optional input that the example leaves out; what follows it is then given by keyword.
    if (value.is_none()) {
      left_out = true;
    } else {
      spec.inputs.push_back({name, left_out, tree_of(value, letters)});
    }
  }
  spec.dims = letters.dims();
  validate(spec);
  return spec;
}

}  // namespace assay::verify
