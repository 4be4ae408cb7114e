#include "verify/cases/binding.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

using Kind = InputTree::Kind;

class Binder {
 public:
  Binder(const Spec& spec, Point& point) : point_(point), axes_(choice_axes(spec)) {}

  /// Letters that stand in arithmetic alone (`s*s + 1`): the first size that gives what was met.
  void solve() {
    for (const auto& [size, met] : computed_) {
      std::set<std::string> letters;
      size.collect_letters(letters);
      std::erase_if(letters, [&](const std::string& l) { return point_.sizes.count(l) > 0; });
      if (letters.size() != 1) continue;
      auto solved = size.solve(*letters.begin(), point_.sizes, met);
      if (solved) point_.sizes[*letters.begin()] = *solved;
    }
  }

  /// Which of the inputs that may be one tensor are.
  void tell_apart(const std::vector<std::vector<std::string>>& groups) {
    for (const auto& group : groups) {
      auto first = met_.find(group[0]);
      bool all = first != met_.end() && std::ranges::all_of(group, [&](const std::string& path) {
                   auto other = met_.find(path);
                   return other != met_.end() && is_same(first->second, other->second);
                 });
      choose("alias", base::join(group, "="), all ? "same" : "apart");
    }
  }

  /// An input that the call leaves out.
  void leave_out(const std::string& path) { choose("option", path, "none"); }

  /// `path`: of sizes, which each element of a list of n has for itself. `declared`: of choices,
  /// which its elements share.
  void bind(const InputTree& tree, const core::Value& value, const std::string& path,
            const std::string& declared) {
    if (value.is_none() && tree.optional) {
      point_.choices["option " + declared] = "none";
      return;
    }
    base::check(fits_here(tree, value), "input ", path,
                " is declared otherwise: the example gives ", value.kind_name());
    switch (tree.kind) {
      case Kind::tensor:
        choose("dtype", declared, dtype_name(value.to_tensor().dtype()));
        choose_layout(declared, value.to_tensor());
        met_.emplace(declared, value.to_tensor());
        return bind_sizes(tree, value.to_tensor(), path);
      case Kind::list:
        return bind_children(tree, value.list().items, path, declared);
      case Kind::tuple:
        return bind_children(tree, value.tuple().items, path, declared);
      case Kind::repeated: {
        const auto& items = value.list().items;
        if (tree.count.is_letter()) set(tree.count.text(), static_cast<int64_t>(items.size()));
        for (size_t i = 0; i < items.size(); ++i) {
          bind(tree.children[0], items[i], fmt::format("{}.{}", path, i), declared);
        }
        return;
      }
      case Kind::record:
        return bind_fields(tree, value.tuple(), path, declared);
      case Kind::dict:
        for (size_t i = 0; i < tree.keys.size(); ++i) {
          const core::Value* found = value.dict().find(tree.keys[i]);
          std::string at = declared + "." + tree.keys[i];
          if (found) {
            bind(tree.children[i], *found, path + "." + tree.keys[i], at);
          } else {
            choose("option", at, "absent");
          }
        }
        return;
      default:
        return;
    }
  }

 private:
  static bool fits_here(const InputTree& tree, const core::Value& value) {
    switch (tree.kind) {
      case Kind::tensor:
        return value.is_tensor();
      case Kind::integer:
        return value.is_int();
      case Kind::floating:
        return value.is_float() || value.is_int();
      case Kind::boolean:
        return value.is_bool();
      case Kind::text:
        return value.is_string();
      case Kind::list:
        return value.is_list() && value.list().items.size() == tree.children.size();
      case Kind::repeated:
        return value.is_list();
      case Kind::tuple:
        return value.is_tuple() && value.tuple().items.size() == tree.children.size();
      case Kind::dict:
        return value.is_dict();
      case Kind::record:
        return value.is_tuple() && core::as_tuple(value.tuple().named);
    }
    return false;
  }

  void bind_children(const InputTree& tree, const core::Values& items, const std::string& path,
                     const std::string& declared) {
    for (size_t i = 0; i < items.size(); ++i) {
      std::string entry = "." + std::to_string(i);
      bind(tree.children[i], items[i], path + entry, declared + entry);
    }
  }

  void bind_fields(const InputTree& tree, const core::TupleObject& tuple, const std::string& path,
                   const std::string& declared) {
    const std::vector<std::string>& fields = core::as_tuple(tuple.named)->fields;
    for (size_t i = 0; i < tree.keys.size(); ++i) {
      auto found = std::find(fields.begin(), fields.end(), tree.keys[i]);
      base::check(found != fields.end(), "input ", path, " is declared with a field ", tree.keys[i],
                  ", which the example lacks");
      std::string field = "." + tree.keys[i];
      bind(tree.children[i], tuple.items[static_cast<size_t>(found - fields.begin())], path + field,
           declared + field);
    }
  }

  void bind_sizes(const InputTree& tree, const core::Tensor& t, const std::string& path) {
    size_t pack = tree.shape.size();
    for (size_t i = 0; i < tree.shape.size(); ++i) {
      if (tree.shape[i].kind == ShapeItem::Kind::pack) pack = i;
    }
    bool has_pack = pack < tree.shape.size();
    size_t fixed = tree.shape.size() - (has_pack ? 1 : 0);
    auto rank = static_cast<size_t>(t.dim());
    auto agree = [&](bool condition) {
      base::check(condition, "input ", path, " is declared as ", print(tree),
                  ", and the example has ", dtype_name(t.dtype()), t.sizes(),
                  ": let the two agree");
    };
    agree(has_pack ? rank >= fixed : rank == fixed);
    size_t extra = rank - fixed;
    if (has_pack) {
      const std::string& name = tree.shape[pack].name;
      set("*" + name, static_cast<int64_t>(extra));
      for (size_t k = 0; k < extra; ++k) set(name + "." + std::to_string(k), t.size(pack + k));
    }
    for (size_t i = 0; i < tree.shape.size(); ++i) {
      if (i == pack) continue;
      size_t dim = i < pack ? i : i + extra - 1;
      const ShapeItem& item = tree.shape[i];
      if (item.kind == ShapeItem::Kind::any) set(path + "." + std::to_string(i), t.size(dim));
      if (item.kind != ShapeItem::Kind::size) continue;
      if (item.size.is_letter()) {
        set(item.size.text(), t.size(dim));
      } else if (item.size.is_number()) {
        agree(item.size.evaluate({}) == t.size(dim));
      } else {
        computed_.emplace_back(item.size, t.size(dim));
      }
    }
  }

  /// Names a layout by the narrowest declared word for it: that of a spec in which `strided` stands
  /// for everything that is not contiguous fits a transposed tensor, too.
  void choose_layout(const std::string& path, const core::Tensor& t) {
    if (t.is_contiguous()) return choose("layout", path, "contiguous");
    choose("layout", path, "strided");
    size_t rank = t.sizes().size();
    for (size_t i = 0; i < rank; ++i) {
      if (t.strides()[i] == 0 && t.sizes()[i] > 1) return choose("layout", path, "expanded");
    }
    auto is_in = [&](core::MemoryFormat format) {
      return core::is_contiguous(t.sizes(), t.strides(), format);
    };
    if ((rank == 4 && is_in(core::MemoryFormat::channels_last)) ||
        (rank == 5 && is_in(core::MemoryFormat::channels_last_3d)))
      return choose("layout", path, "channels_last");
    if (rank < 2) return;
    core::Dims sizes = t.sizes(), strides = t.strides();
    std::swap(sizes[rank - 1], sizes[rank - 2]);
    std::swap(strides[rank - 1], strides[rank - 2]);
    if (core::is_contiguous(sizes, strides)) choose("layout", path, "transposed");
  }

  static bool is_same(const core::Tensor& a, const core::Tensor& b) {
    return a.storage() == b.storage() && a.offset() == b.offset() && a.sizes() == b.sizes() &&
           a.strides() == b.strides() && a.dtype() == b.dtype();
  }

  /// Sets what a feature is here, where the spec varies it.
  void choose(std::string_view kind, const std::string& path, std::string_view choice) {
    std::string key = fmt::format("{} {}", kind, path);
    for (const ChoiceAxis& axis : axes_) {
      if (axis.key != key || axis.choices.size() < 2) continue;
      const auto& all = axis.choices;
      if (std::find(all.begin(), all.end(), choice) != all.end()) point_.choices[key] = choice;
    }
  }

  void set(const std::string& name, int64_t size) {
    auto [place, fresh] = point_.sizes.emplace(name, size);
    base::check(fresh || place->second == size, "the example gives '", name,
                "' two sizes: ", place->second, " and ", size);
  }

  Point& point_;
  std::vector<ChoiceAxis> axes_;
  std::map<std::string, core::Tensor> met_;             // By path.
  std::vector<std::pair<SizeExpr, int64_t>> computed_;  // Sizes by arithmetic, and what was met.
};

/// What the spec says of whole runs (mode, grad, strict...): its first word, as for drawn cases.
void choose_first_words(const Spec& spec, Point& point) {
  for (const CategoricalAxisInfo& info : categorical_axes()) {
    auto given = spec.choices.find(info.axis);
    if (info.per_input || given == spec.choices.end()) continue;
    point.choices[std::string(info.kind)] = given->second.front();
  }
}

/// Optional inputs at the end that the call leaves out, as None: so are those of drawn cases.
void fill_in(const Spec& spec, Call& call) {
  size_t position = 0;
  for (const Input& input : spec.inputs) {
    if (input.keyword) continue;
    if (position++ < call.args.size()) continue;
    bool named = std::any_of(call.kwargs.begin(), call.kwargs.end(),
                             [&](const auto& argument) { return argument.first == input.name; });
    if (named || !input.tree.optional) return;
    call.args.emplace_back();
  }
}

}  // namespace

Case bind_case(const Spec& spec, Call call) {
  fill_in(spec, call);
  Case bound = given_case(std::move(call));
  choose_first_words(spec, bound.point);
  const Call& given = *bound.given;
  Binder binder(spec, bound.point);
  size_t position = 0;
  for (const Input& input : spec.inputs) {
    const core::Value* value = nullptr;
    if (!input.keyword && position < given.args.size()) value = &given.args[position++];
    for (const auto& [name, v] : given.kwargs) {
      if (name == input.name) value = &v;
    }
    if (!value) {
      binder.leave_out(input.name);
      continue;
    }
    binder.bind(input.tree, *value, input.name, input.name);
    for (CaseInput& described : bound.inputs) {
      // Where a report speaks of the argument it should use the name that the spec gives it.
      if (described.name == fmt::format("args[{}]", position - 1) && !input.keyword) {
        described.name = input.name;
      }
    }
  }
  binder.solve();
  binder.tell_apart(spec.aliases);
  return bound;
}

}  // namespace assay::verify
