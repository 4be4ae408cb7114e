#include "fuzz/adapt.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::fuzz {

using verify::Bindings;
using verify::Case;
using verify::CaseInput;
using verify::CaseValue;
using verify::ChoiceAxis;
using verify::Input;
using verify::InputTree;
using verify::Point;
using verify::ShapeItem;
using verify::Spec;

namespace {

size_t position_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

bool is_pack(const ShapeItem& item) { return item.kind == ShapeItem::Kind::pack; }

bool rank_fits(const InputTree& tree, size_t rank) {
  bool has_pack = std::any_of(tree.shape.begin(), tree.shape.end(), is_pack);
  return has_pack ? rank + 1 >= tree.shape.size() : rank == tree.shape.size();
}

std::optional<CaseValue::Kind> kind_of(const InputTree& tree) {
  switch (tree.kind) {
    case InputTree::Kind::tensor:
      return CaseValue::Kind::tensor;
    case InputTree::Kind::integer:
      return CaseValue::Kind::integer;
    case InputTree::Kind::floating:
      return CaseValue::Kind::floating;
    case InputTree::Kind::boolean:
      return CaseValue::Kind::boolean;
    case InputTree::Kind::text:
      return CaseValue::Kind::text;
    case InputTree::Kind::list:
    case InputTree::Kind::repeated:
      return CaseValue::Kind::list;
    case InputTree::Kind::tuple:
      return CaseValue::Kind::tuple;
    case InputTree::Kind::dict:
      return CaseValue::Kind::dict;
    case InputTree::Kind::record:
      return CaseValue::Kind::record;
  }
  return std::nullopt;
}

/// Whether a value has the declared form in every part: what an input that was renamed must have.
bool has_form(const InputTree& tree, const CaseValue& value) {
  if (value.kind == CaseValue::Kind::none) return tree.optional;
  if (value.kind != kind_of(tree)) return false;
  if (tree.kind == InputTree::Kind::tensor) {
    return value.dtype == tree.dtype && rank_fits(tree, value.shape.size());
  }
  if (tree.kind == InputTree::Kind::repeated) {
    return std::all_of(value.children.begin(), value.children.end(),
                       [&](const CaseValue& child) { return has_form(tree.children[0], child); });
  }
  if (tree.keys.empty() && value.children.size() != tree.children.size()) return false;
  for (size_t i = 0; i < tree.children.size(); ++i) {
    size_t at = tree.keys.empty() ? i : position_of(value.keys, tree.keys[i]);
    bool absent = at == value.children.size();
    bool may_be_absent = tree.kind == InputTree::Kind::dict && tree.key_optional[i];
    if (absent ? !may_be_absent : !has_form(tree.children[i], value.children[at])) return false;
  }
  return true;
}

/// Gathers what a new point should be like from the arguments of an old case.
class Placing {
 public:
  Placing(const Spec& spec, const Case& old) : spec_(spec), old_(old) {}

  Adapted run() {
    match_inputs();
    for (const auto& [input, value] : matched_) {
      place(input->tree, value->value, input->name, input->name, value->name);
    }
    bool letters = keep_letters_by_name();
    if (!trouble_.empty()) return {{}, false, trouble_};
    if (!placed_ && !letters && !spec_.inputs.empty()) {
      return {{}, false, "none of its inputs is declared any more"};
    }
    choose();
    wanted_.seed = old_.point.seed;
    return settle();
  }

 private:
  void match_inputs() {
    std::set<const CaseInput*> used;
    auto match = [&](const Input& input, auto accepts) {
      for (const CaseInput& candidate : old_.inputs) {
        if (used.count(&candidate) || !accepts(candidate)) continue;
        used.insert(&candidate);
        matched_.emplace_back(&input, &candidate);
        return;
      }
    };
    for (const Input& input : spec_.inputs) {
      match(input, [&](const CaseInput& c) { return c.name == input.name; });
    }
    auto is_declared = [&](const CaseInput& c) {
      return std::any_of(matched_.begin(), matched_.end(),
                         [&](const auto& pair) { return pair.first->name == c.name; });
    };
    for (const Input& input : spec_.inputs) {
      bool known = std::any_of(matched_.begin(), matched_.end(),
                               [&](const auto& pair) { return pair.first == &input; });
      if (known) continue;
      match(input,
            [&](const CaseInput& c) { return !is_declared(c) && has_form(input.tree, c.value); });
    }
  }

  /// `path` is the place in a case; `declared` the one in the spec, which the elements of a
  /// repeated list share, and `before` what that was called in the old spec.
  void place(const InputTree& tree, const CaseValue& value, const std::string& path,
             const std::string& declared, const std::string& before) {
    called_before_[declared] = before;
    if (value.kind == CaseValue::Kind::none && tree.optional) placed_ = true;
    if (value.kind != kind_of(tree)) return;
    switch (tree.kind) {
      case InputTree::Kind::tensor:
        return place_sizes(tree, value.shape, path);
      case InputTree::Kind::repeated:
        placed_ = true;
        bind_size(tree.count, static_cast<int64_t>(value.children.size()));
        for (size_t i = 0; i < value.children.size(); ++i) {
          place(tree.children[0], value.children[i], fmt::format("{}.{}", path, i), declared,
                before);
        }
        return;
      default:
        break;
    }
    placed_ = placed_ || tree.children.empty();
    for (size_t i = 0; i < tree.children.size(); ++i) {
      std::string step = '.' + (tree.keys.empty() ? std::to_string(i) : tree.keys[i]);
      called_before_[declared + step] = before + step;
      size_t at = tree.keys.empty() ? i : position_of(value.keys, tree.keys[i]);
      if (at >= value.children.size()) continue;
      place(tree.children[i], value.children[at], path + step, declared + step, before + step);
    }
  }

  void place_sizes(const InputTree& tree, const core::Dims& shape, const std::string& path) {
    if (!rank_fits(tree, shape.size())) return;
    placed_ = true;
    size_t at = 0;
    for (size_t d = 0; d < tree.shape.size(); ++d) {
      const ShapeItem& item = tree.shape[d];
      if (!is_pack(item)) {
        int64_t size = shape[at++];
        if (item.kind == ShapeItem::Kind::any) bind(fmt::format("{}.{}", path, d), size);
        if (item.kind == ShapeItem::Kind::size) bind_size(item.size, size);
        continue;
      }
      size_t extra = shape.size() + 1 - tree.shape.size();
      bind("*" + item.name, static_cast<int64_t>(extra));
      for (size_t k = 0; k < extra; ++k) bind(fmt::format("{}.{}", item.name, k), shape[at++]);
    }
  }

  void bind_size(const verify::SizeExpr& size, int64_t met) {
    if (size.is_letter()) return bind(size.text(), met);
    if (!size.is_number()) computed_.emplace_back(size, met);
  }

  void bind(const std::string& name, int64_t size) {
    auto [place, fresh] = bound_.emplace(name, size);
    if (fresh || place->second == size || !trouble_.empty()) return;
    trouble_ = fmt::format("{} would be {} and {}", name, place->second, size);
  }

  /// Sizes that stand nowhere by themselves. Whether a letter of the spec is among them.
  bool keep_letters_by_name() {
    wanted_.sizes = bound_;
    bool any = false;
    for (const auto& [name, size] : old_.point.sizes) {
      bool is_letter = std::any_of(spec_.dims.begin(), spec_.dims.end(),
                                   [&, n = name](const verify::Dim& d) { return d.letter == n; });
      bool fresh = wanted_.sizes.emplace(name, size).second;
      any = any || (fresh && is_letter);
    }
    for (const auto& [size, met] : computed_) {
      std::set<std::string> letters;
      size.collect_letters(letters);
      std::erase_if(letters, [&](const std::string& l) { return wanted_.sizes.count(l) > 0; });
      if (letters.size() != 1) continue;
      auto solved = size.solve(*letters.begin(), wanted_.sizes, met);
      if (solved) wanted_.sizes[*letters.begin()] = *solved;
    }
    return any;
  }

  void choose() {
    for (const ChoiceAxis& axis : choice_axes(spec_)) {
      std::vector<std::string> paths = base::split(axis.path, '=');
      for (std::string& path : paths) {
        auto before = called_before_.find(path);
        if (before != called_before_.end()) path = before->second;
      }
      std::string key = axis.path.empty() ? axis.key : axis.kind + ' ' + base::join(paths, "=");
      auto found = old_.point.choices.find(key);
      if (found != old_.point.choices.end()) wanted_.choices[axis.key] = found->second;
    }
  }

  Adapted settle() const {
    std::optional<Point> point = nearest_point(spec_, wanted_);
    if (!point) return {{}, false, "the spec has no point near it"};
    for (const auto& [name, size] : bound_) {
      auto settled = point->sizes.find(name);
      if (settled == point->sizes.end() || settled->second == size) continue;
      return {{}, false, fmt::format("{} = {} lies outside its range", name, size)};
    }
    try {
      Case fitting = build_case(spec_, *point);
      bool whole = is_whole(fitting);
      return {std::move(fitting), whole, {}};
    } catch (const base::Error& error) {
      return {{}, false, error.message()};
    }
  }

  bool is_whole(const Case& now) const {
    bool same_run = now.point.seed == old_.point.seed && now.cast == old_.cast &&
                    now.aliases == old_.aliases && now.inputs.size() == old_.inputs.size();
    bool same_inputs = std::all_of(now.inputs.begin(), now.inputs.end(), [&](const CaseInput& c) {
      return std::find(old_.inputs.begin(), old_.inputs.end(), c) != old_.inputs.end();
    });
    return same_run && same_inputs &&
           std::all_of(old_.point.choices.begin(), old_.point.choices.end(), [&](const auto& old) {
             bool of_whole_run = old.first.find(' ') == std::string::npos;
             return !of_whole_run || now.setting(old.first) == old.second;
           });
  }

  const Spec& spec_;
  const Case& old_;
  std::vector<std::pair<const Input*, const CaseInput*>> matched_;
  std::map<std::string, std::string> called_before_;  // By declared path.
  Bindings bound_;                                    // Sizes met where a letter stands alone.
  std::vector<std::pair<verify::SizeExpr, int64_t>> computed_;  // By arithmetic, and what was met.
  bool placed_ = false;
  std::string trouble_;
  Point wanted_;
};

}  // namespace

Adapted adapt(const Spec& spec, const Case& old) {
  if (old.given) return {{}, false, "its arguments were given by a recording"};
  return Placing(spec, old).run();
}

}  // namespace assay::fuzz
