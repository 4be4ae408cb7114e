#include "verify/diagnosis/escapes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "verify/graph/fit.h"
#include "verify/graph/program.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

/// Recordings and archives may have been made in different folders.
bool same_file(const SourceLocation& a, const SourceLocation& b) {
  return base_name(a.file) == base_name(b.file);
}

/// Unnamed functions (`<genexpr>`, `<lambda>`) are taken for a part of any that the file has.
bool same_function(const SourceLocation& a, const SourceLocation& b) {
  auto is_any = [](const std::string& function) {
    return function.empty() || (function.starts_with('<') && function != "<module>");
  };
  return same_file(a, b) && (a.function == b.function || is_any(a.function) || is_any(b.function));
}

bool same_place(const Escape& a, const Escape& b) {
  return a.kind == b.kind && a.place.line == b.place.line && same_function(a.place, b.place);
}

bool is_number(const core::Scalar& value, const core::Scalar& wanted) {
  return !value.is_bool() && value.to_complex() == wanted.to_complex();
}

/// All that it gave: one number, or those of a list.
std::vector<core::Scalar> all_numbers(const Escape& e) {
  return e.value ? std::vector<core::Scalar>{*e.value} : e.numbers;
}

bool differ(const Escape& a, const Escape& b) {
  auto x = all_numbers(a), y = all_numbers(b);
  bool known = !x.empty() && !y.empty();
  return known && !std::equal(x.begin(), x.end(), y.begin(), y.end(),
                              [](const core::Scalar& v, const core::Scalar& w) {
                                return v.to_complex() == w.to_complex();
                              });
}

/// Draws whose numbers nobody saw are other ones in each trace.
bool may_differ(const Escape& a, const Escape& b) { return differ(a, b) || is_hidden_draw(a); }

bool is_decision(const Escape& e) { return e.value && e.value->is_bool(); }

/// Of places that serve equally, the nearest above `reader` in its function.
class Nearest {
 public:
  explicit Nearest(const SourceLocation& reader) : reader_(reader) {}

  void offer(const SourceLocation& place) {
    bool new_line = !any_ || any_->line != place.line || !same_file(*any_, place);
    lines_ += new_line;
    any_ = place;
    bool above = same_function(place, reader_) && place.line <= reader_.line;
    if (above && (!above_ || above_->line < place.line)) above_ = place;
  }
  std::optional<SourceLocation> above() const { return above_; }
  std::optional<SourceLocation> above_or_only() const {
    return above_ || lines_ != 1 ? above_ : any_;
  }

 private:
  const SourceLocation& reader_;
  std::optional<SourceLocation> above_, any_;
  int lines_ = 0;
};

/// Moves both to the nearest positions from which the traces meet the same escapes again; false
/// where they do not soon.
bool meet_again(const std::vector<Escape>& a, const std::vector<Escape>& b, size_t& i, size_t& j) {
  constexpr size_t furthest = 64;
  for (size_t distance = 1; distance <= furthest; ++distance) {
    for (size_t in_a = 0; in_a <= distance; ++in_a) {
      size_t x = i + in_a, y = j + distance - in_a;
      if (x >= a.size() || y >= b.size() || !same_place(a[x], b[y])) continue;
      i = x, j = y;
      return true;
    }
  }
  return false;
}

/// Where a number leaves the graph: the line, and which of its escapes.
struct Site {
  std::string file, function, kind;
  int line;
  size_t turn;  // Of the escapes there.
  friend auto operator<=>(const Site&, const Site&) = default;
};

constexpr size_t most_turns = 64;

std::map<Site, double> numbers_at_sites(const std::vector<Escape>& escapes) {
  std::map<Site, double> out;
  std::map<Site, size_t> turns;
  for (const Escape& e : escapes) {
    Site site{std::string(base_name(e.place.file)), e.place.function, e.kind, e.place.line, 0};
    size_t& turn = turns[site];
    for (const core::Scalar& number : all_numbers(e)) {
      if (number.is_bool() || number.is_complex()) continue;
      site.turn = turn++;
      if (site.turn < most_turns) out.emplace(site, number.to_double());
    }
  }
  return out;
}

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-6 * std::max(std::fabs(a), std::fabs(b));
}

/// A literal as numbers: one, or those of a list or a small tensor. Nothing for other kinds.
std::vector<core::Scalar> numbers_in(const core::Value& literal) {
  if (auto number = number_of(literal)) return {*number};
  constexpr int64_t most = 64;  // As many as an escape holds.
  std::vector<core::Scalar> out;
  if (literal.is_list()) {
    for (const core::Value& item : literal.list().items) {
      auto number = number_of(item);
      if (!number) return {};
      out.push_back(*number);
    }
  }
  core::Tensor t = literal.is_tensor() ? literal.to_tensor() : core::Tensor();
  bool readable = t && t.numel() <= most && core::has_bytes(t) &&
                  t.dtype() != core::DType::boolean && !core::is_complex(t.dtype());
  return readable ? core::elements(t) : out;
}

/// Whether an escape gave a literal's number among others, or all of its numbers; these as nearly
/// as a tensor of another element type holds them.
bool gave(const Escape& e, const std::vector<core::Scalar>& literal) {
  std::vector<core::Scalar> given = all_numbers(e);
  if (literal.size() == 1) {
    return std::any_of(given.begin(), given.end(),
                       [&](const core::Scalar& v) { return is_number(v, literal[0]); });
  }
  return std::equal(given.begin(), given.end(), literal.begin(), literal.end(),
                    [](const core::Scalar& v, const core::Scalar& w) {
                      return close(v.to_double(), w.to_double());
                    });
}

std::string number_text(double x) { return fmt::format("{:.6g}", x); }

/// `literals` as a function of `v`, one form after the other; the formula and its freedom.
std::optional<std::pair<std::string, int>> formula(const std::vector<double>& v,
                                                   const std::vector<double>& literals) {
  size_t n = v.size();
  std::set<double> distinct(v.begin(), v.end());
  auto all = [&](auto&& of) {
    for (size_t i = 0; i < n; ++i) {
      if (!close(of(v[i]), literals[i])) return false;
    }
    return true;
  };
  if (distinct.size() < 2) return std::nullopt;
  if (all([](double x) { return x; })) return std::pair{std::string("v"), 0};
  if (all([](double x) { return -x; })) return std::pair{std::string("-v"), 0};
  if (all([](double x) { return std::sqrt(x); })) return std::pair{std::string("sqrt(v)"), 0};
  if (all([](double x) { return 1 / std::sqrt(x); })) return std::pair{std::string("v**-0.5"), 0};
  if (all([](double x) { return 1 / x; })) return std::pair{std::string("1/v"), 0};
  if (distinct.size() < 3) return std::nullopt;
  double factor = literals[0] / v[0], shift = literals[0] - v[0];
  if (all([&](double x) { return factor * x; })) return std::pair{number_text(factor) + "*v", 1};
  if (all([&](double x) { return x + shift; })) {
    return std::pair{fmt::format("v {} {}", shift < 0 ? '-' : '+', number_text(std::fabs(shift))),
                     1};
  }
  double root = literals[0] / std::sqrt(v[0]), inverse = literals[0] * v[0];
  if (all([&](double x) { return root * std::sqrt(x); })) {
    return std::pair{number_text(root) + "*sqrt(v)", 1};
  }
  if (all([&](double x) { return inverse / x; })) {
    return std::pair{number_text(inverse) + "/v", 1};
  }
  struct Rounding {
    const char* name;
    double (*of)(double);
  };
  for (const Rounding& rounding :
       {Rounding{"ceil", std::ceil}, {"floor", std::floor}, {"round", std::nearbyint}}) {
    double scale = literals[0] / rounding.of(v[0]), behind = literals[0] - rounding.of(v[0]);
    if (all([&](double x) { return scale * rounding.of(x); })) {
      std::string times = scale == 1 ? "" : number_text(scale) + "*";
      return std::pair{fmt::format("{}{}(v)", times, rounding.name), 1};
    }
    if (all([&](double x) { return rounding.of(x) + behind; })) {
      return std::pair{fmt::format("{}(v) {} {}", rounding.name, behind < 0 ? '-' : '+',
                                   number_text(std::fabs(behind))),
                       1};
    }
  }
  auto is_whole = [](double x) { return x == std::floor(x) && std::fabs(x) < 0x1p53; };
  std::vector<Sample> whole;
  for (size_t i = 0; i < n; ++i) {
    if (!is_whole(v[i]) || !is_whole(literals[i])) return std::nullopt;
    whole.push_back({{{"v", static_cast<int64_t>(v[i])}}, static_cast<int64_t>(literals[i])});
  }
  constexpr int divided = 3;  // Divisor, what is added before, what is added behind.
  auto fitted = n > divided ? fit(whole) : std::nullopt;
  bool one_letter = fitted && fitted->factors.size() == 1;
  return one_letter ? std::optional(std::pair{fitted->text(), divided}) : std::nullopt;
}

/// What left the graph at each place where something did in every sample.
std::map<Site, std::vector<double>> values_everywhere(
    const std::vector<std::map<Site, double>>& sites) {
  std::map<Site, std::vector<double>> everywhere;
  for (const auto& there : sites) {
    for (const auto& [site, value] : there) everywhere[site].push_back(value);
  }
  std::erase_if(everywhere, [&](const auto& one) { return one.second.size() != sites.size(); });
  return everywhere;
}

/// Whether an escape of that kind and at that place gave the literal.
bool gave_there(const std::vector<Escape>& escapes, const Escape& like,
                const std::vector<core::Scalar>& literal) {
  return std::any_of(escapes.begin(), escapes.end(),
                     [&](const Escape& e) { return same_place(e, like) && gave(e, literal); });
}

}  // namespace

std::optional<EscapeFit> fit_to_escapes(
    const std::vector<EscapeSample>& samples, const SourceLocation& reader,
    const std::function<bool(const SourceLocation&)>& comes_later) {
  std::vector<double> literals;
  std::vector<std::map<Site, double>> sites;
  for (const EscapeSample& sample : samples) {
    auto number = number_of(sample.literal);
    if (!number || number->is_bool() || number->is_complex()) return std::nullopt;
    literals.push_back(number->to_double());
    sites.push_back(numbers_at_sites(*sample.escapes));
  }
  if (samples.size() < 2) return std::nullopt;
  std::optional<EscapeFit> best;
  auto distance = [&](const EscapeFit& f) {
    bool above = same_function(f.place, reader) && f.place.line <= reader.line;
    return above ? reader.line - f.place.line : std::numeric_limits<int>::max();
  };
  auto rank = [&](const EscapeFit& f) {
    return std::tuple(comes_later && comes_later(f.place), f.freedom, distance(f));
  };
  auto consider = [&](const Site& site, const std::vector<double>& values) {
    auto made = formula(values, literals);
    if (!made) return;
    EscapeFit fit{
        {site.file, site.line, site.function}, site.kind, made->first, values, made->second};
    if (!best || rank(fit) < rank(*best)) best = std::move(fit);
  };
  std::map<Site, std::vector<double>> everywhere = values_everywhere(sites);
  for (const auto& [site, values] : everywhere) consider(site, values);
  if (best) return best;
  // Two numbers of one line times each other: `h, w = map(int, x.shape)`, and `h * w`.
  for (auto a = everywhere.begin(); a != everywhere.end(); ++a) {
    for (auto b = std::next(a); b != everywhere.end(); ++b) {
      if (a->first.file != b->first.file || a->first.line != b->first.line) continue;
      std::vector<double> product;
      std::ranges::transform(a->second, b->second, std::back_inserter(product), std::multiplies());
      if (std::ranges::equal(product, literals, close)) consider(a->first, product);
    }
  }
  return best;
}

namespace {

/// Where the traces gave different numbers.
std::vector<Site> differing_sites(const Escapes& escapes) {
  auto a = numbers_at_sites(*escapes.subject), b = numbers_at_sites(*escapes.probe);
  std::vector<Site> out;
  for (const auto& [site, value] : a) {
    auto other = b.find(site);
    if (other != b.end() && other->second != value) out.push_back(site);
  }
  return out;
}

/// The one line of those that `counts` at which the traces gave different numbers.
std::optional<SourceLocation> only_difference(
    const Escapes& escapes, const std::function<bool(const SourceLocation&)>& counts) {
  std::optional<SourceLocation> found;
  for (const Site& site : differing_sites(escapes)) {
    SourceLocation place{site.file, site.line, site.function};
    if (!counts(place)) continue;
    if (found && (found->line != place.line || found->file != place.file)) return std::nullopt;
    found = place;
  }
  return found;
}

}  // namespace

std::optional<SourceLocation> only_source(const Escapes& escapes, const SourceLocation& reader) {
  return only_difference(escapes, [&](const SourceLocation& place) {
    return same_function(place, reader) && place.line <= reader.line;
  });
}

std::optional<SourceLocation> only_source(const Escapes& escapes) {
  return only_difference(escapes, [](const SourceLocation&) { return true; });
}

std::optional<SourceLocation> captured_at(const Escapes& escapes, const core::Value& in_subject,
                                          const core::Value& in_probe,
                                          const SourceLocation& reader) {
  auto a = numbers_in(in_subject), b = numbers_in(in_probe);
  if (a.empty() || b.empty()) return std::nullopt;
  Nearest nearest(reader);
  for (const Escape& escape : *escapes.subject) {
    if (gave(escape, a) && gave_there(*escapes.probe, escape, b)) nearest.offer(escape.place);
  }
  return nearest.above_or_only();
}

std::optional<SourceLocation> handed_out_at(const Escapes& escapes, const SourceLocation& reader) {
  Nearest nearest(reader);
  for (const Escape& e : *escapes.subject) {
    if (hands_out_memory(e) || e.kind == "tolist") nearest.offer(e.place);
  }
  return nearest.above();
}

std::optional<SourceLocation> drawn_at(const std::vector<EscapeSample>& samples,
                                       const SourceLocation& reader) {
  std::vector<std::vector<core::Scalar>> literals;
  bool telling = false;
  for (const EscapeSample& sample : samples) {
    literals.push_back(numbers_in(sample.literal));
    const auto& numbers = literals.back();
    telling |= !same_literal(sample.literal, samples[0].literal) ||
               std::any_of(numbers.begin(), numbers.end(), [](const core::Scalar& v) {
                 return v.is_complex() || v.to_double() != std::floor(v.to_double());
               });
  }
  if (!telling) return std::nullopt;
  Nearest nearest(reader);
  for (const Escape& escape : *samples[0].escapes) {
    bool drew = is_draw(escape);
    for (size_t i = 0; drew && i < samples.size(); ++i) {
      drew = !literals[i].empty() && gave_there(*samples[i].escapes, escape, literals[i]);
    }
    if (drew) nearest.offer(escape.place);
  }
  return nearest.above_or_only();
}

std::optional<SourceLocation> asked_at(const std::vector<Escape>& escapes,
                                       const SourceLocation& reader) {
  Nearest nearest(reader);
  for (const Escape& e : escapes) {
    if (is_draw(e)) nearest.offer(e.place);
  }
  return nearest.above_or_only();
}

bool is_draw(const Escape& escape) { return escape.kind == "random"; }

bool is_hidden_draw(const Escape& escape) { return is_draw(escape) && all_numbers(escape).empty(); }

bool hands_out_memory(const Escape& escape) {
  static const std::set<std::string> kinds{"numpy",           "array",    "data",  "storage",
                                           "untyped_storage", "data_ptr", "dlpack"};
  return kinds.count(escape.kind) > 0;
}

bool assigns_state(const Escape& escape) { return escape.kind == "state"; }

bool looks_up(const Escape& escape) { return escape.kind == "hash"; }

bool asks_for_tracing(const Escape& escape) { return escape.kind == "is_tracing"; }

bool gave_other_numbers(const Escapes& escapes) { return !differing_sites(escapes).empty(); }

bool decided_differently(const Escapes& escapes) {
  const auto& a = *escapes.subject;
  const auto& b = *escapes.probe;
  for (size_t i = 0; i < std::min(a.size(), b.size()) && same_place(a[i], b[i]); ++i) {
    if (is_decision(a[i]) && differ(a[i], b[i])) return true;
  }
  return false;
}

std::optional<SourceLocation> decided_at(const Escapes& escapes, const SourceLocation& reader) {
  const auto& a = *escapes.subject;
  const auto& b = *escapes.probe;
  Nearest decision(reader), number(reader);
  std::optional<SourceLocation> first;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (!same_place(a[i], b[j])) {
      // Ways that part without a decision are not followed: what differs behind is a consequence.
      if (!first || !meet_again(a, b, i, j)) break;
      continue;
    }
    if (differ(a[i], b[j]) && is_decision(a[i])) {
      decision.offer(a[i].place);
      if (!first) first = a[i].place;
    } else if (may_differ(a[i], b[j]) && !first) {
      number.offer(a[i].place);
    }
    ++i, ++j;
  }
  if (auto above = decision.above()) return above;
  return first ? first : number.above();
}

}  // namespace assay::verify::diagnosis
