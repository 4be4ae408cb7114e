#include "fuzz/key.h"

#include <fmt/core.h>

#include "verify/findings/finding.h"
#include "verify/observation/places.h"

namespace assay::fuzz {

namespace {

/// An error's first line without what varies with the input: numbers, and lists of numbers of any
/// length.
std::string without_numbers(std::string_view text) {
  constexpr size_t most = 160;
  text = text.substr(0, text.find('\n'));
  std::string out;
  int depth = 0;
  for (char c : text) {
    if (c == '[' || c == '(') ++depth;
    bool digit = c >= '0' && c <= '9';
    if (depth == 0 && (!digit || out.empty() || out.back() != '#')) out += digit ? '#' : c;
    if ((c == ']' || c == ')') && depth > 0) --depth;
  }
  return out.substr(0, most);
}

std::string error_key(const verify::Observation& run) {
  if (!run.failure) return {};
  const verify::Failure& failure = *run.failure;
  std::string place;
  if (!failure.place.file.empty()) {
    place = fmt::format(" {}:{}", verify::base_name(failure.place.file), failure.place.line);
  }
  return fmt::format("{}{} {}", failure.type, place, without_numbers(failure.message));
}

}  // namespace

std::string failure_key(const verify::Case&, const verify::Judgement& judgement) {
  const verify::Difference* headline = judgement.comparison.headline();
  if (headline == nullptr) return "unexplained";
  verify::Visibility visibility = verify::visibility_of(judgement.comparison);
  std::string key = fmt::format("{} {}", verify::visibility_name(visibility),
                                verify::layer_name(headline->layer));
  if (visibility == verify::Visibility::loud) return key + ' ' + error_key(judgement.subject);
  if (visibility == verify::Visibility::lenient) return key + ' ' + error_key(judgement.reference);
  return headline->place.empty() ? key : key + ' ' + headline->place;
}

}  // namespace assay::fuzz
