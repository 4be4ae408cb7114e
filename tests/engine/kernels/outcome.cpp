#include "tests/engine/kernels/outcome.h"

#include <cstdlib>
#include <ctime>
#include <new>
#include <stdexcept>

#include "engine/base/deadline.h"
#include "engine/core/backends.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::testing {

api::Engine engine_of(bool reference_only) {
  api::EngineOptions options;
  options.reference_only = reference_only;
  return api::Engine(options);
}

/// Some calls loop as often as an argument says: they are ended soon, so that most of a property's
/// time is left for others.
constexpr std::chrono::milliseconds allowed_time{100};

namespace {

template <typename Call>
Outcome outcome_of(const api::Engine& engine, const Call& call) {
  engine.context().generator->set_seed(7);
  std::clock_t start = std::clock();
  Outcome outcome;
  base::DeadlineScope deadline(allowed_time);
  try {
    ops::Results results = call();
    outcome.results.assign(results.begin(), results.end());
  } catch (const base::Error& e) {
    outcome.error = e.message();
    outcome.internal = e.kind() == base::ErrorKind::internal;
    outcome.ran_out_of = e.ran_out_of();
  } catch (const std::bad_alloc&) {
    outcome.error = "not enough memory";
    outcome.ran_out_of = base::Resource::memory;
  } catch (const std::length_error&) {
    outcome.error = "not enough memory";
    outcome.ran_out_of = base::Resource::memory;
  }
  outcome.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return outcome;
}

}  // namespace

Outcome run(const api::Engine& engine, const ops::Operator& op, const core::Values& args,
            core::Device device) {
  return outcome_of(engine, [&] {
    ops::Results results = ops::call(engine.context(), op, args);
    core::backend_of(device).synchronize(device);
    return results;
  });
}

Outcome run_spending(const api::Engine& engine, const ops::Operator& op, core::Values args) {
  return outcome_of(engine, [&] { return ops::call_spending(engine.context(), op, args); });
}

bool asked_for(const ops::Operator& op) {
  const char* only = std::getenv("ASSAY_ROW");
  return only == nullptr || op.qualified_name == only;
}

}  // namespace assay::kernels::testing
