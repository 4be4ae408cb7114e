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

/// The nearest of the names, if it is near enough to be what was meant.
std::string nearest_to(const std::string& word, const std::vector<std::string>& known) {
  std::string nearest;
  size_t best = 4;
  for (const std::string& name : known) {
    size_t d = distance(name, word);
    if (d < best && d < word.size()) best = d, nearest = name;
  }
  return nearest;
}

const Flag& find_flag(const std::vector<Flag>& flags, const std::string& word) {
  for (const Flag& f : flags) {
    if (names(f, word)) return f;
  }
  std::vector<std::string> known;
  for (const Flag& f : flags) known.push_back(first_name(f));
  base::fail("unknown flag ", word, did_you_mean(word, known));
}

/// A flag where the value of another one should stand.
void refuse_as_value(const std::vector<Flag>& flags, const Flag& flag, const std::string& word) {
  std::string name = word.substr(0, word.find('='));
  for (const Flag& other : flags) {
    base::check(!name.starts_with("--") || !names(other, name), first_name(flag),
                " needs a value before ", name, ": ", first_name(flag), " ", flag.value);
  }
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  std::string nearest = nearest_to(word, known);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

const std::string& Arguments::only_operand(std::string_view what, std::string_view example) const {
  base::check(!operands_.empty(), "name ", what, ": ", example);
  if (operands_.size() > 1) {
    std::vector<std::string> further(operands_.begin() + 1, operands_.end());
    base::fail("name ", what, ", not also ", base::join(further, ", "),
               "; what has blanks in it stands in quotes, as in --input 'x: f32[b, 3]'");
  }
  return operands_[0];
}

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
      refuse_as_value(flags, flag, words[i + 1]);
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

uint64_t seed_of(const Arguments& arguments) {
  return static_cast<uint64_t>(arguments.integer("--seed", 0, 0, INT64_MAX));
}

}  // namespace assay::cli
