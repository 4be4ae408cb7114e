#include "verify/cases/case.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/cases/detail/given_json.h"

namespace assay::verify {

namespace {

constexpr int64_t max_elements = int64_t{1} << 28;

double evaluate(const ValueBound& bound, const Bindings& sizes) {
  if (auto* number = std::get_if<double>(&bound)) return *number;
  return static_cast<double>(std::get<SizeExpr>(bound).evaluate(sizes));
}

/// Describes the inputs of one point.
class Builder {
 public:
  Builder(const Spec& spec, const Point& point) : spec_(spec), point_(point) {}

  Case build() {
    Case out;
    out.point = point_;
    for (const Input& input : spec_.inputs) {
      out.inputs.push_back({input.name, input.keyword, node(input.name, input.name, input.tree)});
    }
    for (const auto& group : spec_.aliases) {
      if (choice("alias", base::join(group, "="), "apart") == "same") out.aliases.push_back(group);
    }
    return out;
  }

 private:
  /// `path` is the place in this case; `declared` the one in the spec, which the elements of a
  /// repeated list share.
  CaseValue node(const std::string& path, const std::string& declared, const InputTree& tree) {
    CaseValue out;
    std::string option = choice("option", declared, "tensor");
    if (option == "none") return out;
    switch (tree.kind) {
      case InputTree::Kind::tensor:
        out.kind = CaseValue::Kind::tensor;
        tensor(path, declared, tree, out);
        break;
      case InputTree::Kind::integer:
        out.kind = CaseValue::Kind::integer;
        break;
      case InputTree::Kind::floating:
        out.kind = CaseValue::Kind::floating;
        break;
      case InputTree::Kind::boolean:
        out.kind = CaseValue::Kind::boolean;
        break;
      case InputTree::Kind::text:
        out.kind = CaseValue::Kind::text;
        out.texts = tree.texts;
        break;
      default:
        container(path, declared, tree, option == "reversed", out);
    }
    if (tree.range) {
      double low = evaluate(tree.range->low, point_.sizes);
      double high = evaluate(tree.range->high, point_.sizes);
      // `0..n-1` has no member at n = 0: a tensor without elements needs none.
      out.range = {low, std::max(low, high)};
    }
    bool leaf = out.kind == CaseValue::Kind::tensor || out.kind == CaseValue::Kind::integer ||
                out.kind == CaseValue::Kind::floating || out.kind == CaseValue::Kind::boolean;
    if (leaf) out.values = choice("value", declared, "normal");
    return out;
  }

  void tensor(const std::string& path, const std::string& declared, const InputTree& tree,
              CaseValue& out) {
    out.dtype = parse_dtype(choice("dtype", declared, dtype_name(tree.dtype))).value();
    out.layout = choice("layout", declared, "contiguous");
    for (size_t d = 0; d < tree.shape.size(); ++d) add_sizes(path, d, tree.shape[d], out.shape);
    int64_t elements = 1;
    for (int64_t size : out.shape) {
      base::check(size >= 0, "input ", path, ": a size is negative at this point");
      base::check(!__builtin_mul_overflow(elements, size, &elements) && elements <= max_elements,
                  "input ", path, ": ", out.shape, " is too large for a test case");
    }
  }

  void add_sizes(const std::string& path, size_t d, const ShapeItem& item, core::Dims& shape) {
    switch (item.kind) {
      case ShapeItem::Kind::size:
        shape.push_back(item.size.evaluate(point_.sizes));
        return;
      case ShapeItem::Kind::any:
        shape.push_back(SizeExpr::letter(fmt::format("{}.{}", path, d)).evaluate(point_.sizes));
        return;
      case ShapeItem::Kind::pack:
        break;
    }
    int64_t rank = SizeExpr::letter("*" + item.name).evaluate(point_.sizes);
    for (int64_t k = 0; k < rank; ++k) {
      shape.push_back(SizeExpr::letter(fmt::format("{}.{}", item.name, k)).evaluate(point_.sizes));
    }
  }

  void container(const std::string& path, const std::string& declared, const InputTree& tree,
                 bool reversed, CaseValue& out) {
    if (tree.kind == InputTree::Kind::repeated) {
      out.kind = CaseValue::Kind::list;
      int64_t count = tree.count.evaluate(point_.sizes);
      for (int64_t i = 0; i < count; ++i) {
        out.children.push_back(node(fmt::format("{}.{}", path, i), declared, tree.children[0]));
      }
      return;
    }
    bool dict = tree.kind == InputTree::Kind::dict, record = tree.kind == InputTree::Kind::record;
    out.kind = dict                                  ? CaseValue::Kind::dict
               : record                              ? CaseValue::Kind::record
               : tree.kind == InputTree::Kind::tuple ? CaseValue::Kind::tuple
                                                     : CaseValue::Kind::list;
    out.class_name = tree.class_name;
    for (size_t i = 0; i < tree.children.size(); ++i) {
      bool keyed = dict || record;
      std::string step = keyed ? fmt::format(".{}", tree.keys[i]) : fmt::format(".{}", i);
      if (dict && choice("option", declared + step, "tensor") == "absent") continue;
      out.children.push_back(node(path + step, declared + step, tree.children[i]));
      if (keyed) out.keys.push_back(tree.keys[i]);
    }
    if (reversed) {
      std::reverse(out.children.begin(), out.children.end());
      std::reverse(out.keys.begin(), out.keys.end());
    }
  }

  std::string choice(std::string_view kind, const std::string& path, std::string_view plain) const {
    auto found = point_.choices.find(fmt::format("{} {}", kind, path));
    return found == point_.choices.end() ? std::string(plain) : found->second;
  }

  const Spec& spec_;
  const Point& point_;
};

/// The type that a model is cast to: the one of all floating-point inputs, else the one of those
/// that the spec varies in type, if it is another than declared.
std::optional<core::DType> type_followed(const Spec& spec, const Point& point) {
  if (spec.dtypes.empty()) return std::nullopt;
  std::set<std::string> varied;
  for (const ChoiceAxis& axis : choice_axes(spec)) {
    if (axis.kind == "dtype" && axis.choices.size() > 1) varied.insert(axis.path);
  }
  std::set<core::DType> types;
  bool another = false;
  for (const InputPlace& place : input_places(spec)) {
    bool floats =
        place.tree->kind == InputTree::Kind::tensor && core::is_floating(place.tree->dtype);
    if (!floats || varied.count(place.path) == 0) continue;
    auto chosen = point.choices.find("dtype " + place.path);
    auto dtype = chosen == point.choices.end() ? place.tree->dtype : parse_dtype(chosen->second);
    if (!dtype || !core::is_floating(*dtype)) return std::nullopt;
    another = another || dtype != place.tree->dtype;
    types.insert(*dtype);
  }
  return another && types.size() == 1 ? std::optional(*types.begin()) : std::nullopt;
}

/// "int", or the number if it is given.
std::string scalar_text(const CaseValue& value, const char* kind) {
  bool given = value.range && value.range->first == value.range->second;
  if (!given) return kind;
  if (value.kind == CaseValue::Kind::boolean) return value.range->first == 0 ? "False" : "True";
  return base::number(value.range->first);
}

void describe(const std::string& path, const CaseValue& value, std::vector<std::string>& out) {
  std::string text = path + ' ';
  switch (value.kind) {
    case CaseValue::Kind::tensor: {
      std::vector<std::string> sizes;
      for (int64_t size : value.shape) sizes.push_back(std::to_string(size));
      text += fmt::format("{}[{}]", dtype_name(value.dtype), base::join(sizes, ","));
      if (value.layout != "contiguous") text += ' ' + value.layout;
      break;
    }
    case CaseValue::Kind::integer:
      text += scalar_text(value, "int");
      break;
    case CaseValue::Kind::floating:
      text += scalar_text(value, "float");
      break;
    case CaseValue::Kind::boolean:
      text += scalar_text(value, "bool");
      break;
    case CaseValue::Kind::text:
      text += value.texts.size() == 1 ? base::python_repr(value.texts[0]) : "str";
      break;
    case CaseValue::Kind::none:
      text += "None";
      break;
    default:
      for (size_t i = 0; i < value.children.size(); ++i) {
        std::string step = value.keys.empty() ? std::to_string(i) : value.keys[i];
        describe(fmt::format("{}.{}", path, step), value.children[i], out);
      }
      if (!value.children.empty()) return;
      text += "empty";
  }
  if (value.values != "normal") text += ' ' + value.values;
  out.push_back(std::move(text));
}

}  // namespace

std::string_view Case::setting(std::string_view kind) const {
  auto found = point.choices.find(kind);
  if (found != point.choices.end()) return found->second;
  for (const CategoricalAxisInfo& axis : categorical_axes()) {
    if (axis.kind == kind) return axis.choices.substr(0, axis.choices.find(','));
  }
  return {};
}

core::Device Case::device() const {
  auto found = point.choices.find("device");
  if (found == point.choices.end()) return {};
  std::optional<core::Device> device = core::parse_device(found->second);
  base::check(device.has_value(), "case: there is no device '", found->second, "'");
  return *device;
}

int64_t Case::calls() const {
  int64_t count = 1;
  auto found = point.choices.find("call");
  if (found != point.choices.end()) base::parse_int(found->second, count);
  return std::max<int64_t>(count, 1);
}

uint64_t Case::model_seed() const {
  int64_t seed = 0;
  auto found = point.choices.find("seed");
  if (found != point.choices.end()) base::parse_int(found->second, seed);
  return static_cast<uint64_t>(seed);
}

bool operator==(const Case& a, const Case& b) {
  bool equal =
      a.point == b.point && a.inputs == b.inputs && a.cast == b.cast && a.aliases == b.aliases;
  if (!equal) return false;
  return a.given == b.given || (a.given && b.given && detail::same_call(*a.given, *b.given));
}

bool has_text(const Case& c) { return !c.given || detail::fits_text(*c.given); }

Case build_case(const Spec& spec, const Point& point) {
  Case c = Builder(spec, point).build();
  if (c.setting("cast") == "follow") c.cast = type_followed(spec, point);
  return c;
}

std::string describe(const Case& c) {
  std::vector<std::string> parts;
  for (const CaseInput& input : c.inputs) describe(input.name, input.value, parts);
  parts.emplace_back(c.setting("mode"));
  parts.push_back(c.device().text());
  for (const auto& [key, choice] : c.point.choices) {
    bool plain = key == "device" || key == "mode" || std::ranges::count(key, ' ') > 0 ||
                 (key == "call" || key == "export" ? choice == "1"
                  : key == "seed"                  ? choice == "0"
                                                   : false);
    for (const CategoricalAxisInfo& axis : categorical_axes()) {
      plain = plain || (axis.kind == key && base::split(axis.choices, ',')[0] == choice);
    }
    if (!plain) parts.push_back(key + ' ' + choice);
  }
  if (c.cast) parts.push_back(fmt::format("model cast to {}", dtype_name(*c.cast)));
  for (const auto& group : c.aliases) parts.push_back(base::join(group, " is "));
  return base::join(parts, ", ");
}

}  // namespace assay::verify
