#include "verify/graph/align.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "engine/base/text.h"

namespace assay::verify {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;

/// Keys as small integers, so that the table below compares fast.
struct Keys {
  std::vector<uint32_t> a, b;
};

Keys keys_of(const Program& a, const Program& b) {
  std::unordered_map<std::string, uint32_t> ids;
  auto id = [&](const Step& s) {
    return ids.emplace(s.key(), static_cast<uint32_t>(ids.size())).first->second;
  };
  Keys keys;
  for (const Step& s : a.steps) keys.a.push_back(id(s));
  for (const Step& s : b.steps) keys.b.push_back(id(s));
  return keys;
}

/// Longest common subsequence of the middle parts [a0, a1) and [b0, b1).
void common_subsequence(const Keys& k, size_t a0, size_t a1, size_t b0, size_t b1, Pairs& out) {
  size_t n = a1 - a0, m = b1 - b0;
  std::vector<uint32_t> table((n + 1) * (m + 1), 0);
  auto at = [&](size_t i, size_t j) -> uint32_t& { return table[i * (m + 1) + j]; };
  for (size_t i = n; i-- > 0;) {
    for (size_t j = m; j-- > 0;) {
      at(i, j) =
          k.a[a0 + i] == k.b[b0 + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (size_t i = 0, j = 0; i < n && j < m;) {
    if (k.a[a0 + i] == k.b[b0 + j]) {
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

Pairs counterparts(const Program& a, const Program& b) {
  Keys k = keys_of(a, b);
  size_t n = k.a.size(), m = k.b.size();
  size_t head = 0;
  while (head < n && head < m && k.a[head] == k.b[head]) ++head;
  size_t tail = 0;
  while (tail < n - head && tail < m - head && k.a[n - 1 - tail] == k.b[m - 1 - tail]) ++tail;

  Pairs pairs;
  for (size_t i = 0; i < head; ++i) pairs.emplace_back(i, i);
  constexpr size_t table_limit = 64u << 20;
  bool small = (n - head - tail + 1) * (m - head - tail + 1) <= table_limit;
  (small ? common_subsequence : greedy)(k, head, n - tail, head, m - tail, pairs);
  for (size_t i = tail; i > 0; --i) pairs.emplace_back(n - i, m - i);
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
