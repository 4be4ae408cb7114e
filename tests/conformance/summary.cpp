#include "tests/conformance/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace assay::conformance {
namespace {

struct Count {
  size_t passed = 0, total = 0;

  void add(const Result& result) {
    ++total;
    if (result.passed) ++passed;
  }
  std::string text() const {
    char buffer[64];
    double percent = total ? 100.0 * static_cast<double>(passed) / static_cast<double>(total) : 0;
    std::snprintf(buffer, sizeof(buffer), "%zu of %zu (%.1f %%)", passed, total, percent);
    return buffer;
  }
};

struct Tally {
  Count all, programs, operators, realworld;
  std::map<std::string, size_t> reasons, missing;
};

Tally tally(const std::vector<Result>& results) {
  Tally t;
  for (const Result& r : results) {
    t.all.add(r);
    bool one_operator = r.group.starts_with("test_ops_jit") || r.group.starts_with("extra_opinfo");
    (r.group == "realworld" ? t.realworld : one_operator ? t.operators : t.programs).add(r);
    if (!r.passed) ++t.reasons[r.reason];
    if (!r.missing.empty()) ++t.missing[r.missing];
  }
  return t;
}

std::vector<std::pair<std::string, size_t>> by_count(const std::map<std::string, size_t>& counts) {
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

void list(std::string& out, const char* title, const std::map<std::string, size_t>& counts,
          size_t most) {
  if (counts.empty()) return;
  out += fmt::format("{}:\n", title);
  size_t shown = 0;
  for (const auto& [name, count] : by_count(counts)) {
    if (shown++ == most) {
      out += fmt::format("  … {} more\n", counts.size() - most);
      break;
    }
    char number[16];
    std::snprintf(number, sizeof(number), "  %6zu  ", count);
    out += number + name + "\n";
  }
}

nlohmann::json count_json(const Count& count) {
  return {{"passed", count.passed}, {"total", count.total}};
}

}  // namespace

std::string summary(const std::vector<Result>& results) {
  Tally t = tally(results);
  std::string out = "passed: " + t.all.text() + "\n";
  if (t.programs.total)
    out += "  programs (not test_ops_jit, extra_opinfo): " + t.programs.text() + "\n";
  if (t.operators.total) out += "  single operators: " + t.operators.text() + "\n";
  if (t.realworld.total) out += "  real-world calls: " + t.realworld.text() + "\n";
  list(out, "failures by reason", t.reasons, 40);
  list(out, "missing operators", t.missing, 40);
  return out;
}

std::string json_report(const std::vector<Result>& results) {
  Tally t = tally(results);
  nlohmann::json out;
  out["all"] = count_json(t.all);
  out["programs"] = count_json(t.programs);
  out["single_operators"] = count_json(t.operators);
  out["realworld"] = count_json(t.realworld);
  out["reasons"] = t.reasons;
  out["missing_operators"] = t.missing;
  for (const Result& r : results) {
    nlohmann::json one{
        {"id", r.id}, {"group", r.group}, {"passed", r.passed}, {"seconds", r.seconds}};
    if (!r.passed) {
      one["reason"] = r.reason;
      one["detail"] = r.detail;
      if (!r.missing.empty()) one["missing"] = r.missing;
    }
    out["results"].push_back(std::move(one));
  }
  return out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace assay::conformance
