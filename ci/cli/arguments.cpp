#include "ci/cli/arguments.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::cli {
namespace {

/// Number of single-character edits between two words.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// "--output,-o" names both.
bool names(const Flag& flag, std::string_view word) {
  for (const std::string& name : base::split(flag.name, ',')) {
    if (name == word) return true;
  }
  return false;
}

std::string first_name(const Flag& flag) { return flag.name.substr(0, flag.name.find(',')); }

const Flag& find_flag(const std::vector<Flag>& flags, const std::string& word) {
  for (const Flag& f : flags) {
    if (names(f, word)) return f;
  }
  std::string nearest;
  size_t best = 4;
  for (const Flag& f : flags) {
    size_t d = distance(first_name(f), word);
    if (d < best) best = d, nearest = first_name(f);
  }
  base::fail("unknown flag ", word, nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

}  // namespace

Arguments::Arguments(const std::vector<Flag>& flags, const std::vector<std::string>& words) {
  bool only_operands = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    bool is_flag = !only_operands && word.size() > 1 && word[0] == '-';
    if (word == "--" && !only_operands) {
      only_operands = true;
      continue;
    }
    if (!is_flag) {
      operands_.push_back(word);
      continue;
    }
    size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    std::string name = word.substr(0, equals);
    const Flag& flag = find_flag(flags, name);
    auto& values = values_[first_name(flag)];
    base::check(flag.repeats || values.empty(), name, " is given twice");
    if (flag.value.empty()) {
      base::check(equals == std::string::npos, name, " takes no value");
      values.emplace_back();
    } else if (equals != std::string::npos) {
      values.push_back(word.substr(equals + 1));
    } else {
      base::check(i + 1 < words.size(), name, " needs a value: ", name, " ", flag.value);
      values.push_back(words[++i]);
    }
  }
}

std::optional<std::string> Arguments::value(std::string_view flag) const {
  auto found = values_.find(std::string(flag));
  if (found == values_.end()) return std::nullopt;
  return found->second.back();
}

std::string Arguments::value_or(std::string_view flag, std::string otherwise) const {
  return value(flag).value_or(std::move(otherwise));
}

const std::vector<std::string>& Arguments::all(std::string_view flag) const {
  static const std::vector<std::string> none;
  auto found = values_.find(std::string(flag));
  return found == values_.end() ? none : found->second;
}

int64_t Arguments::integer(std::string_view flag, int64_t otherwise, int64_t low,
                           int64_t high) const {
  auto text = value(flag);
  if (!text) return otherwise;
  int64_t number = 0;
  base::check(base::parse_int(*text, number) && number >= low && number <= high, flag,
              " wants a whole number from ", low, " to ", high, ", not '", *text, "'");
  return number;
}

std::optional<double> Arguments::duration(std::string_view flag) const {
  auto text = value(flag);
  if (!text) return std::nullopt;
  struct Unit {
    std::string_view suffix;
    double seconds;
  };
  constexpr Unit units[] = {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
  for (const Unit& unit : units) {
    if (!text->ends_with(unit.suffix)) continue;
    double number = 0;
    bool good = base::parse_double(
        std::string_view(*text).substr(0, text->size() - unit.suffix.size()), number);
    if (good && number > 0 && number < 1e7) return number * unit.seconds;
    break;
  }
  base::fail(flag, " wants a time such as 30s, 10m or 1h, not '", *text, "'");
}

}  // namespace assay::cli
