#include "verify/guards/guards.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "engine/core/print.h"
#include "verify/graph/written.h"

namespace assay::verify::guards {
namespace {

using Kind = Condition::Kind;

/// The spec's tensors by the names that a trace gives them.
class Inputs {
 public:
  Inputs(const Spec& spec, const std::vector<std::string>& names) {
    std::map<std::string, std::string> name_of;  // In the graph, by that in the spec.
    bool all = names.size() == spec.inputs.size();
    for (size_t i = 0; i < spec.inputs.size(); ++i) {
      name_of[spec.inputs[i].name] = all ? names[i] : spec.inputs[i].name;
    }
    for (const InputPlace& place : input_places(spec)) {
      size_t end = place.path.find('.');
      std::string head = place.path.substr(0, end);
      std::string tail = end == std::string::npos ? "" : place.path.substr(end);
      if (place.tree->kind == InputTree::Kind::tensor) {
        tensors_[name_of[head] + tail] = {place.path, &place.tree->shape};
      }
    }
  }

  /// Null where it is no size of a tensor of the spec.
  TermPtr term(const Looked& looked) const {
    std::string path = looked.name;
    for (int64_t index : looked.indices) path += "." + std::to_string(index);
    auto found = tensors_.find(path);
    if (found == tensors_.end()) return nullptr;
    const auto& [spec_path, shape] = found->second;
    bool fixed_rank = std::none_of(shape->begin(), shape->end(), [](const ShapeItem& item) {
      return item.kind == ShapeItem::Kind::pack;
    });
    // A `?` is no letter of the spec, which the solver could be asked for.
    auto size = [&, items = shape](size_t i) {
      const ShapeItem& item = (*items)[i];
      return item.kind == ShapeItem::Kind::size ? term_of(item.size) : nullptr;
    };
    if (!fixed_rank) return nullptr;
    if (looked.member == "dim" && !looked.argument) {
      return number(static_cast<int64_t>(shape->size()));
    }
    if (looked.member == "size" && looked.argument) {
      auto at = static_cast<size_t>(*looked.argument);
      return at < shape->size() ? size(at) : nullptr;
    }
    if (looked.member != "numel" || looked.argument) return nullptr;
    TermPtr product = shape->empty() ? number(1) : size(0);
    for (size_t i = 1; i < shape->size() && product; ++i) {
      TermPtr next = size(i);
      product = next ? make(Term::Op::multiply, {product, next}) : nullptr;
    }
    return product;
  }

 private:
  std::map<std::string, std::pair<std::string, const std::vector<ShapeItem>*>> tensors_;
};

/// What a trace asked, as it held; null for what is not over whole numbers.
TermPtr held(const Origins::Guard& guard, const Lookup& lookup) {
  bool answer = guard.value.is_bool() && guard.value.to_bool();
  TermPtr term = parse(guard.condition, lookup);
  if (term && !is_condition(*term)) term = make(Term::Op::unequal, {term, number(0)});
  return term && !answer ? negated(term) : term;
}

Condition condition_of(const Origins::Guard& guard, const TermPtr& held) {
  bool answer = guard.value.is_bool() && guard.value.to_bool();
  std::string text = held ? guards::text(*held) : guard.condition + (answer ? "" : " is False");
  return {Kind::unread, std::move(text), guard.condition, answer, guard.place, {}};
}

bool is_known(const std::vector<Condition>& conditions, const Condition& condition) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Condition& c) { return c.text == condition.text; });
}

/// "x[0].size(1)": a size by its name in the trace.
TermPtr named(const Looked& looked) {
  std::string text = looked.name;
  for (int64_t index : looked.indices) text += fmt::format("[{}]", index);
  if (!looked.member.empty()) {
    text +=
        "." + looked.member + "(" + (looked.argument ? std::to_string(*looked.argument) : "") + ")";
  }
  return letter(std::move(text));
}

class Reader {
 public:
  Reader(const Spec& spec, const std::vector<std::string>& names, const Point& base)
      : spec_(spec), inputs_(spec, names), base_(base) {}

  Validity read(const Origins& origins) {
    for (const Origins::Guard& guard : origins.guards) add(guard);
    decide();
    for (const Origins::Baked& baked : origins.baked) {
      add_fixed(baked.expression, baked.value, fmt::format("{} ({})", baked.op, baked.argument),
                baked.place);
    }
    read_origins(origins);
    out_.escapes = origins.escapes;
    return std::move(out_);
  }

 private:
  TermPtr term(const std::string& expression) const {
    return parse(expression, [&](const Looked& looked) { return inputs_.term(looked); });
  }

  void add(const Origins::Guard& guard) {
    TermPtr term = held(guard, [&](const Looked& looked) { return inputs_.term(looked); });
    Condition condition = condition_of(guard, term);
    if (is_known(out_.conditions, condition)) return;
    out_.conditions.push_back(std::move(condition));
    terms_.push_back(std::move(term));
  }

  /// Numbers that left: counts of rounds are fixed, others have to come back somewhere.
  void read_origins(const Origins& origins) {
    std::set<size_t> back;
    for (const auto& guard : origins.guards) back.insert(guard.from.begin(), guard.from.end());
    for (const auto& baked : origins.baked) back.insert(baked.from.begin(), baked.from.end());
    std::set<std::string> accounted;
    std::vector<const Origins::Origin*> left;
    for (size_t i = 0; i < origins.origins.size(); ++i) {
      const Origins::Origin& origin = origins.origins[i];
      bool turned = origin.how == "range" || origin.how == "iter" || origin.how == "index";
      if (back.count(i) || turned) accounted.insert(origin.expression);
      if (back.count(i)) continue;
      if (turned) {
        add_fixed(origin.expression, origin.value,
                  origin.how == "index" ? "an index or the rounds of a loop" : "rounds of a loop",
                  origin.place);
      } else {
        left.push_back(&origin);
      }
    }
    for (const auto* origin : left) {
      if (!accounted.count(origin->expression))
        add(origin->expression, origin->value, origin->how, origin->place, out_.unseen);
    }
  }

  /// Whether the condition can be false where the others, but those dropped, hold.
  Solution otherwise(size_t at, bool beside_others) const {
    std::vector<TermPtr> all{negated(terms_[at])};
    for (size_t i = 0; beside_others && i < terms_.size(); ++i) {
      bool counts = i != at && terms_[i] && out_.conditions[i].kind == Kind::splits;
      if (counts) all.push_back(terms_[i]);
    }
    return solve(spec_, all, base_);
  }

  void decide() {
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (!terms_[i]) continue;
      Condition& condition = out_.conditions[i];
      Solution found = otherwise(i, false);
      condition.kind = found.kind == Solution::Kind::none    ? Kind::always
                       : found.kind == Solution::Kind::found ? Kind::splits
                                                             : Kind::undecided;
      if (found.kind == Solution::Kind::found) condition.otherwise = point_at(found.sizes);
    }
    for (size_t i = 0; i < terms_.size(); ++i) {
      Condition& condition = out_.conditions[i];
      if (condition.kind != Kind::splits) continue;
      Solution found = otherwise(i, true);
      if (found.kind == Solution::Kind::none) condition.kind = Kind::implied;
      // False alone, where that can be: what comes of the case is then this condition's doing.
      if (found.kind == Solution::Kind::found) condition.otherwise = point_at(found.sizes);
    }
  }

  std::optional<Point> point_at(const Bindings& sizes) const {
    Point wanted = base_;
    for (const auto& [name, size] : sizes) wanted.sizes[name] = size;
    return nearest_point(spec_, wanted);
  }

  void add_fixed(const std::string& expression, const core::Value& value, std::string what,
                 const SourceLocation& place) {
    add(expression, value, std::move(what), place, out_.fixed);
  }

  /// Unless it is the same at all sizes of the spec.
  void add(const std::string& expression, const core::Value& value, std::string what,
           const SourceLocation& place, std::vector<Fixed>& into) {
    TermPtr read = term(expression);
    std::string text = core::repr(value);
    if (read && value.is_int()) {
      auto other = make(Term::Op::unequal, {read, number(value.to_int())});
      if (solve(spec_, {other}, base_).kind == Solution::Kind::none) return;
    }
    bool known = std::any_of(into.begin(), into.end(), [&](const Fixed& f) {
      return f.what == what && f.place.line == place.line && f.place.file == place.file;
    });
    if (known) return;
    into.push_back(
        {read ? guards::text(*read) : expression, std::move(text), std::move(what), place});
  }

  const Spec& spec_;
  Inputs inputs_;
  const Point& base_;
  Validity out_;
  std::vector<TermPtr> terms_;  // One per condition; null where it is unread.
};

}  // namespace

bool Validity::for_all_sizes() const {
  bool free = std::all_of(conditions.begin(), conditions.end(),
                          [](const Condition& c) { return c.kind == Kind::always; });
  return free && fixed.empty();
}

std::string Validity::sentence() const {
  if (for_all_sizes()) return "valid on the whole declared space for sizes";
  std::vector<std::string> where;
  size_t unread = 0;
  for (const Condition& c : conditions) {
    if (c.kind == Kind::splits || c.kind == Kind::undecided) where.push_back(c.text);
    if (c.kind == Kind::unread) ++unread;
  }
  if (unread > 0) {
    where.push_back(
        unread == 1
            ? "a condition that is not over the inputs' sizes alone holds"
            : fmt::format("{} conditions that are not over the inputs' sizes alone hold", unread));
  }
  std::string out = where.empty() ? "" : "valid where " + base::join(where, " and ");
  if (fixed.empty()) return out;
  std::vector<std::string> numbers;
  for (const Fixed& f : fixed) numbers.push_back(fmt::format("{} = {}", f.text, f.value));
  return fmt::format("{}{} fixed: {}", out.empty() ? "" : out + ", with ",
                     numbers.size() == 1 ? "a number" : "numbers", base::join(numbers, ", "));
}

namespace {

/// "a, b, c and 4 more", each in one short line: the trace has them whole.
std::string a_few(const std::vector<std::string>& all) {
  constexpr size_t shown = 3, longest = 80;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(shown, all.size()); ++i) {
    size_t end = std::min(all[i].find('\n'), all[i].size());
    if (end > longest) end = longest;
    // Not within a character.
    while (end < all[i].size() && (all[i][end] & 0xc0) == 0x80) --end;
    texts.push_back(all[i].substr(0, end) + (end < all[i].size() ? "…" : ""));
  }
  std::string out = base::join(texts, ", ");
  return all.size() > shown ? fmt::format("{} and {} more", out, all.size() - shown) : out;
}

}  // namespace

std::string Validity::rests_on() const {
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const Origins::Escape& escape : escapes) {
    auto& all = by_kind[escape.kind];
    std::string text = escape.what + (escape.value.empty() ? "" : " = " + escape.value);
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  }
  std::vector<std::string> parts;
  std::vector<std::string> numbers;
  for (const Fixed& f : unseen) {
    numbers.push_back(fmt::format("{} by {} at {}", f.text, f.what, place_text(f.place)));
  }
  if (!numbers.empty()) {
    parts.push_back(
        fmt::format("numbers that left it and were not seen again ({})", a_few(numbers)));
  }
  for (const auto& [kind, all] : by_kind) {
    parts.push_back(fmt::format("{} ({})", kind, a_few(all)));
  }
  return base::join(parts, "; ");
}

Validity validity(const Spec& spec, const Origins& origins, const std::vector<std::string>& inputs,
                  const Point& base) {
  return Reader(spec, inputs, base).read(origins);
}

const Origins::Guard* false_at(const Spec& spec, const Origins& origins,
                               const std::vector<std::string>& inputs, const Bindings& sizes) {
  Inputs known(spec, inputs);
  Lookup lookup = [&](const Looked& looked) { return known.term(looked); };
  auto found = std::ranges::find_if(origins.guards, [&](const Origins::Guard& guard) {
    TermPtr term = held(guard, lookup);
    return term && evaluate(*term, sizes) == 0;
  });
  return found == origins.guards.end() ? nullptr : &*found;
}

std::vector<Condition> conditions_of(const Origins& origins) {
  std::vector<Condition> out;
  for (const Origins::Guard& guard : origins.guards) {
    Condition condition = condition_of(guard, held(guard, named));
    if (!is_known(out, condition)) out.push_back(std::move(condition));
  }
  return out;
}

std::vector<std::string> input_names(const Program& program) {
  std::vector<std::string> names = verify::input_names(*program.graph);
  if (!names.empty() && names[0] == "self") names.erase(names.begin());
  return names;
}

std::string_view kind_name(Condition::Kind kind) {
  switch (kind) {
    case Kind::always:
      return "always true in the spec";
    case Kind::implied:
      return "implied by the others";
    case Kind::splits:
      return "false at some sizes of the spec";
    case Kind::undecided:
      return "undecided";
    case Kind::unread:
      break;
  }
  return "not over sizes alone";
}

}  // namespace assay::verify::guards
