#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/ir/parser.h"
#include "verify/graph/program.h"
#include "verify/lint/lint.h"

namespace assay::verify::lint::testing {

/// A Python stack as tracing keeps it: the line of a model, or a layer that was called there.
inline base::SourceRange stack_at(const std::string& file, int line) {
  auto source = std::make_shared<base::Source>();
  std::string call = "(" + std::to_string(line) + "): forward\n";
  if (file == "layer") {
    source->text =
        "/lib/dist-packages/torch/nn/modules/dropout.py(59): forward\n"
        "/lib/dist-packages/torch/nn/modules/module.py(1194): _call_impl\n";
  }
  source->text += "model.py" + call + "/lib/dist-packages/torch/jit/_trace.py(976): trace_module\n";
  return {source, 0, 0};
}

/// A program of this graph, as if it had been traced: a place "# model.py:3:0" is the line of the
/// model, "# layer:3:0" that of a layer of torch.nn that was called in line 3 of the model.
/// "<Tensor>" stands for the tensors in turn.
inline Program traced(const std::string& text, std::vector<core::Tensor> tensors = {}) {
  ir::ParseOptions options;
  options.tensors = std::move(tensors);
  auto graph = ir::parse(text, options);
  graph->for_each([](ir::Node* node) {
    if (!node->range()) return;
    node->set_range(stack_at(node->range().source->name, node->range().line()));
  });
  return flatten(std::move(graph));
}

/// A program of this graph, as if it had been scripted.
inline Program scripted(const std::string& text) { return flatten(ir::parse(text)); }

/// Zeros of these sizes.
inline core::Tensor zeros(core::Dims sizes, core::DType dtype = core::DType::float32) {
  core::Tensor t = core::Tensor::empty(sizes, dtype);
  std::fill_n(t.device_address(), static_cast<size_t>(t.numel()) * t.item_size(), std::byte{0});
  return t;
}

/// What every module that was not frozen holds.
inline Weights plain_weights() {
  Weights weights;
  weights.attributes.emplace("training", core::Value(false));
  return weights;
}

/// The signs of a rule in a program.
inline std::vector<Sign> signs_by(RuleId rule, const Program& program,
                                  const Weights& weights = plain_weights()) {
  std::vector<Sign> signs = signs_of("forward", program, weights);
  std::erase_if(signs, [rule](const Sign& s) { return s.rule != rule; });
  return signs;
}

}  // namespace assay::verify::lint::testing
