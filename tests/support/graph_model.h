#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/interp/interpreter.h"
#include "engine/ir/parser.h"
#include "verify/run/export.h"

namespace assay::verify::testing {

/// Runs a graph whose first input is `self` (None here) at cases.
class GraphRunner final : public Runner {
 public:
  explicit GraphRunner(std::shared_ptr<ir::Graph> graph)
      : interpreter_(unit_, engine_.context()), function_("__torch__.Net.forward", graph) {}

  Observation run(const Case& c) override {
    Observation o;
    Call call = materialize(c);
    core::Values args{core::Value()};
    args.insert(args.end(), call.args.begin(), call.args.end());
    try {
      o.outputs = interpreter_.run(function_, args);
      o.ending = Ending::returned;
    } catch (const base::Error& e) {
      o.ending = Ending::raised;
      o.failure = Failure{"RuntimeError", e.message(), "run", {}, {}};
    }
    o.args_after = call.args;
    return o;
  }
  std::string name() const override { return "graph"; }
  std::string cannot_run(const Case&) const override { return refusal; }
  const std::vector<Case>* only_cases() const override { return only.empty() ? nullptr : &only; }

  std::string refusal;
  std::vector<Case> only;

 private:
  api::Engine engine_;
  ir::Unit unit_;
  interp::Interpreter interpreter_;
  ir::Function function_;
};

/// An export given as graph text, in which `<Tensor>` is a table of two zeros.
class GraphExport final : public Export {
 public:
  explicit GraphExport(const std::string& text)
      : program_(flatten(ir::parse(text, {.tensors = {table()}}))) {}

  const Program& program() const override { return program_; }
  const Origins* origins() const override { return traced ? &*traced : nullptr; }
  std::shared_ptr<Runner> run_with(std::shared_ptr<ir::Graph> graph) const override {
    return std::make_shared<GraphRunner>(std::move(graph));
  }
  std::shared_ptr<Runner> runner() const { return run_with(program_.graph->copy()); }

  std::optional<Origins> traced;  // What its trace tells of itself.

 private:
  static core::Tensor table() {
    core::Tensor zeros = core::Tensor::empty(core::Dims{2}, core::DType::float32);
    zeros.data<float>()[0] = zeros.data<float>()[1] = 0;
    return zeros;
  }

  Program program_;
};

inline std::shared_ptr<GraphExport> graph_export(const std::string& text) {
  return std::make_shared<GraphExport>(text);
}

/// Exports a model whose graph text is a function of the inputs.
class GraphExporter final : public Exporter {
 public:
  using Text = std::function<std::string(const Case&)>;
  explicit GraphExporter(Text text) : text_(std::move(text)) {}

  ExportResult export_at(const Case& c, bool) override {
    ++exports;
    auto made = graph_export(text_(c));
    made->exported_at = c;
    made->escapes = escapes;
    return {made, ""};
  }
  ExportResult export_again(const Case& c) override { return export_at(c, false); }

  int exports = 0;
  std::vector<Escape> escapes;  // Of every export.

 private:
  Text text_;
};

/// A graph from its lines: `%x` (and `%self`) are inputs.
inline std::string graph_text(const std::vector<std::string>& lines, const std::string& result) {
  std::string text = "graph(%self : NoneType,\n      %x : Tensor):\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text + "  return (" + result + ")\n";
}

/// x + arange(length), the length a literal: what tracing makes of arange(len(x)).
inline std::string arange_graph(int64_t length) {
  return graph_text(
      {"%n : int = prim::Constant[value=" + std::to_string(length) + "]()",
       "%none : NoneType = prim::Constant()", "%one : int = prim::Constant[value=1]()",
       "%a : Tensor = aten::arange(%n, %none, %none, %none, %none) # model.py:8:4",
       "%out : Tensor = aten::add(%x, %a, %one) # model.py:9:4"},
      "%out");
}

/// x + arange(x.size(0)): what it should be.
inline std::string arange_size_graph() {
  return graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%none : NoneType = prim::Constant()",
       "%one : int = prim::Constant[value=1]()", "%n : int = aten::size(%x, %zero) # model.py:8:4",
       "%a : Tensor = aten::arange(%n, %none, %none, %none, %none) # model.py:8:4",
       "%out : Tensor = aten::add(%x, %a, %one) # model.py:9:4"},
      "%out");
}

/// x[start:] plus a number: two literals of a trace at two lines.
inline std::string cropped_graph(int64_t start, int64_t more) {
  return graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%none : NoneType = prim::Constant()",
       "%a : int = prim::Constant[value=" + std::to_string(start) + "]()",
       "%b : int = prim::Constant[value=" + std::to_string(more) + "]()",
       "%s : Tensor = aten::slice(%x, %zero, %a, %none, %one) # m.py:4:4",
       "%y : Tensor = aten::add(%s, %b, %one) # m.py:5:4"},
      "%y");
}

}  // namespace assay::verify::testing
