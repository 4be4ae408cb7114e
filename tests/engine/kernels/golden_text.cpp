#include "tests/engine/kernels/golden_text.h"

#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/elements.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DType;
using core::Scalar;
using core::Tensor;
using core::TypeKind;
using core::TypePtr;
using core::Value;

const std::map<std::string_view, DType> dtypes{
    {"u8", DType::uint8},        {"i8", DType::int8},     {"i16", DType::int16},
    {"i32", DType::int32},       {"i64", DType::int64},   {"f16", DType::float16},
    {"f32", DType::float32},     {"f64", DType::float64}, {"c64", DType::complex64},
    {"c128", DType::complex128}, {"b1", DType::boolean},  {"bf16", DType::bfloat16}};

/// The tokens between spaces, where brackets and quotes hold together.
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted && c == '\\') {
      word += c;
      word += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '(' || c == '{' || c == '<')) ++depth;
    // An arrow's `>` closes nothing.
    if (!quoted && (c == ']' || c == ')' || c == '}' || (c == '>' && depth > 0))) --depth;
    if (c == ' ' && depth == 0 && !quoted) {
      if (!word.empty()) out.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) out.push_back(word);
  return out;
}

double real_of(std::string_view text) {
  double value = 0;
  base::check(base::parse_double(text, value), "'", text, "' is no number");
  return value;
}

Scalar number_of(std::string_view text) {
  if (text == "True" || text == "False") return text == "True";
  if (size_t bar = text.find('|'); bar != text.npos) {
    return core::Complex128(real_of(text.substr(0, bar)), real_of(text.substr(bar + 1)));
  }
  int64_t whole = 0;
  // No int is "-0": it is a float's negative zero.
  if (text != "-0" && base::parse_int(text, whole)) return whole;
  return real_of(text);
}

Dims dims_of(std::string_view text) {
  Dims out;
  for (const std::string& item : base::split(text, ',')) {
    int64_t n = 0;
    if (base::parse_int(item, n)) out.push_back(n);
  }
  return out;
}

/// `f32[2,3]/[1,2]{1 2 3 4 5 6}~0`
struct TensorText {
  DType dtype = DType::float32;
  Dims sizes, strides;
  bool defined = true;
  std::vector<Scalar> elements;
  std::optional<size_t> alias;
};

TensorText tensor_text(std::string_view text) {
  TensorText t;
  size_t open = text.find('['), close = text.find(']'), brace = text.find('{');
  base::check(brace != text.npos && close < brace && dtypes.count(text.substr(0, open)),
              "no tensor: ", text);
  t.dtype = dtypes.at(text.substr(0, open));
  t.sizes = dims_of(text.substr(open + 1, close - open - 1));
  t.strides = core::contiguous_strides(t.sizes);
  if (text[close + 1] == '/') t.strides = dims_of(text.substr(close + 3, brace - close - 4));
  size_t end = text.find('}');
  std::string_view inside = text.substr(brace + 1, end - brace - 1);
  t.defined = inside != "?";
  if (t.defined) {
    for (const std::string& item : split_values(inside)) t.elements.push_back(number_of(item));
  }
  if (end + 1 < text.size() && text[end + 1] == '~')
    t.alias = std::stoul(std::string(text.substr(end + 2)));
  return t;
}

Tensor tensor_of(const TensorText& text) {
  Tensor plain = core::tensor_from(text.elements, text.sizes, text.dtype);
  if (plain.strides() == text.strides || plain.numel() == 0) return plain;
  // Recorded layouts are those of transposed tensors: dense, in another order of dimensions.
  Tensor out = Tensor::empty_strided(text.sizes, text.strides, text.dtype);
  Dims index(text.sizes.size(), 0);
  for (int64_t i = 0; i < plain.numel(); ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d) at += index[d] * text.strides[d];
    std::copy_n(plain.device_address() + i * static_cast<int64_t>(plain.item_size()),
                plain.item_size(),
                out.device_address() + at * static_cast<int64_t>(plain.item_size()));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < text.sizes[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

std::string unquoted(std::string_view text) {
  std::string out;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    char c = text[i];
    if (c == '\\') c = text[++i] == 'n' ? '\n' : text[i];
    out += c;
  }
  return out;
}

bool is_tensor(std::string_view text) {
  size_t open = text.find('[');
  return open != text.npos && dtypes.count(text.substr(0, open)) > 0;
}

Value value_of(const std::string& text, const TypePtr& type);

Value items_of(const std::string& text, const TypePtr& type) {
  TypePtr list = type->is(TypeKind::optional) ? type->element() : type;
  TypePtr element = list->is(TypeKind::list) ? list->element() : core::tensor_type();
  core::Values items;
  for (const auto& item : split_values(std::string_view(text).substr(1, text.size() - 2))) {
    items.push_back(value_of(item, element));
  }
  if (text[0] == '(') return core::make_tuple(items);
  if (element->is(TypeKind::var)) element = items.empty() ? core::tensor_type() : items[0].type();
  return core::make_list(element, items);
}

Value dict_of(const std::string& text, const TypePtr& type) {
  auto words = split_values(std::string_view(text).substr(1, text.size() - 2));
  TypePtr key = type->contained()[0], item = type->contained()[1];
  if (item->is(TypeKind::var)) item = core::int_type();
  auto dict = core::make_dict(key, item);
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    dict->set(value_of(words[i], key), value_of(words[i + 1], item));
  }
  return dict;
}

Value value_of(const std::string& text, const TypePtr& type) {
  if (text == "None") return {};
  if (is_tensor(text)) return tensor_of(tensor_text(text));
  if (text[0] == '"') return unquoted(text);
  if (text[0] == '@') return *core::parse_device(text.substr(1));
  if (text[0] == '[' || text[0] == '(') return items_of(text, type);
  if (text[0] == '<') return dict_of(text, type);
  Scalar number = number_of(text);
  TypePtr wanted = type->is(TypeKind::optional) ? type->element() : type;
  if (wanted->is(TypeKind::floating)) return number.to_double();
  if (wanted->is(TypeKind::complex)) return number.to_complex();
  return number;
}

/// The tolerances that PyTorch's own tests use; none for what involves no rounding.
double tolerance_of(DType dtype, const ops::Operator& op) {
  if (op.numeric() == ops::Numeric::exact) return 0;
  switch (core::real_of(dtype)) {
    case DType::float64:
      return 1e-7;
    case DType::float32:
      return 1.3e-6;
    case DType::float16:
      return 1e-3;
    case DType::bfloat16:
      return 1.6e-2;
    default:
      return 0;
  }
}

bool near(double a, double e, double tolerance) {
  if (std::isnan(e)) return std::isnan(a);
  if (std::isinf(e) || std::isinf(a)) return a == e;
  return std::fabs(a - e) <= tolerance * (std::fabs(e) + (tolerance > 0 ? 1 : 0));
}

bool near(const Scalar& a, const Scalar& e, double tolerance) {
  auto x = a.to_complex(), y = e.to_complex();
  return near(x.real(), y.real(), tolerance) && near(x.imag(), y.imag(), tolerance);
}

std::optional<std::string> tensor_mismatch(const Golden& golden, const TensorText& expected,
                                           const Tensor& actual, const core::Values& args) {
  if (actual.dtype() != expected.dtype || actual.sizes() != expected.sizes) {
    return fmt::format("is {}{}", core::python_name(actual.dtype()), actual.sizes());
  }
  for (size_t d = 0; actual.numel() > 0 && d < actual.sizes().size(); ++d) {
    if (actual.size(d) != 1 && actual.stride(d) != expected.strides[d]) {
      return fmt::format("has strides {}", actual.strides());
    }
  }
  if (expected.alias && args[*expected.alias].is_tensor() &&
      actual.storage() != args[*expected.alias].to_tensor().storage()) {
    return "has a storage of its own";
  }
  if (!expected.defined) return std::nullopt;
  // Recorded elements are rounded decimals: both sides go through the tensor's type.
  auto wanted =
      core::elements(core::tensor_from(expected.elements, expected.sizes, expected.dtype));
  auto got = core::elements(actual);
  double tolerance = tolerance_of(actual.dtype(), *golden.op);
  for (size_t i = 0; i < got.size(); ++i) {
    bool whole = !core::is_floating(actual.dtype()) && !core::is_complex(actual.dtype());
    bool same = whole ? got[i].to_int() == wanted[i].to_int() : near(got[i], wanted[i], tolerance);
    if (!same)
      return fmt::format("element {} is {} {}", i, got[i].to_double(), got[i].to_complex().imag());
  }
  return std::nullopt;
}

std::optional<std::string> sequence_mismatch(const Golden& golden, const std::string& expected,
                                             const core::Values& actual, const core::Values& args) {
  auto words = split_values(std::string_view(expected).substr(1, expected.size() - 2));
  if (words.size() != actual.size()) return fmt::format("has {} items", actual.size());
  for (size_t i = 0; i < words.size(); ++i) {
    if (auto why = mismatch(golden, words[i], actual[i], args))
      return fmt::format("item {} {}", i, *why);
  }
  return std::nullopt;
}

}  // namespace

Golden parse_golden(std::string_view line) {
  Golden golden;
  auto words = split_values(line);
  golden.op = &ops::get_operator(words.at(0));
  size_t i = 1;
  for (; i < words.size() && words[i] != "->" && words[i] != "!!"; ++i)
    golden.args.push_back(words[i]);
  golden.refused = i < words.size() && words[i] == "!!";
  for (++i; i < words.size() && words[i] != ";"; ++i) golden.results.push_back(words[i]);
  for (; i + 1 < words.size(); i += 2) {
    size_t equals = words[i + 1].find('=');
    golden.written[std::stoul(words[i + 1].substr(0, equals))] = words[i + 1].substr(equals + 1);
  }
  return golden;
}

core::Values arguments_of(const Golden& golden) {
  core::Values args;
  for (size_t i = 0; i < golden.args.size(); ++i) {
    args.push_back(value_of(golden.args[i], golden.op->schema.arguments[i].type));
  }
  return args;
}

std::optional<std::string> mismatch(const Golden& golden, const std::string& expected,
                                    const Value& actual, const core::Values& args) {
  if (is_tensor(expected)) {
    if (!actual.is_tensor()) return "is a " + actual.kind_name();
    return tensor_mismatch(golden, tensor_text(expected), actual.to_tensor(), args);
  }
  if (expected[0] == '[') {
    if (!actual.is_list()) return "is a " + actual.kind_name();
    return sequence_mismatch(golden, expected, actual.list().items, args);
  }
  if (expected[0] == '(') {
    if (!actual.is_tuple()) return "is a " + actual.kind_name();
    return sequence_mismatch(golden, expected, actual.tuple().items, args);
  }
  if (actual.is_number() && expected != "None") {
    Scalar wanted = number_of(expected), got = actual.to_scalar();
    if (wanted.category() != got.category()) return "is a " + actual.kind_name();
    bool same = wanted.is_int() ? wanted.to_int() == got.to_int() : near(got, wanted, 1e-15);
    return same ? std::nullopt : std::optional(fmt::format("is {}", got.to_double()));
  }
  Value wanted = value_of(expected, actual.type());
  return actual.equals(wanted) ? std::nullopt : std::optional("is another " + actual.kind_name());
}

}  // namespace assay::kernels::testing
