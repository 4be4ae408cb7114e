#include "tests/conformance/case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "tests/conformance/compare.h"
#include "tests/conformance/tensor_file.h"
#include "tests/conformance/value_tree.h"

namespace assay::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using core::Value;
using nlohmann::json;

json read_case(const std::filesystem::path& directory) {
  std::ifstream file(directory / "case.json", std::ios::binary);
  return json::parse(file);
}

/// Captured cases hold one call and say so by their format; real-world cases have a list of calls.
bool is_captured(const json& description) { return description.contains("format"); }

bool flagged(const json& description, const char* flag) {
  for (const json& one : description.value("flags", json::array())) {
    if (one == flag) return true;
  }
  return false;
}

/// The first qualified operator name in a message about something unsupported.
std::string missing_operator(const std::string& message) {
  for (const char* space : {"aten::", "prim::", "prims::", "quantized::", "torchvision::"}) {
    size_t at = message.find(space);
    if (at == std::string::npos) continue;
    size_t end = at + std::string_view(space).size();
    auto part_of_name = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    while (end < message.size() && part_of_name(message[end])) ++end;
    std::string name = message.substr(at, end - at);
    while (!name.empty() && name.back() == '.') name.pop_back();
    return name;
  }
  return "";
}

void note_error(Result& result, const char* stage, const base::Error& error) {
  result.detail = error.describe();
  if (error.kind() == base::ErrorKind::unsupported) {
    result.missing = missing_operator(error.message());
    result.reason = result.missing.empty() ? fmt::format("{}: unsupported", stage)
                                           : fmt::format("{}: missing operator", stage);
  } else if (error.kind() == base::ErrorKind::internal) {
    result.reason = fmt::format("{}: internal error", stage);
  } else if (error.message().starts_with("Expected all tensors to be on the same device")) {
    result.reason = fmt::format("{}: two devices", stage);
  } else {
    result.reason = fmt::format("{}: unexpected error", stage);
  }
}

/// Runs `step`; false, with the result filled in, if it raises.
bool attempt(Result& result, const char* stage, const std::function<void()>& step) {
  try {
    step();
    return true;
  } catch (const base::Error& e) {
    note_error(result, stage, e);
  } catch (const std::bad_alloc&) {
    result.reason = fmt::format("{}: out of memory", stage);
  } catch (const std::exception& e) {
    result.reason = fmt::format("{}: harness error", stage);
    result.detail = e.what();
  }
  return false;
}

void compare(Result& result, const Value& actual, const Value& expected, const Tolerance& tolerance,
             const char* what) {
  if (auto found = difference(actual, expected, tolerance, what)) {
    bool other_value = found->find(" is ") != std::string::npos ||
                       found->find("another value") != std::string::npos;
    if (found->find("is a value of type") != std::string::npos) other_value = false;
    result.passed = false;
    result.reason = other_value ? "other values" : "other kind, dtype or shape";
    result.detail = *found;
  }
}

/// Calls, waits for the device, and judges: a raised input error is right exactly where one is
/// expected.
struct Outcome {
  bool returned = false;
  Value value;
};
Outcome call(Result& result, bool expects_error, core::Device device,
             const std::function<Value()>& run) {
  Outcome outcome;
  bool ran = attempt(result, "run", [&] {
    outcome.value = run();
    core::backend_of(device).synchronize(device);
  });
  if (expects_error) {
    result.passed =
        !ran && (result.reason == "run: unexpected error" || result.reason == "run: two devices");
    if (ran) result.reason = "no error where one is expected";
    if (result.passed) result.reason.clear();
  } else {
    outcome.returned = result.passed = ran;
  }
  return outcome;
}

core::Values values_of(ValueTrees& trees, const json& list, const core::Values& results) {
  core::Values out;
  for (const json& tree : list) out.push_back(trees.value(tree, results));
  return out;
}

api::Keywords keywords_of(ValueTrees& trees, const json& map, const core::Values& results) {
  api::Keywords out;
  for (const auto& [name, tree] : map.items()) out.emplace_back(name, trees.value(tree, results));
  return out;
}

/// A case names an enum by the last part of its class.
core::TypePtr find_enum(const ir::Unit& unit, const std::string& name) {
  for (const core::TypePtr& type : unit.types()) {
    if (core::as_enum(type) && type->name().ends_with("." + name)) return type;
  }
  return nullptr;
}

/// Captured was what the method gives by itself: hooks run around a call of the module, in PyTorch
/// as in assay.
Value call_without_hooks(api::Module& module, const std::string& method, const core::Values& args,
                         const api::Keywords& keywords) {
  if (!module.is_hooked()) return module.call(method, args, keywords);
  return module.interpreter().call_method(module.object(), method, args, keywords);
}

Result run_captured(const std::filesystem::path& directory, const json& description,
                    core::Device device) {
  Result result;
  result.id = description["id"];
  result.group = description["test"];
  api::EngineOptions options;
  options.seed = description.value("seed", uint64_t{0});
  if (description.contains("default_dtype")) {
    std::string name = description["default_dtype"];
    options.default_dtype = core::dtype_from_name(name).value_or(core::DType::float32);
  }
  api::Engine engine(options);
  engine.context().grad_enabled = !description.value("no_grad", false);
  std::optional<api::Module> module;
  std::string archive = (directory / description.value("model", "model.pt")).string();
  api::LoadOptions where;
  if (device != core::Device{}) where.map_location = device;
  if (!attempt(result, "load", [&] { module = api::load(engine, archive, where); })) return result;

  std::optional<ValueTrees> given, wanted;
  core::Values args;
  api::Keywords keywords;
  Value expected;
  bool prepared = attempt(result, "case", [&] {
    auto tensors = read_tensor_file(directory / "tensors.safetensors");
    given.emplace(tensors);
    wanted.emplace(tensors);
    given->set_device(device);
    // Looking at the signature defines the enums that it names.
    module->schema(description["method"]);
    given->set_enums([&](const std::string& name) { return find_enum(module->unit(), name); });
    args = values_of(*given, description["args"], {});
    keywords = keywords_of(*given, description["kwargs"], {});
    expected = wanted->value(description["expected"]);
  });
  if (!prepared) return result;
  engine.set_seed(options.seed);
  bool expects_error = !description["error"].is_null();
  Outcome outcome = call(result, expects_error, device, [&] {
    return call_without_hooks(*module, description["method"], args, keywords);
  });
  if (!outcome.returned) return result;
  compare(result, outcome.value, expected, {}, "result");
  if (result.passed && description.contains("args_after")) {
    core::Values after = values_of(*wanted, description["args_after"], {});
    for (size_t i = 0; i < after.size() && i < args.size() && result.passed; ++i) {
      // Python's own lists are copied into a call; only tensors are shared with the caller.
      if (!args[i].is_tensor()) continue;
      compare(result, args[i], after[i], {}, "argument after the call");
    }
  }
  if (!result.passed && flagged(description, "rng")) result.reason += " (random)";
  return result;
}

std::vector<Result> run_realworld(const std::filesystem::path& directory, const json& description,
                                  core::Device device) {
  std::vector<Result> results;
  std::string name = description["name"], archive = (directory / "model.pt").string();
  api::Engine engine;
  // The expected values were made on a machine without a GPU.
  api::LoadOptions where;
  where.map_location = device;
  if (!description.value("loads", true)) {
    Result result{name, "realworld", false, "", "", "", 0};
    bool loaded = attempt(result, "load", [&] { api::load(engine, archive, where); });
    result.passed = !loaded && !result.reason.ends_with("internal error");
    if (loaded) result.reason = "no error where one is expected";
    if (result.passed) result.reason = result.detail = result.missing = "";
    return {result};
  }
  Tolerance tolerance{1e-5, 1e-6, description.value("compare", "") == "shape"};
  if (description.contains("tolerance") && description["tolerance"].is_array()) {
    tolerance.rtol = description["tolerance"][0];
    tolerance.atol = description["tolerance"][1];
  }
  auto tensors = read_tensor_file(directory / "tensors.safetensors");
  ValueTrees given(tensors), wanted(tensors);
  given.set_device(device);
  std::optional<api::Module> module;
  core::Values returned;
  for (const json& one : description["calls"]) {
    Result result{fmt::format("{}#{}", name, results.size()), "realworld", false, "", "", "", 0};
    returned.emplace_back();
    if (one["fresh"] || !module) {
      module.reset();
      attempt(result, "load", [&] { module = api::load(engine, archive, where); });
    }
    if (module) {
      Outcome outcome = call(result, one.contains("raises"), device, [&] {
        return module->call(one["method"], values_of(given, one["args"], returned),
                            keywords_of(given, one.value("kwargs", json::object()), returned));
      });
      if (outcome.returned) {
        returned.back() = outcome.value;
        attempt(result, "case", [&] {
          compare(result, outcome.value, wanted.value(one["expect"]), tolerance, "result");
        });
      }
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

std::vector<std::filesystem::path> find_cases(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> found;
  base::check(std::filesystem::is_directory(root), root.string(), " is not a folder");
  auto is_case = [](const std::filesystem::path& at) {
    return std::filesystem::exists(at / "case.json");
  };
  if (is_case(root)) return {root};
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (!entry.is_directory()) continue;
    if (is_case(entry.path())) {
      found.push_back(entry.path());
      continue;
    }
    for (const auto& inner : std::filesystem::directory_iterator(entry.path())) {
      if (inner.is_directory() && is_case(inner.path())) found.push_back(inner.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Result> run_case(const std::filesystem::path& directory, core::Device device) {
  auto start = Clock::now();
  std::vector<Result> results;
  try {
    json description = read_case(directory);
    results = is_captured(description)
                  ? std::vector<Result>{run_captured(directory, description, device)}
                  : run_realworld(directory, description, device);
  } catch (const std::exception& e) {
    results = {
        {directory.filename().string(), "unknown", false, "case: harness error", e.what(), "", 0}};
  }
  std::chrono::duration<double> spent = Clock::now() - start;
  for (Result& result : results) {
    result.seconds = spent.count() / static_cast<double>(results.size());
  }
  return results;
}

std::vector<Result> lost_case(const std::filesystem::path& directory, const std::string& reason) {
  Result lost{directory.filename().string(), "unknown", false, reason, "", "", 0};
  std::vector<Result> results;
  try {
    json description = read_case(directory);
    if (is_captured(description)) {
      lost.group = description["test"];
      return {lost};
    }
    lost.group = "realworld";
    for (size_t i = 0; i < description["calls"].size(); ++i) {
      results.push_back(lost);
      results.back().id = fmt::format("{}#{}", lost.id, i);
    }
    return results;
  } catch (const std::exception&) {
    return {lost};
  }
}

}  // namespace assay::conformance
