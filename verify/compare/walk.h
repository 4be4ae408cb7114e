#pragma once

#include <string>
#include <vector>

#include "verify/compare/compare.h"

namespace assay::verify::compare_detail {

/// Two tensors at one place, of equal structure around them.
struct TensorPair {
  std::string place;
  core::Tensor subject;
  core::Tensor reference;
};

/// Two numbers of Python of the same kind at one place.
struct NumberPair {
  std::string place;
  core::Value subject;
  core::Value reference;
};

/// What stands beside each other in two values of equal structure.
struct Pairs {
  std::vector<TensorPair> tensors;
  std::vector<NumberPair> numbers;
};

/// What the layers add to.
struct Collector {
  const CompareOptions* options = nullptr;
  std::vector<Difference> differences;
  std::array<int64_t, layer_count> compared{};
  std::vector<std::pair<std::string, ValueError>> errors;
  std::vector<std::string> places;

  void count(Layer layer, int64_t n = 1) { compared[static_cast<size_t>(layer)] += n; }
  void differ(Layer layer, std::string place, std::string subject, std::string reference) {
    differences.push_back(
        {layer, std::move(place), std::move(subject), std::move(reference), std::nullopt, false});
  }
};

}  // namespace assay::verify::compare_detail
