#include "verify/diagnosis/variants.h"

#include <iterator>
#include <set>

#include "verify/cases/point.h"

namespace assay::verify::diagnosis {
namespace {

/// Sizes at which exports are made to fit literals: primes, so that products and sums of them are
/// telling, unlike the usual sizes of weights.
constexpr int64_t primes[] = {5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 2, 3};
constexpr size_t enough = 4;

class Variants {
 public:
  Variants(const VariantRequest& request, const std::shared_ptr<const Export>& probe)
      : r_(request) {
    bool recorded = !r_.exporter->known().empty();
    add(probe, recorded ? *probe->exported_at : *r_.failing);
    bool by_values = r_.axis->kind == "value";
    if (r_.axis->kind != "dim" && !by_values) return;
    if (recorded) {
      take_known(probe);
    } else if (by_values) {
      vary_values();
    } else {
      vary_letter();
      vary_all_letters();
    }
  }

  std::vector<Variant> out;

 private:
  void add(std::shared_ptr<const Export> exported, const Case& at) {
    Alignment aligned = align(r_.subject->program(), exported->program());
    out.push_back({std::move(exported), at, std::move(aligned)});
  }

  void make_at(const Point& point) {
    Case c = build_case(*r_.spec, point);
    ExportResult made = r_.exporter->export_at(c, false);
    if (made.exported) add(std::move(made.exported), c);
  }

  void take_known(const std::shared_ptr<const Export>& probe) {
    for (const auto& known : r_.exporter->known()) {
      bool same_mode = known->exported_at->setting("mode") == r_.failing->setting("mode");
      if (known != probe && same_mode) add(known, *known->exported_at);
    }
  }

  Point base() const { return r_.right.value_or(*r_.failing).point; }

  void vary_letter() {
    const std::string& letter = r_.axis->letter;
    std::set<int64_t> seen{r_.failing->point.sizes.at(letter)};
    if (r_.subject->exported_at) {
      auto own = r_.subject->exported_at->point.sizes.find(letter);
      if (own != r_.subject->exported_at->point.sizes.end()) seen.insert(own->second);
    }
    for (int64_t prime : primes) {
      if (out.size() >= enough) break;
      Point wanted = base();
      wanted.sizes[letter] = prime;
      auto point = nearest_point(*r_.spec, wanted);
      if (point && seen.insert(point->sizes.at(letter)).second) make_at(*point);
    }
  }

  /// What needs several sizes to be large shows nowhere along one letter: `while min(h, w) > 2`.
  void vary_all_letters() {
    Point wide = base();
    if (wide.sizes.size() < 2) return;
    size_t k = std::size(primes) - 3;  // From the largest prime down, so that all are unequal.
    for (auto& [letter, size] : wide.sizes) size = primes[k > 0 ? k-- : 0];
    if (auto point = nearest_point(*r_.spec, wide)) make_at(*point);
  }

  /// At the failing case's sizes with other numbers.
  void vary_values() {
    if (r_.failing->given) return;
    for (uint64_t k = 1; k < enough; ++k) {
      Point other = r_.failing->point;
      other.seed += k;
      // Zeros are the same whatever the seed.
      for (const ChoiceAxis& axis : choice_axes(*r_.spec)) {
        if (axis.kind == "value") other.choices[axis.key] = axis.choices.front();
      }
      make_at(other);
    }
  }

  const VariantRequest& r_;
};

}  // namespace

std::vector<Variant> make_variants(const VariantRequest& request,
                                   const std::shared_ptr<const Export>& probe) {
  return Variants(request, probe).out;
}

}  // namespace assay::verify::diagnosis
