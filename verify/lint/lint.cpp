#include "verify/lint/lint.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/ir/kinds.h"
#include "engine/ir/passes/inline.h"
#include "verify/lint/checks.h"

namespace assay::verify::lint {
namespace {

Weights weights_of(const api::Module& module) {
  Weights weights;
  auto keep_tensors = [](const api::Module::Named& named,
                         std::map<std::string, core::Tensor>& out) {
    for (const auto& [path, value] : named) {
      if (value.is_tensor()) out.emplace(path, value.to_tensor());
    }
  };
  keep_tensors(module.parameters(), weights.parameters);
  keep_tensors(module.buffers(), weights.buffers);
  for (auto& [path, value] : module.attributes()) weights.attributes.emplace(path, value);
  return weights;
}

Program inlined(const api::Module& module, const std::string& method) {
  auto graph = module.graph(method).copy();
  ir::inline_calls(*graph, module.unit());
  return flatten(std::move(graph));
}

/// What signs have to agree in to be told as one: the line, and what it is about. Numbers of one
/// line may differ; a device or type that several operators are given is one matter, too.
auto kind_of(const Sign& s) {
  bool setting = s.rule == RuleId::pinned_device || s.rule == RuleId::pinned_dtype;
  return std::tie(s.rule, s.strength, s.method, s.file, s.line, s.function, s.role,
                  setting ? s.literal : s.op);
}

/// Signs of one line under one heading. Signs without a line stand apart.
auto place_of(const Sign& s) { return std::tie(s.file, s.line, s.function); }

/// The different literals of signs that are told as one.
struct Literals {
  std::vector<std::string> first;
  std::set<std::string> all;

  void add(const std::string& literal) {
    constexpr size_t shown = 4;
    if (all.insert(literal).second && first.size() < shown) first.push_back(literal);
  }
  /// "0, 1, 2, 3 and 96 more"
  std::string text() const {
    std::string shown = base::join(first, ", ");
    size_t more = all.size() - first.size();
    return more == 0 ? shown : shown + " and " + std::to_string(more) + " more";
  }
};

std::vector<Sign> merged(const std::vector<Sign>& signs) {
  std::vector<Sign> out;
  std::vector<Literals> literals;
  std::map<decltype(kind_of(signs[0])), size_t> known;
  for (const Sign& s : signs) {
    auto [at, fresh] = known.try_emplace(kind_of(s), out.size());
    if (fresh) {
      out.push_back(s);
      literals.emplace_back();
    } else {
      out[at->second].count += s.count;
    }
    literals[at->second].add(s.literal);
  }
  for (size_t i = 0; i < out.size(); ++i) out[i].literal = literals[i].text();
  return out;
}

}  // namespace

size_t Report::count(Strength strength) const {
  return static_cast<size_t>(std::ranges::count(signs, strength, &Sign::strength));
}

std::vector<Sign> arranged(std::vector<Sign> signs) {
  signs = merged(signs);
  std::map<decltype(place_of(signs[0])), std::pair<Strength, size_t>> places;
  for (size_t i = 0; i < signs.size(); ++i) {
    auto [at, fresh] = places.try_emplace(place_of(signs[i]), signs[i].strength, i);
    at->second.first = std::max(at->second.first, signs[i].strength);
  }
  // Strongest line first, lines in the order of the program, strongest sign of a line first.
  std::vector<std::tuple<int, size_t, int, size_t>> order;
  for (size_t i = 0; i < signs.size(); ++i) {
    const auto& [strongest, first] = places.at(place_of(signs[i]));
    order.emplace_back(-static_cast<int>(strongest), first, -static_cast<int>(signs[i].strength),
                       i);
  }
  std::ranges::sort(order);
  std::vector<Sign> out;
  for (const auto& entry : order) out.push_back(std::move(signs[std::get<3>(entry)]));
  return out;
}

std::vector<Sign> signs_of(const std::string& method, const Program& program,
                           const Weights& weights) {
  Flow flow(program, weights);
  View view(method, program, flow, weights);
  std::vector<Sign> signs;
  for (Check check : checks()) check(view, signs);
  return signs;
}

Report lint(api::Module& module, const std::vector<std::string>& methods) {
  Report report;
  Weights weights = weights_of(module);
  std::vector<Sign> signs;
  for (const std::string& method : methods) {
    report.methods.push_back(method);
    try {
      Program program = inlined(module, method);
      report.steps += program.steps.size();
      std::ranges::move(signs_of(method, program, weights), std::back_inserter(signs));
    } catch (const base::Error& e) {
      if (e.kind() != base::ErrorKind::unsupported) throw;
      Sign sign;
      sign.rule = RuleId::unreadable_method;
      sign.method = method;
      sign.why = e.message();
      signs.push_back(std::move(sign));
    }
  }
  std::ranges::move(weight_signs(weights), std::back_inserter(signs));
  report.signs = arranged(std::move(signs));
  return report;
}

}  // namespace assay::verify::lint
