#include "verify/diagnosis/proof.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/ir/kinds.h"
#include "verify/diagnosis/steps.h"
#include "verify/graph/transplant.h"

namespace assay::verify::diagnosis {
namespace {

using Places = std::vector<const Attribution*>;

bool is_structural(const ExportDiff& view, const Attribution& a) {
  return std::any_of(a.differences.begin(), a.differences.end(), [&](size_t i) {
    return view.alignment->differences[i].kind != GraphDifference::Kind::literal;
  });
}

class Prover {
 public:
  explicit Prover(const ProofContext& context) : t_(context), view_(*context.view) {}

  std::optional<Repair> run(const std::vector<Attribution>& all) const {
    for (const Attribution& a : all) {
      if (auto repair = by_origins({&a})) return repair;
      if (auto repair = by_fit(a)) return repair;
      if (auto repair = by_values({&a}, "by substitution")) return repair;
    }
    if (auto repair = by_all_origins(all)) return repair;
    for (Places& set : groups(all)) {
      if (set.size() < 2 || !cures(set)) continue;
      Places needed = leave_out_needless(set);
      auto repair =
          by_values(set, fmt::format("by substitution of {} places together", set.size()));
      if (repair) repair->needed = needed.size();
      return repair;
    }
    return std::nullopt;
  }

 private:
  Exchange exchange_of(const Places& set) const {
    Exchange e{t_.subject, t_.probe, *view_.alignment, {}};
    for (const Attribution* a : set) {
      e.exchanged.insert(e.exchanged.end(), a->differences.begin(), a->differences.end());
    }
    return e;
  }

  /// The subject's graph with these places exchanged together; nothing where that cannot be done.
  std::shared_ptr<ir::Graph> exchanged(const Exchange& e) const {
    return exchanged_graph(e, view_.failing->device());
  }

  bool cures(const Places& set) const {
    Exchange e = exchange_of(set);
    return cures(e, exchanged(e));
  }
  bool cures(const Exchange& e, const std::shared_ptr<ir::Graph>& graph) const {
    return graph && t_.cures(graph, takes_steps(e) ? *t_.probe : *t_.subject);
  }

  std::optional<Repair> by_values(const Places& set, std::string how) const {
    Exchange e = exchange_of(set);
    if (!cures(e, exchanged(e))) return std::nullopt;
    Repair repair{{}, set.size(), std::move(how), {}, nullptr, std::move(e)};
    for (const Attribution* a : set) repair.places.push_back(*a);
    return repair;
  }

  /// Puts what the trace says that the literals were in their places.
  std::optional<Repair> by_origins(const Places& set) const {
    std::vector<Substitution> written;
    for (const Attribution* a : set) {
      if (!a->origin || is_structural(view_, *a)) return std::nullopt;
      for (size_t i : a->differences) {
        const GraphDifference& d = view_.alignment->differences[i];
        written.push_back({d.step_a, d.operand, a->origin->expression});
      }
    }
    auto graph = substitute(*view_.subject, written, *t_.sources);
    if (!graph || !t_.cures(graph, *t_.subject)) return std::nullopt;
    std::string how = "by substitution of what it was in the trace";
    if (set.size() > 1)
      how = fmt::format("by substitution of what {} literals were in the trace", set.size());
    Repair repair{{}, set.size(), std::move(how), {}, std::move(graph), exchange_of(set)};
    for (const Attribution* a : set) repair.places.push_back(*a);
    return repair;
  }

  /// All literals of which the trace tells, without those that are not needed.
  std::optional<Repair> by_all_origins(const std::vector<Attribution>& all) const {
    Places set;
    for (const Attribution& a : all) {
      if (a.origin) set.push_back(&a);
    }
    auto repair = set.size() < 2 ? std::nullopt : by_origins(set);
    for (size_t i = set.size(); repair && i-- > 0;) {
      Places fewer = set;
      fewer.erase(fewer.begin() + static_cast<long>(i));
      auto smaller = fewer.empty() ? std::nullopt : by_origins(fewer);
      if (!smaller) continue;
      set = std::move(fewer);
      repair = std::move(smaller);
    }
    return repair;
  }

  std::vector<Substitution> fitted_places(const Attribution& a) const {
    std::vector<Substitution> out;
    for (size_t i : a.differences) {
      const GraphDifference& d = view_.alignment->differences[i];
      out.push_back({d.step_a, d.operand, *a.fit});
    }
    return out;
  }

  /// Puts each function of sizes that explains the exports in the literal's place.
  std::optional<Repair> by_fit(const Attribution& a) const {
    if (!a.fit || is_structural(view_, a)) return std::nullopt;
    std::vector<SizeFit> candidates{*a.fit};
    candidates.insert(candidates.end(), a.other_fits.begin(), a.other_fits.end());
    std::optional<Repair> found;
    for (const SizeFit& fit : candidates) {
      Attribution place = a;
      place.fit = fit;
      place.fit_text = fit_sentence(a, fit);
      auto graph = substitute(*view_.subject, fitted_places(place), *t_.sources);
      if (!graph || !t_.cures(graph, *t_.subject)) continue;
      if (found) {
        found->notes.push_back(fit.text() + " explains the exports as well");
      } else {
        Exchange e = exchange_of({&place});
        found = Repair{{std::move(place)}, 1,           "by substitution of the size itself", {},
                       std::move(graph),   std::move(e)};
      }
    }
    return found;
  }

  /// All of each class, then all.
  static std::vector<Places> groups(const std::vector<Attribution>& all) {
    std::vector<Places> out;
    for (const Attribution& first : all) {
      Places& alike = out.emplace_back();
      for (const Attribution& a : all) {
        if (a.class_id == first.class_id) alike.push_back(&a);
      }
    }
    Places& everything = out.emplace_back();
    for (const Attribution& a : all) everything.push_back(&a);
    return out;
  }

  /// Takes out of a set that cures what it cures without, and puts first what it was seen not to
  /// cure without, which is given back: steps that cannot be exchanged alone may be needless.
  Places leave_out_needless(Places& set) const {
    Places needed, open;
    for (size_t i = set.size(); i-- > 0;) {
      Places fewer = set;
      fewer.erase(fewer.begin() + static_cast<long>(i));
      Exchange e = exchange_of(fewer);
      auto graph = fewer.empty() ? nullptr : exchanged(e);
      if (cures(e, graph)) {
        set = std::move(fewer);
      } else {
        Places& kind = graph || fewer.empty() ? needed : open;
        kind.insert(kind.begin(), set[i]);
      }
    }
    set = needed;
    set.insert(set.end(), open.begin(), open.end());
    return needed;
  }

  const ProofContext& t_;
  const ExportDiff& view_;
};

}  // namespace

std::optional<Repair> prove(const ProofContext& context, const std::vector<Attribution>& all) {
  auto repair = Prover(context).run(all);
  if (repair) {
    auto begin = repair->places.begin(), end = begin + static_cast<long>(repair->needed);
    std::stable_partition(begin, end, [&](const Attribution& a) {
      return !belongs_to_steps(*context.view, a) && !hands_on(*context.view, a);
    });
  }
  return repair;
}

bool belongs_to_steps(const ExportDiff& view, const Attribution& a) {
  if (is_structural(view, a)) return false;
  const Step& step = step_of(view, a);
  auto at_line = [&](const Program& p, size_t begin, size_t end) {
    return std::any_of(
        p.steps.begin() + static_cast<long>(begin), p.steps.begin() + static_cast<long>(end),
        [&](const Step& s) { return s.line == step.line && s.file_name() == step.file_name(); });
  };
  const auto& all = view.alignment->differences;
  return std::any_of(all.begin(), all.end(), [&](const GraphDifference& d) {
    return d.kind == GraphDifference::Kind::structure &&
           (at_line(*view.subject, d.begin_a, d.end_a) || at_line(*view.probe, d.begin_b, d.end_b));
  });
}

bool hands_on(const ExportDiff& view, const Attribution& a) {
  bool unpacks = false, other = false;
  auto look = [&](const Program& p, size_t begin, size_t end) {
    for (size_t s = begin; s < end; ++s) {
      bool unpack = p.steps[s].is(ir::kinds().tuple_unpack);
      unpacks = unpacks || unpack;
      other = other || (!unpack && !is_glue(p.steps[s]));
    }
  };
  for (size_t i : a.differences) {
    const GraphDifference& d = view.alignment->differences[i];
    other = other || d.kind == GraphDifference::Kind::literal;
    if (d.kind != GraphDifference::Kind::structure) continue;
    look(*view.subject, d.begin_a, d.end_a);
    look(*view.probe, d.begin_b, d.end_b);
  }
  return unpacks && !other;
}

const Step& step_of(const ExportDiff& view, const Attribution& a) {
  return (a.in_probe ? view.probe : view.subject)->steps[a.step];
}

}  // namespace assay::verify::diagnosis
