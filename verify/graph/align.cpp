#include "verify/graph/align.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/ir/kinds.h"

namespace assay::verify {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;

/// What has to be equal, as small integers, so that the table below compares fast.
struct Keys {
  std::vector<uint32_t> a, b;              ///< For two steps to be counterparts.
  std::vector<uint32_t> exact_a, exact_b;  ///< With their literals: such pairs are preferred.
  std::vector<size_t> value_a, value_b;    ///< With all that they compute from: hashes.
};

/// What reads a step's result first; nothing for what is read by none.
struct FirstReader {
  size_t step = 0, operand = 0;
};

std::vector<std::optional<FirstReader>> first_readers(const Program& p) {
  std::vector<std::optional<FirstReader>> out(p.steps.size());
  for (size_t s = p.steps.size(); s-- > 0;) {
    const auto& operands = p.steps[s].operands;
    for (size_t o = operands.size(); o-- > 0;) {
      if (operands[o].kind == Operand::Kind::result) out[operands[o].step] = {{s, o}};
    }
  }
  return out;
}

/// Whether the step takes apart an argument of the program: one does, whatever reads its parts.
bool unpacks_argument(const Step& step) {
  return step.is(ir::kinds().list_unpack) && !step.operands.empty() &&
         step.operands[0].kind == Operand::Kind::input;
}

/// The steps' keys. Those of steps without a line (lists, numbers made of sizes) say what they are
/// made for: else any list would do for any other. Entries of inputs are taken at no line of the
/// model's.
std::vector<std::string> key_texts(const Program& p) {
  auto readers = first_readers(p);
  std::vector<std::string> out(p.steps.size());
  for (size_t s = p.steps.size(); s-- > 0;) {
    const Step& step = p.steps[s];
    out[s] = takes_entry(step) ? step.op : step.key();
    if (unpacks_argument(step)) out[s] = fmt::format("{} {}", step.op, step.operands[0].step);
    bool placed_itself = takes_entry(step) || unpacks_argument(step) || !step.file.empty();
    if (placed_itself || !readers[s] || readers[s]->step <= s) continue;
    const Step& reader = p.steps[readers[s]->step];
    // The place within a list moves with what stands before it.
    bool placed = !reader.is(ir::kinds().list) && !reader.is(ir::kinds().tuple);
    out[s] += " for " + out[readers[s]->step];
    if (placed) out[s] += fmt::format(" [{}]", readers[s]->operand);
  }
  return out;
}

std::string with_literals(std::string key, const Step& step) {
  for (const Operand& o : step.operands) {
    key += o.kind == Operand::Kind::literal ? " " + literal_text(o.literal) : " _";
  }
  return key;
}

/// What each step computes, as a hash of its exact key and what it reads.
std::vector<size_t> values_of(const Program& p, const std::vector<uint32_t>& exact) {
  std::vector<size_t> out(p.steps.size());
  auto mix = [](size_t hash, size_t with) { return (hash ^ with) * 0x9e3779b97f4a7c15u + 1; };
  for (size_t s = 0; s < p.steps.size(); ++s) {
    size_t hash = exact[s];
    for (const Operand& o : p.steps[s].operands) {
      // What a loop hands to its next round is computed behind, and stands for itself.
      bool behind = o.kind == Operand::Kind::result && o.step >= s;
      hash = mix(mix(hash, static_cast<size_t>(o.kind)), o.output);
      if (o.kind == Operand::Kind::parameter) hash = mix(hash, std::hash<std::string>()(o.path));
      if (o.kind == Operand::Kind::input) hash = mix(hash, o.step);
      if (o.kind == Operand::Kind::result && !behind) hash = mix(hash, out[o.step]);
    }
    out[s] = hash;
  }
  return out;
}

Keys keys_of(const Program& a, const Program& b) {
  std::unordered_map<std::string, uint32_t> ids;
  auto id = [&](const std::string& key) {
    return ids.emplace(key, static_cast<uint32_t>(ids.size())).first->second;
  };
  Keys keys;
  auto add = [&](const Program& p, std::vector<uint32_t>& alike, std::vector<uint32_t>& exact,
                 std::vector<size_t>& values) {
    std::vector<std::string> texts = key_texts(p);
    for (size_t s = 0; s < texts.size(); ++s) {
      alike.push_back(id(texts[s]));
      exact.push_back(id(with_literals(std::move(texts[s]), p.steps[s])));
    }
    values = values_of(p, exact);
  };
  add(a, keys.a, keys.exact_a, keys.value_a);
  add(b, keys.b, keys.exact_b, keys.value_b);
  return keys;
}

/// Longest common subsequence of the middle parts [a0, a1) and [b0, b1); of those of equal length
/// the one with the most equal literals, which tells the rounds of nested loops from each other.
void common_subsequence(const Keys& k, size_t a0, size_t a1, size_t b0, size_t b1, Pairs& out) {
  constexpr uint32_t pair = 1u << 14;  // More than there can be equal ones; see table_limit.
  size_t n = a1 - a0, m = b1 - b0;
  std::vector<uint32_t> table((n + 1) * (m + 1), 0);
  auto at = [&](size_t i, size_t j) -> uint32_t& { return table[i * (m + 1) + j]; };
  auto with_pair = [&](size_t i, size_t j) {
    return at(i + 1, j + 1) + pair + (k.exact_a[a0 + i] == k.exact_b[b0 + j]);
  };
  for (size_t i = n; i-- > 0;) {
    for (size_t j = m; j-- > 0;) {
      uint32_t best = std::max(at(i + 1, j), at(i, j + 1));
      if (k.a[a0 + i] == k.b[b0 + j]) best = std::max(best, with_pair(i, j));
      at(i, j) = best;
    }
  }
  for (size_t i = 0, j = 0; i < n && j < m;) {
    if (k.a[a0 + i] == k.b[b0 + j] && at(i, j) == with_pair(i, j)) {
      out.emplace_back(a0 + i++, b0 + j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
}

/// For programs too large for the table: the nearest equal key ahead.
void greedy(const Keys& k, size_t a0, size_t a1, size_t b0, size_t b1, Pairs& out) {
  constexpr size_t window = 2000;
  while (a0 < a1 && b0 < b1) {
    size_t stop = std::min(b1, b0 + window);
    auto from = k.b.begin() + static_cast<long>(b0), to = k.b.begin() + static_cast<long>(stop);
    auto found = std::find(from, to, k.a[a0]);
    if (found != to) {
      size_t j = static_cast<size_t>(found - k.b.begin());
      out.emplace_back(a0, j);
      b0 = j + 1;
    }
    ++a0;
  }
}

/// A part of either program.
struct Part {
  size_t a0, a1, b0, b1;
};

/// Takes off the part what both have in common at its beginning and its end, by these keys.
void match_ends(Part& p, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                Pairs& out) {
  while (p.a0 < p.a1 && p.b0 < p.b1 && a[p.a0] == b[p.b0]) out.emplace_back(p.a0++, p.b0++);
  while (p.a0 < p.a1 && p.b0 < p.b1 && a[p.a1 - 1] == b[p.b1 - 1]) {
    out.emplace_back(--p.a1, --p.b1);
  }
}

void match(const Keys& k, Part part, Pairs& out) {
  constexpr size_t table_limit = 64u << 20;
  auto is_small = [](const Part& p) {
    return (p.a1 - p.a0 + 1) * (p.b1 - p.b0 + 1) <= table_limit;
  };
  match_ends(part, k.exact_a, k.exact_b, out);
  if (!is_small(part)) match_ends(part, k.a, k.b, out);
  (is_small(part) ? common_subsequence : greedy)(k, part.a0, part.a1, part.b0, part.b1, out);
}

/// Steps that compute the same from the same, and that either program has once: counterparts
/// whatever stands around them. Of those that cross the longest row that does not.
Pairs anchors(const Keys& k) {
  std::unordered_map<size_t, std::pair<size_t, size_t>> in_a, in_b;  // How often, and where.
  auto count = [](const std::vector<size_t>& values, auto& in) {
    for (size_t s = 0; s < values.size(); ++s) {
      ++in[values[s]].first;
      in[values[s]].second = s;
    }
  };
  count(k.value_a, in_a);
  count(k.value_b, in_b);
  Pairs once;
  for (size_t s = 0; s < k.value_a.size(); ++s) {
    auto found = in_b.find(k.value_a[s]);
    bool unique =
        found != in_b.end() && found->second.first == 1 && in_a.at(k.value_a[s]).first == 1;
    if (unique) once.emplace_back(s, found->second.second);
  }
  // The longest increasing row: for each length the pair that ends one earliest in `b`.
  std::vector<size_t> ends, before(once.size(), once.size());
  for (size_t i = 0; i < once.size(); ++i) {
    auto at = std::lower_bound(ends.begin(), ends.end(), once[i].second,
                               [&](size_t e, size_t b) { return once[e].second < b; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  Pairs out;
  for (size_t i = ends.empty() ? once.size() : ends.back(); i < once.size(); i = before[i]) {
    out.push_back(once[i]);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Pairs counterparts(const Program& a, const Program& b) {
  Keys k = keys_of(a, b);
  Pairs pairs;
  if (k.a == k.b) {
    for (size_t i = 0; i < k.a.size(); ++i) pairs.emplace_back(i, i);
    return pairs;
  }
  Pairs fixed = anchors(k);
  size_t next_a = 0, next_b = 0;
  for (auto [i, j] : fixed) {
    match(k, {next_a, i, next_b, j}, pairs);
    next_a = i + 1;
    next_b = j + 1;
  }
  match(k, {next_a, k.a.size(), next_b, k.b.size()}, pairs);
  pairs.insert(pairs.end(), fixed.begin(), fixed.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

class Aligner {
 public:
  Aligner(const Program& a, const Program& b) : a_(a), b_(b) {}

  Alignment run() {
    Pairs pairs = counterparts(a_, b_);
    out_.to_b.resize(a_.steps.size());
    out_.to_a.resize(b_.steps.size());
    for (auto [i, j] : pairs) {
      out_.to_b[i] = j;
      out_.to_a[j] = i;
    }
    size_t next_a = 0, next_b = 0;
    pairs.emplace_back(a_.steps.size(), b_.steps.size());
    for (auto [i, j] : pairs) {
      if (next_a < i || next_b < j) {
        GraphDifference d;
        d.kind = GraphDifference::Kind::structure;
        d.begin_a = next_a, d.end_a = i, d.begin_b = next_b, d.end_b = j;
        out_.differences.push_back(d);
      }
      if (i < a_.steps.size()) compare_operands(i, j);
      next_a = i + 1;
      next_b = j + 1;
    }
    pairs.pop_back();
    if (out_.differences.empty()) compare_parts(pairs);
    return std::move(out_);
  }

 private:
  void compare_operands(size_t i, size_t j) {
    const auto& x = a_.steps[i].operands;
    const auto& y = b_.steps[j].operands;
    size_t shared = std::min(x.size(), y.size());
    for (size_t o = 0; o < shared; ++o) {
      GraphDifference d;
      d.step_a = i, d.step_b = j, d.operand = o;
      bool literals = x[o].kind == Operand::Kind::literal && y[o].kind == Operand::Kind::literal;
      if (literals && same_literal(x[o].literal, y[o].literal)) continue;
      if (!literals && same_source(x[o], y[o])) continue;
      d.kind = literals ? GraphDifference::Kind::literal : GraphDifference::Kind::wiring;
      d.literal_a = x[o].literal;
      d.literal_b = y[o].literal;
      out_.differences.push_back(d);
    }
    if (x.size() != y.size()) {
      GraphDifference d;
      d.kind = GraphDifference::Kind::wiring;
      d.step_a = i, d.step_b = j, d.operand = shared;
      out_.differences.push_back(d);
    }
  }

  /// That a list is taken apart into more parts is a difference of its own where nothing else is.
  void compare_parts(const Pairs& pairs) {
    for (auto [i, j] : pairs) {
      const Step& x = a_.steps[i];
      bool unpacks = x.is(ir::kinds().list_unpack);
      if (!unpacks || x.node->outputs().size() == b_.steps[j].node->outputs().size()) continue;
      GraphDifference d;
      d.kind = GraphDifference::Kind::wiring;
      d.step_a = i, d.step_b = j, d.operand = x.operands.size();
      out_.differences.push_back(d);
    }
  }

  bool same_source(const Operand& x, const Operand& y) const {
    if (x.kind != y.kind) return false;
    switch (x.kind) {
      case Operand::Kind::parameter:
        return x.path == y.path;
      case Operand::Kind::input:
        return x.step == y.step;
      case Operand::Kind::result:
        return out_.to_b[x.step] == y.step && x.output == y.output;
      case Operand::Kind::literal:
        break;
    }
    return false;
  }

  const Program& a_;
  const Program& b_;
  Alignment out_;
};

}  // namespace

bool takes_entry(const Step& step) {
  return step.op == "aten::__getitem__" && step.operands.size() == 2 &&
         step.operands[1].kind == Operand::Kind::literal && step.operands[1].literal.is_string();
}

Alignment align(const Program& a, const Program& b) { return Aligner(a, b).run(); }

namespace {

/// Writes differences with the steps around them.
class DifferenceText {
 public:
  DifferenceText(const Program& a, const Program& b) : a_(a), b_(b) {}

  void add(const GraphDifference& d) {
    if (d.kind == GraphDifference::Kind::structure) {
      move_to(d.begin_a);
      for (; next_ < d.end_a; ++next_) line("- ", a_.steps[next_]);
      for (size_t j = d.begin_b; j < d.end_b; ++j) line("+ ", b_.steps[j]);
    } else if (next_ <= d.step_a) {  // One step may differ in several operands.
      move_to(d.step_a);
      line("- ", a_.steps[next_++]);
      line("+ ", b_.steps[d.step_b]);
    }
  }

  std::vector<std::string> finish() {
    for (size_t k = 0; k < context && next_ < a_.steps.size(); ++k) line("  ", a_.steps[next_++]);
    return std::move(lines_);
  }

 private:
  static constexpr size_t context = 2;

  void line(const char* sign, const Step& step) { lines_.push_back(sign + step_text(step)); }

  /// Shows what lies just after the last difference and just before the one at `position`.
  void move_to(size_t position) {
    if (position <= next_) return;
    size_t after = lines_.empty() ? next_ : std::min(position, next_ + context);
    while (next_ < after) line("  ", a_.steps[next_++]);
    size_t before = position > context ? position - context : 0;
    if (before > next_) {
      if (!lines_.empty()) lines_.emplace_back("@@");
      next_ = before;
    }
    while (next_ < position) line("  ", a_.steps[next_++]);
  }

  const Program& a_;
  const Program& b_;
  size_t next_ = 0;  // The first step of `a` that is not yet dealt with.
  std::vector<std::string> lines_;
};

}  // namespace

std::string difference_text(const Program& a, const Program& b, const Alignment& alignment,
                            size_t max_lines) {
  DifferenceText text(a, b);
  for (const auto& d : alignment.differences) text.add(d);
  std::vector<std::string> lines = text.finish();
  if (lines.size() > max_lines) {
    size_t left = lines.size() - max_lines;
    lines.resize(max_lines);
    lines.push_back(fmt::format("... and {} more lines", left));
  }
  return base::join(lines, "\n");
}

}  // namespace assay::verify
