#include "verify/diagnosis/questions.h"

#include <algorithm>
#include <map>
#include <set>

#include "verify/observation/places.h"

namespace assay::verify::diagnosis {

using Line = std::pair<std::string, int>;

Questions questions(const Origins* origins, const std::vector<Escape>* escapes) {
  Questions out;
  auto ask = [&](const SourceLocation& place, bool answer) {
    out.push_back({{std::string(base_name(place.file)), place.line}, answer});
  };
  if (origins) {
    for (const Origins::Guard& g : origins->guards) {
      if (g.value.is_bool()) ask(g.place, g.value.to_bool());
    }
  } else if (escapes) {
    for (const Escape& e : *escapes) {
      if (e.kind == "bool" && e.value) ask(e.place, e.value->to_double() != 0);
    }
  }
  return out;
}

namespace {

/// Fewer exports than these would be told apart by many a line.
constexpr size_t enough = 4;
/// Kinds of rounds that two lines tell apart: two answers each, one of them given once more.
constexpr size_t most_kinds = 5;

std::set<Line> lines_of(const Questions& asked) {
  std::set<Line> lines;
  for (const Question& q : asked) lines.insert(q.line);
  return lines;
}

/// How often each line of answers was given in a round, which begins where `first` is asked: "y"
/// and "n" of it and of `second`, in their order.
std::map<std::string, int64_t> rounds_of(const Questions& asked, const Line& first,
                                         const Line& second) {
  std::vector<std::string> rounds;
  for (const Question& q : asked) {
    if (q.line == first) {
      rounds.emplace_back();
    } else if (q.line != second || rounds.empty()) {
      continue;
    }
    rounds.back() += q.answer ? 'y' : 'n';
  }
  std::map<std::string, int64_t> counts;
  for (const std::string& round : rounds) ++counts[round];
  return counts;
}

int64_t sum_of(const std::map<std::string, int64_t>& counts) {
  int64_t sum = 0;
  for (const auto& [kind, count] : counts) sum += count;
  return sum;
}

/// Whether each value of the one list stands beside one value of the other, and they differ at all.
bool go_together(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::map<int64_t, int64_t> b_by_a, a_by_b;
  for (size_t i = 0; i < a.size(); ++i) {
    if (b_by_a.emplace(a[i], b[i]).first->second != b[i]) return false;
    if (a_by_b.emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return b_by_a.size() > 1;
}

/// Whether some kinds of rounds are those in which the step is there.
bool some_kinds_tell(const std::vector<std::map<std::string, int64_t>>& rounds,
                     const std::vector<int64_t>& steps) {
  std::set<std::string> all;
  for (const auto& counts : rounds)
    for (const auto& [kind, count] : counts) all.insert(kind);
  std::vector<std::string> kinds(all.begin(), all.end());
  bool chance = kinds.size() > 2 && rounds.size() <= kinds.size();
  if (kinds.size() > most_kinds || chance) return false;
  for (unsigned chosen = 1; chosen + 1 < 1U << kinds.size(); ++chosen) {
    std::vector<int64_t> done;
    for (const auto& counts : rounds) {
      int64_t sum = 0;
      for (size_t k = 0; k < kinds.size(); ++k) {
        auto found = counts.find(kinds[k]);
        if ((chosen >> k & 1U) != 0 && found != counts.end()) sum += found->second;
      }
      done.push_back(sum);
    }
    if (go_together(done, steps)) return true;
  }
  return false;
}

/// `second` may be `first`: that line alone.
bool tell(const Line& first, const Line& second, const std::vector<Counted>& exports) {
  std::vector<std::map<std::string, int64_t>> rounds;
  std::vector<int64_t> steps;
  for (const Counted& e : exports) {
    rounds.push_back(rounds_of(e.questions, first, second));
    steps.push_back(e.count);
    int64_t asked = sum_of(rounds.back());
    if (asked == 0 || asked != sum_of(rounds.front())) return false;
  }
  bool speaks = exports.size() >= enough || (first == second && sum_of(rounds.front()) > 1);
  return speaks && some_kinds_tell(rounds, steps);
}

}  // namespace

bool answers_tell(const std::vector<Counted>& exports) {
  if (exports.empty()) return false;
  std::set<Line> firsts = lines_of(exports[0].questions), seconds;
  for (const Counted& e : exports) seconds.merge(lines_of(e.questions));
  return std::ranges::any_of(firsts, [&](const Line& first) {
    if (tell(first, first, exports)) return true;
    return std::ranges::any_of(seconds, [&](const Line& second) {
      return second != first && tell(first, second, exports);
    });
  });
}

}  // namespace assay::verify::diagnosis
