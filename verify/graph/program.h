#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/value.h"
#include "engine/ir/graph.h"

namespace assay::verify {

/// One thing that a step reads: a literal, a parameter of the module, or the result of a step.
struct Operand {
  enum class Kind { literal, parameter, result, input };
  Kind kind = Kind::literal;
  core::Value literal;  ///< of `literal`
  std::string path;     ///< of `parameter`: "encoder.weight"
  size_t step = 0;      ///< of `result`: position in Program::steps; of `input`: which graph input
  size_t output = 0;    ///< of `result`: which output of that step
};

/// One operation of a flattened program. Constants and attribute reads are operands, not steps; a
/// node with blocks is followed by the steps of its blocks, each block closed by a step "}".
struct Step {
  ir::Node* node = nullptr;  ///< In Program::graph; null for "}".
  std::string op;            ///< "aten::view", "}"
  std::string file;          ///< Of the Python source line that led to it; empty where unknown.
  int line = 0;
  std::string function;  ///< That the line is in, where the archive tells.
  std::string scope;
  bool traced = false;    ///< Recorded by tracing: its place is a stack of Python calls.
  bool in_layer = false;  ///< A layer of torch.nn made the call: its numbers are the layer's.
  std::vector<Operand> operands;

  bool is(base::Symbol kind) const { return node && node->is(kind); }
  /// Without its folder: exports of one model are made in several.
  std::string_view file_name() const;
  /// What has to be equal for two steps to be counterparts.
  std::string key() const;
};

/// An exported graph in the form in which exports are compared: inlined, in order.
struct Program {
  std::shared_ptr<ir::Graph> graph;
  std::vector<Step> steps;
};

/// Flattens a graph whose calls are inlined. The graph is kept and may be edited through the steps'
/// nodes on a copy (`copy_program`).
Program flatten(std::shared_ptr<ir::Graph> graph);
/// The same program over a copy of its graph.
Program copy_program(const Program& program);

/// Whether it was compiled from source throughout: it has steps at lines, and tracing recorded
/// none of them.
bool is_scripted(const Program& program);

/// Whether the step puts its operands into a list or tuple for another one.
bool gathers(const Step& step);
/// How often a list holds the value that it holds most often; literals do not count.
size_t most_alike(const Step& list);
/// What the `index`-th operand means to its step: the operator's argument name ("end"), for an
/// element of a list the reader's argument name and the position ("size[1]").
std::string role_of(const Program& program, size_t step, size_t index);
/// The operator that a literal finally serves: of the step itself, or of the step that reads the
/// list that the step builds; of a list or tuple that is given back the one that builds it.
std::string served_op(const Program& program, size_t step);

/// The step itself if its source line is known, else what it reads, else what follows it.
const Step& located(const Program& program, size_t step);

/// Equal kind and value; tensors by dtype, shape and elements.
bool same_literal(const core::Value& a, const core::Value& b);
/// The number that a literal stands for: a number, or a 0-dimensional tensor, which is how tracing
/// stores a Python number that met a tensor.
std::optional<core::Scalar> number_of(const core::Value& literal);
/// "7", "'cpu'", "f32[3, 4] constant": a literal for people, short.
std::string literal_text(const core::Value& value);

/// "aten::arange(7, None, _, 'cpu')  # encoder.py:41": a step for people.
std::string step_text(const Step& step);

}  // namespace assay::verify
