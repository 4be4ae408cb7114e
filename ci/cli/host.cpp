#include "ci/cli/host.h"

#include <fmt/core.h>

#include <algorithm>

#include "ci/cli/interruption.h"
#include "engine/base/error.h"
#include "verify/host/engine_package.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

namespace {

constexpr double shortest_timeout = 10;

host::HostOptions options_of(const Arguments& arguments) {
  host::HostOptions options;
  options.python = arguments.value_or("--python", "python3");
  options.interrupted = [] { return interrupted_by() != 0; };
  if (auto seconds = arguments.duration("--timeout-per-case")) {
    options.call_seconds = options.load_seconds = *seconds;
  } else if (auto all = arguments.duration("--time")) {
    // One call that hangs does not take many times what the whole check may.
    options.call_seconds = std::min(options.call_seconds, std::max(*all, shortest_timeout));
  }
  return options;
}

std::shared_ptr<host::PytorchHost> start(const host::HostOptions& options) {
  try {
    return std::make_shared<host::PytorchHost>(options);
  } catch (base::Error& e) {
    e.add_context("starting the interpreter of the model (--python names it)");
    throw;
  }
}

std::shared_ptr<host::PytorchHost> start_pytorch(const Arguments& arguments) {
  try {
    return start(options_of(arguments));
  } catch (const host::WithoutTorch& e) {
    throw host::WithoutTorch(
        e.message() +
        "; name an interpreter that has one with --python, or run the model in "
        "assay's own engine: --host engine");
  }
}

std::shared_ptr<host::PytorchHost> start_engine(const Arguments& arguments) {
  host::HostOptions options = options_of(arguments);
  options.engine_package = host::engine_package();
  base::check(!options.engine_package.empty(),
              "this assay is without its Python package, which --host engine needs: build the "
              "target assay_python");
  // The package's extension is made for one version of Python.
  options.python = arguments.value_or("--python", host::engine_python());
  return start(options);
}

}  // namespace

std::shared_ptr<host::PytorchHost> start_host(const Arguments& arguments, std::string* note) {
  std::string kind = arguments.value_or("--host", "auto");
  if (kind == "engine") return start_engine(arguments);
  if (kind == "pytorch" || kind == "both") return start_pytorch(arguments);
  base::check(kind == "auto", "--host is auto, pytorch, engine or both, not '", kind, "'");
  try {
    return start_pytorch(arguments);
  } catch (const host::WithoutTorch& e) {
    if (host::engine_package().empty()) throw;
    std::shared_ptr<host::PytorchHost> found;
    try {
      found = start_engine(arguments);
    } catch (const host::WithoutTorch& neither) {
      throw host::WithoutTorch(e.message() + "; " + neither.message());
    }
    if (note)
      *note = fmt::format("no PyTorch in {}: {} runs the model",
                          arguments.value_or("--python", "python3"), found->name());
    return found;
  }
}

std::shared_ptr<host::PytorchHost> start_engine_beside(const host::PytorchHost& host,
                                                       const std::string& model,
                                                       const Arguments& arguments) {
  if (host.facts().engine) return nullptr;
  try {
    auto beside = start_engine(arguments);
    load_model(*beside, model, arguments);
    return beside;
  } catch (const base::Error&) {  // It is no more than a help.
    return nullptr;
  }
}

std::shared_ptr<host::PytorchHost> start_second_host(const Arguments& arguments) {
  return arguments.value_or("--host", "auto") == "both" ? start_engine(arguments) : nullptr;
}

host::Loaded load_model(host::PytorchHost& host, const std::string& model,
                        const Arguments& arguments) {
  auto seed = seed_of(arguments);
  return host.load(model, arguments.value_or("--example", ""), seed,
                   arguments.value_or("--build-args", ""));
}

}  // namespace assay::cli
