#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "engine/base/text.h"
#include "verify/spec/parser.h"

namespace assay::verify {

namespace {

std::string print(const ValueBound& bound) {
  if (auto* number = std::get_if<double>(&bound)) return base::number(*number);
  return std::get<SizeExpr>(bound).text();
}

std::string print(const ShapeItem& item) {
  switch (item.kind) {
    case ShapeItem::Kind::any:
      return "?";
    case ShapeItem::Kind::pack:
      return "*" + item.name;
    case ShapeItem::Kind::size:
      break;
  }
  return item.size.text();
}

std::string quote(const std::string& text) {
  char mark = text.find('"') == std::string::npos ? '"' : '\'';
  return mark + text + mark;
}

/// A number or a text that every case is given: `3`, `0.5`, `True`, `"relu"`.
std::string print_given(const InputTree& tree) {
  if (tree.kind == InputTree::Kind::text) return quote(tree.texts[0]);
  std::string number = print(tree.range->low);
  if (tree.kind == InputTree::Kind::boolean) return number == "0" ? "False" : "True";
  bool whole = number.find_first_not_of("-0123456789") == std::string::npos;
  return tree.kind == InputTree::Kind::floating && whole ? number + ".0" : number;
}

/// As a dict's entry begins.
std::string print_key(const std::string& key) {
  bool plain = std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
  bool name = plain && !key.empty() && !std::isdigit(static_cast<unsigned char>(key[0]));
  return name ? key : quote(key);
}

std::string print_leaf(const InputTree& tree) {
  if (tree.is_given()) return print_given(tree);
  std::string out;
  switch (tree.kind) {
    case InputTree::Kind::integer:
      out = "int";
      break;
    case InputTree::Kind::floating:
      out = "float";
      break;
    case InputTree::Kind::boolean:
      out = "bool";
      break;
    case InputTree::Kind::text:
      out = "str";
      break;
    default: {
      std::vector<std::string> sizes;
      for (const ShapeItem& item : tree.shape) sizes.push_back(print(item));
      out = fmt::format("{}[{}]", dtype_name(tree.dtype), base::join(sizes, ", "));
    }
  }
  if (tree.optional) out += '?';
  if (tree.range) out += fmt::format(" in {}..{}", print(tree.range->low), print(tree.range->high));
  std::vector<std::string> quoted;
  for (const std::string& text : tree.texts) quoted.push_back(quote(text));
  if (!quoted.empty()) out += " in " + base::join(quoted, " | ");
  return out;
}

std::string print_children(const InputTree& tree) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < tree.children.size(); ++i) {
    std::string key;
    if (tree.kind == InputTree::Kind::record) key = tree.keys[i] + ": ";
    if (tree.kind == InputTree::Kind::dict) {
      key = fmt::format("{}{}", print_key(tree.keys[i]), tree.key_optional[i] ? "?: " : ": ");
    }
    parts.push_back(key + verify::print(tree.children[i]));
  }
  return base::join(parts, ", ");
}

std::string range_text(const std::pair<int64_t, int64_t>& range) {
  if (range.first == range.second) return std::to_string(range.first);
  return fmt::format("{}..{}", range.first, range.second);
}

void add_words(const Spec& spec, std::vector<SpecPiece>& out) {
  for (const auto& [axis, choices] : spec.choices) {
    out.push_back({std::string(categorical_axis(axis).flag), base::join(choices, ",")});
  }
  for (const auto& [axis, by_path] : spec.input_choices) {
    for (const auto& [path, choices] : by_path) {
      std::string prefix = path == "*" ? "" : path + ":";
      out.push_back({std::string(categorical_axis(axis).flag), prefix + base::join(choices, ",")});
    }
  }
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:=+/";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string print(const InputTree& tree) {
  std::string mark = tree.optional ? "?" : "";
  switch (tree.kind) {
    case InputTree::Kind::dict:
      return fmt::format("{{{}}}{}", print_children(tree), mark);
    case InputTree::Kind::record:
      return fmt::format("{}({}){}", tree.class_name, print_children(tree), mark);
    case InputTree::Kind::list:
      return fmt::format("[{}]{}", print_children(tree), mark);
    case InputTree::Kind::tuple:
      return fmt::format("({}{}{}", print_children(tree), tree.children.size() == 1 ? ",)" : ")",
                         mark);
    case InputTree::Kind::repeated: {
      bool simple =
          tree.count.is_letter() || (tree.count.is_number() && tree.count.text()[0] != '-');
      std::string count = simple ? tree.count.text() : fmt::format("({})", tree.count.text());
      return fmt::format("[{}]*{}{}", print_children(tree), count, mark);
    }
    default:
      return print_leaf(tree);
  }
}

std::string print(const std::vector<Interval>& domain) {
  std::vector<std::string> parts;
  for (const Interval& interval : domain) {
    std::string part = interval.low.text();
    if (!(interval.low == interval.high)) part += ".." + interval.high.text();
    if (interval.step != 1) part += fmt::format(":{}", interval.step);
    parts.push_back(std::move(part));
  }
  return base::join(parts, ",");
}

std::vector<SpecPiece> spec_pieces(const Spec& spec) {
  std::vector<SpecPiece> out;
  for (const Input& input : spec.inputs) {
    out.push_back({"input", fmt::format("{}{}{}", input.name, input.keyword ? "= " : ": ",
                                        print(input.tree))});
  }
  for (const Dim& dim : spec.dims) {
    out.push_back({"dim", fmt::format("{}={}", dim.letter, print(dim.domain))});
  }
  for (const auto& [name, range] : spec.ranks) {
    out.push_back({"ranks", fmt::format("{}={}", name, range_text(range))});
  }
  if (!(spec.devices == std::vector{core::Device{}})) {
    std::vector<std::string> names;
    for (const core::Device& device : spec.devices) names.push_back(device.text());
    out.push_back({"devices", base::join(names, ",")});
  }
  for (const auto& [path, dtypes] : spec.dtypes) {
    std::vector<std::string> names;
    for (core::DType dtype : dtypes) names.emplace_back(dtype_name(dtype));
    out.push_back({"dtypes", (path == "*" ? "" : path + ":") + base::join(names, ",")});
  }
  add_words(spec, out);
  for (const auto& group : spec.aliases) out.push_back({"aliases", base::join(group, "=")});
  if (spec.calls) out.push_back({"calls", range_text(*spec.calls)});
  if (spec.seeds) out.push_back({"seeds", range_text(*spec.seeds)});
  if (spec.exports) out.push_back({"exports", range_text(*spec.exports)});
  if (!spec.properties.empty()) out.push_back({"properties", base::join(spec.properties, ",")});
  for (const auto& [path, value] : spec.atol) {
    out.push_back({"atol", fmt::format("{}{}", path == "*" ? "" : path + ":", value)});
  }
  for (const auto& [path, value] : spec.rtol) {
    out.push_back({"rtol", fmt::format("{}{}", path == "*" ? "" : path + ":", value)});
  }
  return out;
}

std::string spec_text(const Spec& spec) {
  std::string out;
  for (const SpecPiece& piece : spec_pieces(spec)) {
    out += fmt::format("--{} {}\n", piece.flag, shell_word(piece.text));
  }
  return out;
}

}  // namespace assay::verify
