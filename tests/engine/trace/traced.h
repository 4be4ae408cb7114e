#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/api/engine.h"
#include "engine/trace/tracer.h"

namespace assay::trace::testing {

/// An engine, a unit and a tracer that is at work: what a traced program runs in.
struct Trace {
  explicit Trace(Surroundings surroundings = {}, bool strict = true)
      : tracer(unit, std::move(surroundings), strict) {
    scope.emplace(engine.context(), tracer);
  }

  /// Calls an operator by name and gives its first result.
  core::Tensor operator()(std::string_view op, core::Values args) {
    return ops::call(engine.context(), op, std::move(args)).to_tensor();
  }

  /// A float input of these sizes, filled with 0, 1, ...
  core::Tensor input(const std::string& name, core::Dims sizes) {
    return tracer.input(tensor(std::move(sizes)), name).to_tensor();
  }

  static core::Tensor tensor(core::Dims sizes) {
    core::Tensor made = core::Tensor::empty(sizes, core::DType::float32);
    for (int64_t i = 0; i < made.numel(); ++i) made.data<float>()[i] = static_cast<float>(i);
    return made;
  }

  /// A Python number beside a tensor.
  static core::Tensor number(int64_t value) {
    core::Tensor made = core::Tensor::empty({}, core::DType::int64);
    *made.data<int64_t>() = value;
    made.impl()->wrapped_number = true;
    return made;
  }

  /// Ends the trace; the graph's text.
  std::string text(const core::Value& result) {
    tracer.output(result);
    graph = tracer.finish();
    return graph->str();
  }

  api::Engine engine;
  ir::Unit unit;
  Tracer tracer;
  std::optional<ops::HandlerScope> scope;
  std::shared_ptr<ir::Graph> graph;
};

}  // namespace assay::trace::testing
