#include "fuzz/generate/probes.h"

#include <algorithm>
#include <set>

namespace assay::fuzz {

using verify::Bindings;
using verify::ChoiceAxis;
using verify::Point;
using verify::SizeDomain;
using verify::Spec;

namespace {

class Probes {
 public:
  Probes(const Spec& spec, const Hints& hints, Point base, size_t limit)
      : spec_(spec), hints_(hints), base_(std::move(base)), limit_(limit) {
    features_ = size_features(spec_, base_);
    words_ = choice_axes(spec_);
  }

  std::vector<Point> all() {
    std::vector<Point> pairs = pairs_of_words();
    size_t limit = limit_;
    limit_ -= pairs.size();  // Place is left for them.
    add(base_);
    alone();
    limit_ = limit;
    for (const Point& point : pairs) add(point);
    pairs_of_sizes();
    sizes_with_words();
    return std::move(out_);
  }

 private:
  bool full() const { return out_.size() >= limit_; }

  void add(const Point& wanted) {
    if (full()) return;
    std::optional<Point> point = nearest_point(spec_, wanted);
    if (point && seen_.insert(*point).second) out_.push_back(std::move(*point));
  }

  Point with_sizes(std::initializer_list<std::pair<std::string, int64_t>> sizes) const {
    Point point = base_;
    for (const auto& [name, size] : sizes) point.sizes[name] = size;
    return point;
  }

  /// One round per rank of tellingness, over all features: a small limit sees something of each.
  void alone() {
    std::vector<std::vector<Point>> by_feature;
    for (const auto& [name, domain] : features_) {
      Bindings others = base_.sizes;
      others.erase(name);
      std::optional<int64_t> example = base_.sizes.at(name);
      std::vector<Point> points;
      for (int64_t size : interesting_sizes(domain, example, hints_, others)) {
        points.push_back(with_sizes({{name, size}}));
      }
      by_feature.push_back(std::move(points));
    }
    for (const ChoiceAxis& axis : words_) {
      std::vector<Point> points;
      for (const std::string& choice : axis.choices) {
        Point point = base_;
        point.choices[axis.key] = choice;
        points.push_back(std::move(point));
      }
      by_feature.push_back(std::move(points));
    }
    for (size_t rank = 0; !full(); ++rank) {
      bool any = false;
      for (const auto& points : by_feature) {
        if (rank >= points.size()) continue;
        add(points[rank]);
        any = true;
      }
      if (!any) return;
    }
  }

  /// A word of an axis of choices, by positions.
  struct Word {
    size_t axis, word;
    friend auto operator<=>(const Word&, const Word&) = default;
  };

  /// As few points as a simple search finds in which each word that is not the plain one meets each
  /// such word of every other axis, as what shows in float64 at zeros alone needs: pairwise testing
  /// (Cohen et al., "The AETG System", 1997). Values of two inputs need not meet.
  std::vector<Point> pairs_of_words() const {
    std::set<std::pair<Word, Word>> open;
    for (size_t a = 0; a < words_.size(); ++a) {
      for (size_t b = a + 1; b < words_.size(); ++b) {
        if (words_[a].kind == "value" && words_[b].kind == "value") continue;
        for (size_t v = 1; v < words_[a].choices.size(); ++v) {
          for (size_t w = 1; w < words_[b].choices.size(); ++w) open.insert({{a, v}, {b, w}});
        }
      }
    }
    std::vector<Point> points;
    while (!open.empty() && points.size() < limit_ / 4) {
      std::vector<Word> chosen{open.begin()->first, open.begin()->second};
      for (size_t axis = 0; axis < words_.size(); ++axis) add_best_word(axis, open, chosen);
      Point point = base_;
      for (const Word& one : chosen) {
        point.choices[words_[one.axis].key] = words_[one.axis].choices[one.word];
        for (const Word& other : chosen) open.erase({one, other});
      }
      points.push_back(std::move(point));
    }
    return points;
  }

  /// Adds the word of an axis that has none yet whose pairs with those chosen are open most often.
  void add_best_word(size_t axis, const std::set<std::pair<Word, Word>>& open,
                     std::vector<Word>& chosen) const {
    if (std::ranges::any_of(chosen, [&](const Word& w) { return w.axis == axis; })) return;
    size_t most = 0, best = 0;
    for (size_t word = 1; word < words_[axis].choices.size(); ++word) {
      Word candidate{axis, word};
      auto count = std::ranges::count_if(
          chosen, [&](const Word& w) { return open.count(std::minmax(w, candidate)) > 0; });
      if (static_cast<size_t>(count) > most) most = static_cast<size_t>(count), best = word;
    }
    if (most > 0) chosen.push_back({axis, best});
  }

  void pairs_of_sizes() {
    for (size_t i = 0; i < features_.size() && !full(); ++i) {
      for (size_t k = i + 1; k < features_.size() && !full(); ++k) {
        const auto& [a, in_a] = features_[i];
        const auto& [b, in_b] = features_[k];
        int64_t x = base_.sizes.at(a), y = base_.sizes.at(b);
        add(with_sizes({{a, y}, {b, x}}));
        add(with_sizes({{a, x}, {b, x}}));
        add(with_sizes({{a, y}, {b, y}}));
        add(with_sizes({{a, in_a.min()}, {b, in_b.min()}}));
        add(with_sizes({{a, in_a.max()}, {b, in_b.max()}}));
        add(with_sizes({{a, in_a.min()}, {b, in_b.max()}}));
        if (x % 2 == 0) add(with_sizes({{a, x / 2}, {b, y * 2}}));
        if (y % 2 == 0) add(with_sizes({{a, x * 2}, {b, y / 2}}));
      }
    }
  }

  void sizes_with_words() {
    for (const ChoiceAxis& axis : words_) {
      for (size_t w = 1; w < axis.choices.size(); ++w) {
        for (const auto& [name, domain] : features_) {
          for (int64_t size : {domain.min(), domain.max()}) {
            Point point = with_sizes({{name, size}});
            point.choices[axis.key] = axis.choices[w];
            add(point);
          }
        }
      }
    }
  }

  const Spec& spec_;
  const Hints& hints_;
  Point base_;
  size_t limit_;
  std::vector<std::pair<std::string, SizeDomain>> features_;
  std::vector<ChoiceAxis> words_;
  std::vector<Point> out_;
  std::set<Point> seen_;
};

}  // namespace

std::vector<Point> systematic_probes(const Spec& spec, const Hints& hints, uint64_t seed,
                                     size_t limit) {
  std::optional<Point> base = base_point(spec, hints, seed);
  if (!base) return {};
  return Probes(spec, hints, std::move(*base), limit).all();
}

}  // namespace assay::fuzz
