#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/spec/size_expr.h"

namespace assay::verify {

/// What a literal (or a count) was in an export made at these sizes.
struct Sample {
  Bindings sizes;
  int64_t value = 0;
};

/// A number as a function of input sizes: scale · Π floor((letter + add) / divisor) + offset, where
/// a factor may be rounded up to a power of two.
struct SizeFit {
  struct Factor {
    std::string letter;
    int64_t add = 0;
    int64_t divisor = 1;
    bool to_power_of_two = false;  ///< As lengths of Fourier transforms are.
    friend bool operator==(const Factor&, const Factor&) = default;
  };
  std::vector<Factor> factors;  ///< One or two.
  int64_t scale = 1;
  int64_t offset = 0;

  int64_t at(const Bindings& sizes) const;
  /// "t", "2*(t//3) + 1", "(h//32)*(w//32)", "2^ceil(log2(t))".
  std::string text() const;
};

/// The simplest function of that form that gives every sample exactly; nothing if the samples do
/// not vary, if fewer than three distinct sizes support it or no more than it has numbers to
/// settle, if steps would explain only two different values (any threshold does), or if none fits.
/// Simple: one letter before two, no division before division, small scale and offset. Where
/// letters moved together in all samples several are as good: `preferred`, the letter that the
/// failure depends on, wins.
std::optional<SizeFit> fit(const std::vector<Sample>& samples, const std::string& preferred = {});

/// Whether no other function of the same letter, rounded as people round, gives the samples as well
/// and another number between them. True of functions of two letters, which are not compared.
bool is_settled(const SizeFit& fit, const std::vector<Sample>& samples);

/// How many numbers of the function the samples had to settle.
int freedom(const SizeFit& fit);

/// Functions of one other letter, without division, that give every sample as well.
std::vector<SizeFit> other_fits(const std::vector<Sample>& samples, const SizeFit& best);

}  // namespace assay::verify
