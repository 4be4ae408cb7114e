// Holds what random rounding says of a network's outputs against what is true of them.
//
//   conditioning ARCHIVE INPUT.bin EXACT.bin PEER.bin SIZE...
//
// INPUT.bin holds the float32 elements of the one input, EXACT.bin the first output's as float64,
// computed in float64, PEER.bin the same output as another implementation gives it in float32.
// Prints one JSON object: the largest error of assay and of the peer, and the largest distance of
// the two, as multiples of the spread of six runs with random rounding plus one unit in the last
// place.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "verify/run/random_rounding.h"

namespace {

using assay::core::Tensor;
using assay::core::Value;

template <typename T>
std::vector<T> read(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  assay::base::check(file.good(), "cannot open ", path);
  std::vector<T> out(static_cast<size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(out.data()),
            static_cast<std::streamsize>(out.size() * sizeof(T)));
  return out;
}

std::vector<double> numbers(const Value& v) {
  if (v.is_dict()) return numbers(v.dict().entries().at(0).value);
  if (v.is_tuple()) return numbers(v.tuple().items.at(0));
  std::vector<double> out;
  for (const auto& x : assay::core::elements(v.to_tensor())) out.push_back(x.to_double());
  return out;
}

int run(int count, char** words) {
  constexpr uint64_t draws = 6;
  constexpr double eps = 0x1p-23;
  assay::core::Dims sizes;
  for (int i = 5; i < count; ++i) sizes.push_back(std::atoll(words[i]));
  auto input = read<float>(words[2]);
  auto exact = read<double>(words[3]);
  auto peer = read<float>(words[4]);
  Tensor x = Tensor::empty(sizes, assay::core::DType::float32);
  std::copy(input.begin(), input.end(), x.data<float>());
  assay::api::Module module = assay::api::load(assay::api::Engine(), words[1]);
  module.train(false);
  std::vector<double> ours = numbers(module.forward({x}));
  assay::base::check(ours.size() == exact.size() && ours.size() == peer.size(),
                     "the outputs have other sizes than the references");
  std::vector<double> spread(ours.size(), 0);
  for (uint64_t draw = 1; draw <= draws; ++draw) {
    assay::verify::RandomRounding rounding(draw);
    assay::ops::HandlerScope scope(module.engine().context(), rounding);
    std::vector<double> moved = numbers(module.forward({x}));
    for (size_t i = 0; i < ours.size(); ++i) {
      spread[i] = std::max(spread[i], std::fabs(moved[i] - ours[i]));
    }
  }
  double own = 0, other = 0, apart = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    double unit = spread[i] + eps * std::fabs(exact[i]);
    if (unit == 0 && ours[i] == exact[i] && peer[i] == exact[i]) continue;
    own = std::max(own, std::fabs(ours[i] - exact[i]) / unit);
    other = std::max(other, std::fabs(peer[i] - exact[i]) / unit);
    apart = std::max(apart, std::fabs(peer[i] - ours[i]) / unit);
  }
  std::printf("{\"elements\": %zu, \"assay\": %.3g, \"peer\": %.3g, \"apart\": %.3g}\n",
              ours.size(), own, other, apart);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const assay::base::Error& e) {
    std::fprintf(stderr, "%s\n", e.describe().c_str());
    return 2;
  }
}
