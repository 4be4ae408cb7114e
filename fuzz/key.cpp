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

using NameOf = std::function<std::string(const verify::SourceLocation&)>;

std::string line_number(const verify::SourceLocation& place) {
  return fmt::format("{}:{}", verify::base_name(place.file), place.line);
}

std::string error_key(const verify::Observation& run, const NameOf& name) {
  if (!run.failure) return {};
  const verify::Failure& failure = *run.failure;
  std::string place = failure.place.file.empty() ? "" : ' ' + name(failure.place);
  return fmt::format("{}{} {}", failure.type, place, without_numbers(failure.message));
}

std::string key_of(const verify::Judgement& judgement, const NameOf& name) {
  const verify::Difference* headline = judgement.comparison.headline();
  if (headline == nullptr) return "unexplained";
  verify::Visibility visibility = verify::visibility_of(judgement.comparison);
  std::string key = fmt::format("{} {}", verify::visibility_name(visibility),
                                verify::layer_name(headline->layer));
  if (visibility == verify::Visibility::loud) return key + ' ' + error_key(judgement.subject, name);
  if (visibility == verify::Visibility::lenient) {
    return key + ' ' + error_key(judgement.reference, name);
  }
  return headline->place.empty() ? key : key + ' ' + headline->place;
}

}  // namespace

std::string failure_key(const verify::Case&, const verify::Judgement& judgement) {
  return key_of(judgement, line_number);
}

KeyOf failure_key_by(std::shared_ptr<const PlaceNames> names) {
  auto name = [names = std::move(names)](const verify::SourceLocation& place) {
    return names->name(place);
  };
  return [name](const verify::Case&, const verify::Judgement& j) { return key_of(j, name); };
}

}  // namespace assay::fuzz
