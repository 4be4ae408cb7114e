#include "verify/graph/program.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ir/passes/fold_constants.h"
#include "engine/ops/catalog.h"
#include "verify/observation/places.h"

namespace assay::verify {
namespace {

/// A line of a traced node's source text: "model.py(8): forward".
struct Frame {
  std::string file;
  int64_t line = 0;
  std::string function;
};

std::optional<Frame> read_frame(const std::string& text) {
  size_t close = text.rfind("): ");
  size_t open = close == std::string::npos ? close : text.rfind('(', close);
  if (open == std::string::npos) return std::nullopt;
  Frame frame{text.substr(0, open), 0, text.substr(close + 3)};
  std::string_view digits = std::string_view(text).substr(open + 1, close - open - 1);
  if (!base::parse_int(digits, frame.line)) return std::nullopt;
  return frame;
}

/// The call that makes a trace (not the wrapper of @script_if_tracing, which stands in the same
/// file): behind it come whoever asked for the trace, and none of the model's lines.
bool starts_the_trace(const Frame& frame) {
  return is_of_library(frame.file) && frame.file.ends_with("torch/jit/_trace.py") &&
         frame.function != "wrapper";
}

/// Layers of torch.nn, but not what calls them.
bool is_layer(const std::string& file) {
  return is_of_library(file) && file.find("/torch/nn/modules/") != std::string::npos &&
         !file.ends_with("/module.py");
}

/// The user's line behind a node. Tracing keeps the Python stack, innermost first: what happened
/// inside PyTorch belongs to the user's line that called it. What the tracer did before the model
/// was called, such as taking a dict apart, has no line.
void set_place(const base::SourceRange& place, Step& step) {
  // The archive's own text is no place of the user's, and its lines move between exports.
  if (!place || place.source->name.starts_with("code/")) return;
  std::vector<std::string> stack = base::split(place.source->text, '\n');
  if (stack.empty() || !read_frame(stack[0])) {  // A text that was scripted.
    step.file = place.source->name;
    step.line = place.line();
    return;
  }
  for (const std::string& line : stack) {
    auto frame = read_frame(line);
    if (!frame) return;
    step.traced = true;
    if (starts_the_trace(*frame)) return;
    if (is_of_library(frame->file)) {
      step.in_layer = step.in_layer || is_layer(frame->file);
      continue;
    }
    step.file = frame->file;
    step.line = static_cast<int>(frame->line);
    step.function = frame->function;
    return;
  }
}

class Flattener {
 public:
  explicit Flattener(std::shared_ptr<ir::Graph> graph) { program_.graph = std::move(graph); }

  Program run() {
    open_tuples();
    const auto& inputs = program_.graph->inputs();
    for (size_t i = 0; i < inputs.size(); ++i) inputs_.emplace(inputs[i], i);
    walk(*program_.graph->block());
    return std::move(program_);
  }

 private:
  /// What an inlined call gave as a tuple is read part by part, as where the call was none.
  void open_tuples() {
    std::vector<ir::Node*> opened;
    program_.graph->for_each([&](ir::Node* node) {
      if (ir::read_through_tuple(node)) opened.push_back(node);
    });
    for (ir::Node* node : opened) {
      ir::Node* tuple = node->input(0)->node();
      node->erase();
      if (!tuple->output()->has_uses()) tuple->erase();
    }
  }

  void walk(const ir::Block& block) {
    for (ir::Node* node : block) {
      if (node->is(ir::kinds().constant) || node->is(ir::kinds().get_attribute)) continue;
      add(node);
      for (const ir::Block* inner : node->blocks()) {
        walk(*inner);
        close(inner->return_node());
      }
    }
    if (&block == program_.graph->block()) close(block.return_node());
  }

  void add(ir::Node* node) {
    Step step;
    step.node = node;
    step.op = node->kind().text();
    set_place(node->range().original(), step);
    step.scope = node->scope().str();
    for (ir::Value* input : node->inputs()) step.operands.push_back(operand(input));
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      results_[node->output(i)] = {program_.steps.size(), i};
    }
    for (const ir::Block* inner : node->blocks()) {
      for (size_t i = 0; i < inner->params().size(); ++i) {
        results_[inner->params()[i]] = {program_.steps.size(), i};
      }
    }
    program_.steps.push_back(std::move(step));
  }

  /// The end of a block reads what the block gives.
  void close(ir::Node* returns) {
    Step step;
    step.op = "}";
    step.node = returns;
    for (ir::Value* input : returns->inputs()) step.operands.push_back(operand(input));
    program_.steps.push_back(std::move(step));
  }

  Operand operand(const ir::Value* value) const {
    Operand out;
    if (auto literal = ir::constant_value(value)) {
      out.literal = *literal;
      return out;
    }
    auto input = inputs_.find(value);
    auto result = results_.find(value);
    if (input != inputs_.end()) {
      out.kind = Operand::Kind::input;
      out.step = input->second;
    } else if (result != results_.end()) {
      out.kind = Operand::Kind::result;
      out.step = result->second.first;
      out.output = result->second.second;
    } else {
      out.kind = Operand::Kind::parameter;
      out.path = attribute_path(value);
    }
    return out;
  }

  static std::string attribute_path(const ir::Value* value) {
    std::string path;
    while (value->node()->is(ir::kinds().get_attribute)) {
      const auto& name = value->node()->get<std::string>("name");
      path = path.empty() ? name : name + "." + path;
      value = value->node()->input(0);
    }
    return path;
  }

  Program program_;
  std::unordered_map<const ir::Value*, size_t> inputs_;
  std::unordered_map<const ir::Value*, std::pair<size_t, size_t>> results_;
};

std::string argument_name(const ir::Node* node, size_t index) {
  const ops::Operator* op = node->op();
  if (!op || index >= op->schema.arguments.size()) return std::to_string(index);
  return op->schema.arguments[index].name;
}

struct Reader {
  size_t step;
  size_t operand;
};

/// The first step that reads the result of `step`.
std::optional<Reader> reader_of(const Program& program, size_t step) {
  for (size_t s = step + 1; s < program.steps.size(); ++s) {
    const auto& operands = program.steps[s].operands;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].kind == Operand::Kind::result && operands[i].step == step)
        return Reader{s, i};
    }
  }
  return std::nullopt;
}

bool same_tensor(const core::Tensor& a, const core::Tensor& b) {
  if (!a || !b) return a.defined() == b.defined();
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() || a.device() != b.device()) return false;
  // Constants of archives are stored dense; others are compared by strides too.
  if (a.strides() != b.strides()) return false;
  return !core::has_bytes(a) || core::same_bytes(a, b);
}

}  // namespace

std::string Step::key() const {
  return fmt::format("{}|{}|{}:{}|{}", op, node && node->op() ? node->op()->schema.overload : "",
                     file_name(), line, scope);
}

std::string_view Step::file_name() const { return base_name(file); }

Program flatten(std::shared_ptr<ir::Graph> graph) { return Flattener(std::move(graph)).run(); }

Program copy_program(const Program& program) { return flatten(program.graph->copy()); }

std::string role_of(const Program& program, size_t step, size_t index) {
  const Step& s = program.steps[step];
  if (!gathers(s)) {
    return argument_name(s.node, index);
  }
  auto reader = reader_of(program, step);
  std::string of = reader ? role_of(program, reader->step, reader->operand) : "list";
  return fmt::format("{}[{}]", of, index);
}

std::string served_op(const Program& program, size_t step) {
  const Step& s = program.steps[step];
  if (!gathers(s)) return s.op;
  auto reader = reader_of(program, step);
  bool serves = reader && program.steps[reader->step].op != "}";
  return serves ? served_op(program, reader->step) : s.op;
}

bool is_scripted(const Program& program) {
  auto traced = [](const Step& step) { return step.traced; };
  auto placed = [](const Step& step) { return step.line != 0; };
  return std::ranges::any_of(program.steps, placed) && std::ranges::none_of(program.steps, traced);
}

size_t most_alike(const Step& list) {
  std::map<std::tuple<Operand::Kind, size_t, size_t, std::string>, size_t> counts;
  size_t most = 0;
  for (const Operand& o : list.operands) {
    if (o.kind == Operand::Kind::literal) continue;
    most = std::max(most, ++counts[{o.kind, o.step, o.output, o.path}]);
  }
  return most;
}

bool gathers(const Step& step) { return step.is(ir::kinds().list) || step.is(ir::kinds().tuple); }

const Step& located(const Program& program, size_t step) {
  const std::vector<Step>& steps = program.steps;
  if (!steps[step].file.empty()) return steps[step];
  for (const Operand& o : steps[step].operands) {
    bool known = o.kind == Operand::Kind::result && !steps[o.step].file.empty();
    if (known) return steps[o.step];
  }
  // Its first reader of the user's, also by way of others that have no line.
  std::set<size_t> followed{step};
  for (size_t s = step + 1; s < steps.size(); ++s) {
    bool reads =
        std::any_of(steps[s].operands.begin(), steps[s].operands.end(), [&](const Operand& o) {
          return o.kind == Operand::Kind::result && followed.count(o.step);
        });
    if (reads && !steps[s].file.empty()) return steps[s];
    if (reads) followed.insert(s);
  }
  auto next = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(step), steps.end(),
                           [](const Step& s) { return !s.file.empty(); });
  return next == steps.end() ? steps[step] : *next;
}

bool same_literal(const core::Value& a, const core::Value& b) {
  if (a.is_tensor() && b.is_tensor()) return same_tensor(a.to_tensor(), b.to_tensor());
  if (a.tag() != b.tag()) return false;
  if (a.is_float() && a.to_float() != a.to_float()) return b.to_float() != b.to_float();
  if (a.is_list()) {
    const auto& x = a.list().items;
    const auto& y = b.list().items;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_literal);
  }
  return a.equals(b);
}

std::optional<core::Scalar> number_of(const core::Value& literal) {
  if (literal.is_number()) return literal.to_scalar();
  core::Tensor t = literal.is_tensor() ? literal.to_tensor() : core::Tensor();
  if (!t || t.dim() != 0 || !core::has_bytes(t)) return std::nullopt;
  bool plain = t.dtype() == core::DType::int64 || t.dtype() == core::DType::float64 ||
               t.dtype() == core::DType::float32;
  return plain ? std::optional(core::first_element(t)) : std::nullopt;
}

std::string literal_text(const core::Value& value) {
  if (auto number = value.is_tensor() ? number_of(value) : std::nullopt) {
    return literal_text(core::Value(*number));
  }
  if (value.is_none()) return "None";
  if (value.is_bool()) return value.to_bool() ? "True" : "False";
  if (value.is_int()) return std::to_string(value.to_int());
  if (value.is_float()) return base::python_float(value.to_float());
  if (value.is_string()) return base::python_repr(value.to_string());
  if (value.is_device()) return base::python_repr(value.to_device().text());
  if (value.is_list()) {
    std::vector<std::string> parts;
    for (const auto& item : value.list().items) parts.push_back(literal_text(item));
    return "[" + base::join(parts, ", ") + "]";
  }
  if (value.is_tensor()) {
    core::Tensor t = value.to_tensor();
    return fmt::format("tensor {}{}", core::python_name(t.dtype()), t.sizes());
  }
  return value.kind_name();
}

std::string step_text(const Step& step) {
  std::vector<std::string> operands;
  for (const Operand& o : step.operands) {
    switch (o.kind) {
      case Operand::Kind::literal:
        operands.push_back(literal_text(o.literal));
        break;
      case Operand::Kind::parameter:
        operands.push_back("self." + o.path);
        break;
      default:
        operands.push_back("_");
        break;
    }
  }
  std::string text = step.op == "}" ? "}" : step.op + "(" + base::join(operands, ", ") + ")";
  if (!step.file.empty()) text += fmt::format("  # {}:{}", step.file_name(), step.line);
  return text;
}

}  // namespace assay::verify
