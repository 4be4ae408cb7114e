#include "verify/diagnosis/traced_origins.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/print.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

bool same_line(const SourceLocation& a, const SourceLocation& b) {
  return a.line == b.line && base_name(a.file) == base_name(b.file);
}

/// Of those at lines above `reader` in its file the nearest; else the first.
template <typename Item>
const Item* nearest(const std::vector<const Item*>& items, const SourceLocation& reader) {
  const Item* above = nullptr;
  for (const Item* item : items) {
    const SourceLocation& place = item->place;
    bool reaches = base_name(place.file) == base_name(reader.file) && place.line <= reader.line;
    if (reaches && (!above || above->place.line < place.line)) above = item;
  }
  return above || items.empty() ? above : items.front();
}

/// A literal as a trace notes it: a number that met a tensor is a tensor.
bool is_value(const core::Value& literal, const core::Value& value) {
  auto a = number_of(literal), b = number_of(value);
  return a && b && a->to_complex() == b->to_complex();
}

/// Whether the step's operand at this role is where such a constant would be.
bool reads_there(const Program& program, size_t step, size_t operand, const Origins::Baked& baked) {
  const Operand& o = program.steps[step].operands[operand];
  return o.kind == Operand::Kind::literal && served_op(program, step) == baked.op &&
         role_of(program, step, operand) == baked.argument &&
         same_line(place_of(located(program, step)), baked.place);
}

/// Which of the literals of this kind at this line it is, and how many there are.
std::pair<size_t, size_t> turn_of(const Program& program, size_t step, size_t operand,
                                  const Origins::Baked& baked) {
  size_t turn = 0, all = 0;
  for (size_t s = 0; s < program.steps.size(); ++s) {
    for (size_t o = 0; o < program.steps[s].operands.size(); ++o) {
      if (!reads_there(program, s, o, baked)) continue;
      if (s == step && o == operand) turn = all;
      ++all;
    }
  }
  return {turn, all};
}

const Origins::Baked* baked_at(const Origins& origins, const Program& program, size_t step,
                               size_t operand) {
  const core::Value& literal = program.steps[step].operands[operand].literal;
  std::vector<const Origins::Baked*> there;
  for (const Origins::Baked& baked : origins.baked) {
    if (reads_there(program, step, operand, baked)) there.push_back(&baked);
  }
  if (there.empty()) return nullptr;
  auto [turn, all] = turn_of(program, step, operand, *there[0]);
  if (all == there.size()) return is_value(literal, there[turn]->value) ? there[turn] : nullptr;
  // Other literals stand there, too: the value has to tell, or all tell the same.
  std::set<std::string> expressions;
  const Origins::Baked* found = nullptr;
  for (const Origins::Baked* baked : there) {
    if (!is_value(literal, baked->value)) continue;
    found = baked;
    expressions.insert(baked->expression);
  }
  return expressions.size() == 1 ? found : nullptr;
}

/// Items of the subject's trace that the other has at the same place and by the same text, but
/// never with the same value.
template <typename Item, typename Text>
std::vector<const Item*> other_answers(const std::vector<Item>& subject,
                                       const std::vector<Item>& other, const Text& text) {
  std::vector<const Item*> found;
  for (const Item& item : subject) {
    bool asked = false, answered = false;
    for (const Item& there : other) {
      if (text(there) != text(item) || !same_line(there.place, item.place)) continue;
      asked = true;
      answered = answered || is_value(there.value, item.value) || there.value.same(item.value);
    }
    if (asked && !answered) found.push_back(&item);
  }
  return found;
}

}  // namespace

std::optional<TracedOrigin> traced_origin(const Origins* origins, const Program& program,
                                          size_t step, size_t operand) {
  const Origins::Baked* baked = origins ? baked_at(*origins, program, step, operand) : nullptr;
  if (!baked) return std::nullopt;
  std::vector<const Origins::Origin*> left;
  for (size_t at : baked->from) left.push_back(&origins->origins[at]);
  TracedOrigin out{{baked->expression}, baked->place, ""};
  if (const auto* origin = nearest(left, baked->place)) {
    out.place = origin->place;
    out.how = origin->how;
  }
  return out;
}

std::string origin_sentence(const std::string& literal, const TracedOrigin& origin) {
  std::string by = origin.how.empty() ? "" : fmt::format(", by {}", origin.how);
  return fmt::format("{} = {}{} at line {}", literal, origin.expression.text, by,
                     origin.place.line);
}

std::vector<std::vector<Substitution>> traced_trials(const Origins* origins,
                                                     const Program& program) {
  std::vector<std::vector<Substitution>> trials;
  std::vector<Substitution> all;
  if (!origins) return trials;
  for (size_t s = 0; s < program.steps.size(); ++s) {
    for (size_t o = 0; o < program.steps[s].operands.size(); ++o) {
      if (program.steps[s].operands[o].kind != Operand::Kind::literal) continue;
      auto origin = traced_origin(origins, program, s, o);
      if (origin) all.push_back({s, o, origin->expression});
    }
  }
  for (const Substitution& one : all) trials.push_back({one});
  if (all.size() > 1) trials.push_back(std::move(all));
  return trials;
}

const Origins::Guard* decided_otherwise(const Origins* subject, const Origins* other,
                                        const SourceLocation& reader) {
  if (!subject || !other) return nullptr;
  return nearest(other_answers(subject->guards, other->guards,
                               [](const Origins::Guard& g) { return g.condition; }),
                 reader);
}

const Origins::Origin* turned_otherwise(const Origins* subject, const Origins* other,
                                        const SourceLocation& reader) {
  if (!subject || !other) return nullptr;
  auto counts = [](const std::vector<Origins::Origin>& all) {
    std::vector<Origins::Origin> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out), [](const Origins::Origin& o) {
      return o.how == "range" || o.how == "iter" || o.how == "index";
    });
    return out;
  };
  std::vector<Origins::Origin> there = counts(other->origins);
  std::vector<const Origins::Origin*> found;
  for (const auto* o : other_answers(subject->origins, there, [](const Origins::Origin& o) {
         return o.how + " " + o.expression;
       })) {
    found.push_back(o);
  }
  return nearest(found, reader);
}

std::optional<SourceLocation> looked_at_type(const Origins* origins, const SourceLocation& reader) {
  std::vector<const Origins::Escape*> looks;
  if (!origins) return std::nullopt;
  for (const Origins::Escape& e : origins->escapes) {
    bool above = e.place.line <= reader.line && base_name(e.place.file) == base_name(reader.file);
    if (e.kind == "dtype" && above) looks.push_back(&e);
  }
  const Origins::Escape* last = nearest(looks, reader);
  return last ? std::optional(last->place) : std::nullopt;
}

std::string look_sentence(const Origins* subject, const Origins* other,
                          const SourceLocation& reader) {
  static const std::set<std::string> looks{"dtype", "dim", "device", "requires_grad",
                                           "is_contiguous"};
  if (!subject || !other) return "";
  std::vector<const Origins::Escape*> differing;
  std::vector<const Origins::Escape*> answers;
  for (const Origins::Escape& e : subject->escapes) {
    if (!looks.count(e.kind)) continue;
    auto there =
        std::find_if(other->escapes.begin(), other->escapes.end(), [&](const Origins::Escape& o) {
          return o.kind == e.kind && o.what == e.what && same_line(o.place, e.place);
        });
    if (there == other->escapes.end() || there->value == e.value) continue;
    differing.push_back(&e);
    answers.push_back(&*there);
  }
  const Origins::Escape* look = nearest(differing, reader);
  if (!look) return "";
  auto at = std::find(differing.begin(), differing.end(), look) - differing.begin();
  return fmt::format("{} was {} in the export under test, and is {} here ({}:{})", look->what,
                     look->value, answers[static_cast<size_t>(at)]->value,
                     base_name(look->place.file), look->place.line);
}

bool has_other_ways(const Origins& origins) {
  static const std::set<std::string> ways{"numpy",  "text", "data",     "data_ptr",
                                          "random", "time", "attribute"};
  return std::any_of(origins.escapes.begin(), origins.escapes.end(),
                     [](const Origins::Escape& e) { return ways.count(e.kind) != 0; });
}

std::optional<SourceLocation> told_by_trace(const Origins* origins, const std::string& class_id) {
  static const std::map<std::string, std::set<std::string>> kinds{
      {"AS109", {"attribute"}},
      {"AS110", {"numpy", "data", "data_ptr"}},
      {"AS113", {"random", "time"}}};
  auto of_class = kinds.find(class_id);
  if (!origins || of_class == kinds.end()) return std::nullopt;
  std::optional<SourceLocation> found;
  for (const Origins::Escape& e : origins->escapes) {
    if (!of_class->second.count(e.kind)) continue;
    if (found && !same_line(*found, e.place)) return std::nullopt;
    found = e.place;
  }
  return found;
}

std::string class_told_by_trace(const Origins* origins) {
  if (origins && origins->guards.empty()) {
    for (const char* id : {"AS110", "AS113", "AS109"}) {
      if (told_by_trace(origins, id)) return id;
    }
  }
  return "AS103";
}

std::string guard_sentence(const Origins::Guard& guard) {
  bool held = guard.value.is_bool() && guard.value.to_bool();
  return fmt::format("{} was {} in the export under test, and is {} here ({}:{})", guard.condition,
                     held ? "True" : "False", held ? "False" : "True", base_name(guard.place.file),
                     guard.place.line);
}

}  // namespace assay::verify::diagnosis
