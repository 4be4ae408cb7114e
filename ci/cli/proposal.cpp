#include "ci/cli/proposal.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "ci/cli/inputs.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "fuzz/generate/accepted.h"
#include "fuzz/generate/drawing.h"
#include "verify/compare/compare.h"
#include "verify/run/probe_spec.h"
#include "verify/run/weights.h"
#include "verify/spec/parser.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

namespace {

constexpr double longest_probing = 20;  // Seconds.

Proposal told(Spec proposed, const std::string& origin, const Arguments& arguments) {
  Proposal out;
  out.spec = spec_of(arguments, proposed);
  std::vector<std::string> flags = base::split(base::trim(spec_text(out.spec)), '\n');
  std::fprintf(stderr,
               "assay: no --input says what the model takes; going on with %s (`assay help spec` "
               "tells how to say it):\n  %s\n",
               origin.c_str(), base::join(flags, " ").c_str());
  return out;
}

[[noreturn]] void ask(const std::string& model, const std::string& signature,
                      const std::string& why) {
  base::fail("what are the inputs of ", model, "? It takes ", signature, ", and ", why,
             ". Say so with --input 'x: f32[b, 3, h, w]' --dim b=1..8 ..., --spec or --example "
             "(assay help spec)");
}

std::string nothing_fits(const Probe& probe) {
  std::string answer = probe.refusal.empty() ? "" : " (" + probe.refusal + ")";
  return "none of the usual shapes is accepted" + answer;
}

constexpr const char* unknown_kind = "what that is cannot be guessed";

/// The example's values as a call: what follows one that is None is passed by its name.
Call example_call(const std::vector<std::pair<std::string, core::Value>>& inputs) {
  Call call;
  bool left_out = false;
  for (const auto& [name, value] : inputs) {
    if (value.is_none()) {
      left_out = true;
    } else if (left_out) {
      call.kwargs.emplace_back(name, value);
    } else {
      call.args.push_back(value);
    }
  }
  return call;
}

/// The example's values under the names of the model's parameters.
std::vector<std::pair<std::string, core::Value>> named_inputs(const host::Loaded& loaded) {
  std::vector<std::pair<std::string, core::Value>> out;
  for (size_t i = 0; i < loaded.example->size(); ++i) {
    bool named = i < loaded.model.signature.size();
    out.emplace_back(named ? loaded.model.signature[i].name : fmt::format("x{}", i),
                     (*loaded.example)[i]);
  }
  return out;
}

/// What stands for a value of this type in UnknownInput::pattern; nothing where nobody can tell.
std::optional<std::string> pattern_of(const core::TypePtr& type) {
  using core::TypeKind;
  auto all = [](const std::vector<core::TypePtr>& types) -> std::optional<std::string> {
    std::vector<std::string> parts;
    for (const core::TypePtr& part : types) {
      auto pattern = pattern_of(part);
      if (!pattern) return std::nullopt;
      parts.push_back(*std::move(pattern));
    }
    return base::join(parts, ", ");
  };
  switch (type->kind()) {
    case TypeKind::tensor:
    case TypeKind::any:
      return "@";
    case TypeKind::integer:
    case TypeKind::number:
      return "2";
    case TypeKind::floating:
      return "0.5";
    case TypeKind::boolean:
      return "False";
    case TypeKind::optional:
      return pattern_of(type->element());
    case TypeKind::list: {
      auto items = all({type->element(), type->element()});
      return items ? std::optional("[" + *items + "]") : std::nullopt;
    }
    case TypeKind::tuple: {
      auto items = all(type->contained());
      return items && !items->empty() ? std::optional("(" + *items + ",)") : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

/// The same of a Python annotation, which may be anything.
std::optional<std::string> pattern_of(const std::string& annotation) {
  auto says = [&](const char* part) { return annotation.find(part) != std::string::npos; };
  if (annotation == "int") return "2";
  if (annotation == "float") return "0.5";
  if (annotation == "bool") return "False";
  if (annotation.empty() || annotation == "Tensor" || annotation == "torch.Tensor") return "@";
  if (!says("Tensor") || says("Dict") || says("dict")) return std::nullopt;
  if (says("Optional") || says("Union") || says("|")) return "@";
  if (says("List") || says("list") || says("Sequence")) return "[@, @]";
  if (!says("Tuple") && !says("tuple")) return std::nullopt;
  std::string members = "(";
  for (size_t at = annotation.find("Tensor"); at != std::string::npos;
       at = annotation.find("Tensor", at + 1)) {
    members += "@,";
  }
  return members + ")";
}

/// Of a model that takes nothing but itself.
Proposal without_inputs(const Arguments& arguments) { return {spec_of(arguments, Spec{}), {}}; }

/// "(x: Tensor, n: int)"
std::string signature_text(const std::vector<host::ArgumentFacts>& signature) {
  std::vector<std::string> parts;
  for (const host::ArgumentFacts& a : signature) {
    parts.push_back(a.annotation.empty() ? a.name : fmt::format("{}: {}", a.name, a.annotation));
  }
  return "(" + base::join(parts, ", ") + ")";
}

}  // namespace

bool declares_inputs(const Arguments& arguments) {
  return arguments.has("--input") || arguments.has("--spec");
}

Proposal propose_recorded(const Spec& recorded, const std::string& path,
                          const Arguments& arguments) {
  return told(recorded, "what " + path + " was recorded with", arguments);
}

Proposal propose_for_model(const std::string& model, const host::Loaded& loaded, Runner& runner,
                           const Arguments& arguments) {
  if (loaded.example) {
    auto inputs = named_inputs(loaded);
    Proposal out = told(propose_spec(inputs), "what the example shows", arguments);
    out.example = example_call(inputs);
    return out;
  }
  std::string signature = signature_text(loaded.model.signature);
  std::vector<UnknownInput> inputs;
  bool is_forward = arguments.value_or("--method", "forward") == "forward";
  for (const host::ArgumentFacts& a : loaded.model.signature) {
    if (a.optional || a.kind.starts_with("var_")) continue;
    auto pattern = pattern_of(a.annotation);
    if (!pattern || !is_forward) ask(model, signature, unknown_kind);
    inputs.push_back({a.name, *pattern, a.kind == "keyword_only"});
  }
  std::vector<Weight> weights;
  for (const host::TensorFacts& p : loaded.model.parameters) {
    auto dtype = core::dtype_from_name(p.dtype);
    if (dtype) weights.push_back({{p.shape.begin(), p.shape.end()}, *dtype});
  }
  if (loaded.model.signature.empty() && loaded.model.kind != "function")
    return without_inputs(arguments);
  Probe probe = probe_spec(inputs, weights, runner, longest_probing);
  if (!probe.spec || inputs.empty()) ask(model, signature, nothing_fits(probe));
  return told(*std::move(probe.spec), "shapes that it accepts", arguments);
}

Proposal propose_for_archive(const std::string& path, const api::Module& module,
                             const std::string& method, Runner& runner,
                             const Arguments& arguments) {
  const ops::Schema& schema = module.schema(method);
  std::vector<UnknownInput> inputs;
  for (size_t i = 1; i < schema.arguments.size(); ++i) {
    const auto& argument = schema.arguments[i];
    if (argument.default_value) continue;
    auto pattern = pattern_of(argument.type);
    if (!pattern) ask(path, schema.str(), unknown_kind);
    inputs.push_back({std::string(argument.name), *pattern, argument.kwarg_only});
  }
  std::vector<Weight> weights;
  for (const auto& [name, value] : module.parameters()) {
    if (!value.is_tensor()) continue;
    weights.push_back({value.to_tensor().sizes(), value.to_tensor().dtype()});
  }
  if (schema.arguments.size() <= 1) return without_inputs(arguments);
  Probe probe = probe_spec(inputs, weights, runner, longest_probing);
  if (!probe.spec || inputs.empty()) ask(path, schema.str(), nothing_fits(probe));
  return told(*std::move(probe.spec), "shapes that it accepts", arguments);
}

void propose_seeds(Spec& spec, Runner& model, uint64_t seed) {
  if (spec.seeds) return;
  auto mode = fuzz::mode_that_draws(model, spec, seed);
  if (!mode) return;
  spec.seeds = {0, 1};
  std::fprintf(stderr,
               "assay: the model draws numbers in %s, so that some cases have another seed "
               "(--seeds 0..1; --seeds 0..0 keeps to one)\n",
               mode->c_str());
}

void propose_second_call(Spec& spec, Runner& model, uint64_t seed) {
  if (spec.calls) return;
  auto accepted = fuzz::accepted_case(model, spec, seed);
  if (!accepted || accepted->result.state.empty()) return;
  Case twice = accepted->at;
  twice.point.choices["call"] = "2";
  CompareOptions results;
  results.state = false;
  if (!compare(model.run(twice), accepted->result, results).headline()) return;
  spec.calls = {1, 2};
  std::vector<std::string> changed;
  for (const StateChange& change : accepted->result.state) changed.push_back(change.path);
  std::fprintf(stderr,
               "assay: what a call leaves in the model (%s) changes the next one, so that some "
               "cases call it twice in a row (--calls 2; --calls 1 keeps to one)\n",
               first_few(std::move(changed)).c_str());
}

}  // namespace assay::cli
