#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

/// One flag of a verb.
struct Flag {
  std::string name;   ///< "--seed"; a short alias may follow a comma: "--output,-o"
  std::string value;  ///< "N": what stands for its value in the help; empty for a switch.
  std::string help;
  bool repeats = false;
};

/// "; did you mean check?" where one of the known words is near enough; else empty.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// The words after a verb, sorted into flags and operands. Unknown flags, missing values and values
/// for switches are usage errors that name the nearest known flag.
class Arguments {
 public:
  /// `words` without program and verb. `--flag value` and `--flag=value` mean the same; `--` ends
  /// the flags.
  Arguments(const std::vector<Flag>& flags, const std::vector<std::string>& words);

  const std::vector<std::string>& operands() const { return operands_; }
  /// The one operand of a verb that takes one ("one model"); usage error, with a whole command as
  /// an example, if there is none or more.
  const std::string& only_operand(std::string_view what, std::string_view example) const;
  bool has(std::string_view flag) const { return values_.count(std::string(flag)) > 0; }
  /// The last value given; nothing if the flag is absent.
  std::optional<std::string> value(std::string_view flag) const;
  std::string value_or(std::string_view flag, std::string otherwise) const;
  const std::vector<std::string>& all(std::string_view flag) const;
  /// Usage error if the value is no whole number in [low, high].
  int64_t integer(std::string_view flag, int64_t otherwise, int64_t low, int64_t high) const;
  /// "30s", "10m", "1h", "250ms" or a number of seconds, as seconds.
  std::optional<double> duration(std::string_view flag) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> operands_;
};

/// What --seed says; 0 without.
uint64_t seed_of(const Arguments& arguments);

}  // namespace assay::cli
