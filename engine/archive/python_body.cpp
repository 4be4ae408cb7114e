#include "engine/archive/detail/python_body.h"

#include <fmt/core.h>

#include "engine/archive/detail/python_text.h"
#include "engine/base/error.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"

namespace assay::archive::detail {
namespace {

using ir::Block;
using ir::Node;
using Values = std::vector<ir::Value*>;

/// Names that mean something else in the archive's language.
const std::unordered_set<std::string>& reserved_names() {
  static const std::unordered_set<std::string> names{"_",
                                                     "as",
                                                     "aten",
                                                     "attribute",
                                                     "CONSTANTS",
                                                     "fork",
                                                     "getattr",
                                                     "inf",
                                                     "nan",
                                                     "infj",
                                                     "nanj",
                                                     "ops",
                                                     "__torch__",
                                                     "torch",
                                                     "and",
                                                     "assert",
                                                     "async",
                                                     "await",
                                                     "break",
                                                     "class",
                                                     "continue",
                                                     "def",
                                                     "del",
                                                     "elif",
                                                     "else",
                                                     "except",
                                                     "False",
                                                     "finally",
                                                     "for",
                                                     "from",
                                                     "global",
                                                     "if",
                                                     "import",
                                                     "in",
                                                     "is",
                                                     "lambda",
                                                     "None",
                                                     "nonlocal",
                                                     "not",
                                                     "or",
                                                     "pass",
                                                     "raise",
                                                     "return",
                                                     "True",
                                                     "try",
                                                     "while",
                                                     "with",
                                                     "yield",
                                                     "uninitialized",
                                                     "unchecked_cast"};
  return names;
}

/// The name that a value was given, without the number that made it unique.
std::string base_name(const ir::Value* value) {
  if (!value->has_name()) return "_";
  std::string name = value->name();
  size_t dot = name.rfind('.');
  bool numbered = dot != std::string::npos && dot + 1 < name.size() &&
                  name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  return as_identifier(numbered ? name.substr(0, dot) : name);
}

bool can_inline(const ir::Value* value) {
  const Node* node = value->node();
  if (node->outputs().size() != 1 || value->uses().size() != 1) return false;
  const ir::Use& use = value->uses()[0];
  bool returned = use.user->is_sentinel() && use.user->owner() != nullptr;
  if (value->has_name() && !returned) return false;
  if (!node->blocks().empty()) return false;
  if (use.user->is(ir::kinds().loop) && use.index >= 2) return false;
  if (use.user->is(ir::kinds().fork)) return false;
  // In the condition of an if, isinstance would refine the type again when it is read back.
  return !node->is(ir::kinds().isinstance);
}

const Node* previous_variable(const Node* node) {
  do {
    node = node->prev();
  } while (node != nullptr && is_constant_like(node));
  return node;
}

}  // namespace

bool is_constant_like(const Node* node) { return node->is(ir::kinds().constant); }

std::string PythonBody::unique_name(const std::string& candidate) {
  std::string name = candidate;
  while (used_names_.count(name) || reserved_names().count(name)) {
    name = fmt::format("{}{}", candidate, next_suffix_[name]++);
  }
  used_names_.insert(name);
  return name;
}

const Node* PythonBody::scan_value(const Node* point, const ir::Value* value) {
  const Node* node = value->node();
  if (node == point && can_inline(value)) {
    point = scan_node(point);
    inline_.insert(node);
  } else if (is_constant_like(node)) {
    inline_.insert(node);
  }
  return point;
}

const Node* PythonBody::scan_node(const Node* node) {
  if (inline_.count(node)) return node;
  for (const Block* block : node->blocks()) scan_block(*block);
  const Node* point = previous_variable(node);
  for (size_t i = node->inputs().size(); i-- > 0;) point = scan_value(point, node->input(i));
  return point;
}

void PythonBody::scan_block(const Block& block) {
  scan_node(block.return_node());
  std::vector<Node*> nodes = block.nodes();
  for (size_t i = nodes.size(); i-- > 0;) scan_node(nodes[i]);
}

void PythonBody::collect_constants(const Node& node, std::vector<const Node*>& constants) {
  for (const ir::Value* input : node.inputs()) {
    if (is_constant_like(input->node()) && seen_constants_.insert(input->node()).second) {
      constants.push_back(input->node());
    }
  }
  for (const Block* block : node.blocks()) collect_constants(*block, constants);
}

void PythonBody::collect_constants(const Block& block, std::vector<const Node*>& constants) {
  for (const Node* node : block) collect_constants(*node, constants);
  collect_constants(*block.return_node(), constants);
}

void PythonBody::print_body(const Block& block) {
  std::vector<const Node*> constants;
  collect_constants(block, constants);
  scan_block(block);
  ++level_;
  for (const Node* node : constants) print_node(*node, true);
  bool returns = !block.results().empty();
  print_block(block, returns);
  if (returns) {
    split_long(block.results());
    TaggedText text("return ");
    text += list_of(block.results(), "", "");
    line(text, block.return_node());
  }
  --level_;
}

void PythonBody::print_block(const Block& block, bool more_follows) {
  if (!more_follows && block.empty()) line("pass");
  for (const Node* node : block) print_node(*node, false);
}

void PythonBody::line(const TaggedText& text, const Node* node) {
  if (node) out_.tag(node->range().original());
  indent();
  out_ += text;
  out_ += "\n";
}

void PythonBody::name_values(const Values& values) {
  for (const ir::Value* value : values) assign(value, unique_name(base_name(value)));
}

// An expression that has become long gets a name, and with it all that is computed before it and
// waits for its place in the same statement: none of that may move behind it.
void PythonBody::split_long(const Values& inputs) {
  for (const ir::Value* input : inputs) {
    if (!waits_for_place(input) || !is_long(use_of(input).text)) continue;
    const ir::Use& place = input->uses()[0];
    Values earlier;
    collect_waiting(*place.user, place.index + 1, earlier);
    for (auto value = earlier.rbegin(); value != earlier.rend(); ++value) {
      const Node* node = (*value)->node();
      TaggedText text = use_of(*value);
      inline_.erase(node);
      define_outputs(*node, text);
    }
  }
}

bool PythonBody::waits_for_place(const ir::Value* value) const {
  return inline_.count(value->node()) && !is_constant_like(value->node());
}

// The first `count` inputs of the node, last one first, then what comes before the node where it
// will stand itself.
void PythonBody::collect_waiting(const Node& node, size_t count, Values& found) const {
  for (size_t i = count; i-- > 0;) {
    if (waits_for_place(node.input(i))) found.push_back(node.input(i));
  }
  if (!inline_.count(&node)) return;
  const ir::Use& place = node.output()->uses()[0];
  collect_waiting(*place.user, place.index, found);
}

void PythonBody::define_outputs(const Node& node, const TaggedText& text) {
  name_values(node.outputs());
  TaggedText whole;
  if (!node.outputs().empty()) {
    whole += list_of(node.outputs(), "", "");
    whole += " = ";
  }
  whole += text;
  line(whole, &node);
}

void PythonBody::print_node(const Node& node, bool constants) {
  if (!constants && is_constant_like(&node)) return;
  split_long(node.inputs());
  if (print_statement(node)) return;
  TaggedText text;
  text.tag(node.range().original());
  text += expression(node);
  bool long_constant = is_constant_like(&node) && is_long(text.text);
  if (inline_.count(&node) && !long_constant) {
    assign(node.output(), std::move(text));
  } else {
    inline_.erase(&node);
    define_outputs(node, text);
  }
}

bool PythonBody::print_statement(const Node& node) {
  using Printer = void (PythonBody::*)(const Node&);
  static const std::unordered_map<base::Symbol, Printer> printers{
      {ir::kinds().if_, &PythonBody::print_if},
      {ir::kinds().loop, &PythonBody::print_loop},
      {ir::kinds().tuple_unpack, &PythonBody::print_unpack},
      {ir::kinds().list_unpack, &PythonBody::print_unpack},
      {ir::kinds().set_attribute, &PythonBody::print_set_attribute},
      {ir::kinds().fork, &PythonBody::print_fork},
      {ir::kinds().enter, &PythonBody::print_enter},
      {ir::kinds().container_index, &PythonBody::print_container_index},
  };
  if (node.is(ir::kinds().exit)) {
    if (node.prev()->is(ir::kinds().enter)) line("pass");
    --level_;
    return true;
  }
  auto found = printers.find(node.kind());
  if (found == printers.end()) return false;
  (this->*found->second)(node);
  return true;
}

void PythonBody::print_assignment(const Values& to, const Values& from) {
  if (to.empty()) return;
  split_long(from);
  TaggedText text = list_of(to, "", "");
  // A variable of several types says so where it is first assigned; Python allows that only for one
  // variable at a time.
  core::TypeKind kind = to[0]->type()->kind();
  bool several = kind == core::TypeKind::optional || kind == core::TypeKind::union_;
  if (to.size() == 1 && several && annotated_.insert(to[0]).second) {
    text += fmt::format(" : {}", annotation(to[0]->type()));
  }
  text += " = ";
  text += list_of(from, "", "");
  line(text);
}

void PythonBody::print_if(const Node& node) {
  name_values(node.outputs());
  TaggedText head("if ");
  head += use_of(node.input());
  head += ":";
  line(head, &node);
  for (size_t i = 0; i < 2; ++i) {
    if (i == 1) line("else:");
    ++level_;
    print_block(*node.block(i), !node.outputs().empty());
    print_assignment(node.outputs(), node.block(i)->results());
    --level_;
  }
}

// A variable that a loop changes says its type where the value that it starts with does not.
void PythonBody::print_carried(ir::Value* variable, ir::Value* start) {
  split_long({start});
  TaggedText text = use_of(variable);
  core::TypeKind kind = variable->type()->kind();
  bool several = kind == core::TypeKind::optional || kind == core::TypeKind::union_;
  bool told = several ? !annotated_.insert(variable).second
                      : core::same_type(variable->type(), start->type());
  if (!told) text += fmt::format(": {}", annotation(variable->type()));
  text += " = ";
  text += use_of(start);
  line(text);
}

void PythonBody::print_loop(const Node& node) {
  const Block& body = *node.block();
  // Inputs: trip count, first condition, carried values. Body: counter, carried values; it gives
  // the next condition and the carried values.
  Values carried_in(node.inputs().begin() + 2, node.inputs().end());
  Values body_in(body.params().begin() + 1, body.params().end());
  Values body_out(body.results().begin() + 1, body.results().end());
  ir::Value* counter = body.params()[0];
  bool counts = ir::always_true(node.input(1)) && ir::always_true(body.results()[0]);
  name_values(node.outputs());
  for (size_t i = 0; i < body_in.size(); ++i) {
    // The same variable as outside of the loop, where its type is said.
    assign(body_in[i], use_of(node.output(i)));
    annotated_.insert(body_in[i]);
  }
  for (size_t i = 0; i < carried_in.size(); ++i) print_carried(node.output(i), carried_in[i]);
  name_values({counter});
  TaggedText head;
  if (counts) {
    head += "for ";
    head += use_of(counter);
    head += " in range(";
    head += use_of(node.input(0));
    head += "):";
  } else {
    // The counter of a while loop is not read: its name stands for the condition.
    print_assignment({counter}, {node.input(1)});
    head += "while ";
    head += use_of(counter);
    head += ":";
  }
  line(head, &node);
  ++level_;
  if (!counts) {
    body_in.insert(body_in.begin(), counter);
    body_out.insert(body_out.begin(), body.results()[0]);
  }
  print_block(body, !body_in.empty());
  print_assignment(body_in, body_out);
  --level_;
}

void PythonBody::print_unpack(const Node& node) {
  name_values(node.outputs());
  TaggedText text;
  if (!node.outputs().empty()) {
    text += list_of(node.outputs(), "", "");
    text += ", = ";
  }
  text += use_of(node.input());
  line(text, &node);
}

void PythonBody::print_set_attribute(const Node& node) {
  TaggedText text = use_of(node.input(0));
  text += fmt::format(".{} = ", node.get<std::string>("name"));
  text += use_of(node.input(1));
  line(text, &node);
}

void PythonBody::print_fork(const Node& node) {
  std::string name = unique_name("__forked_function");
  const auto& graph = node.get<std::shared_ptr<ir::Graph>>("Subgraph");
  line(fmt::format("def {}():", name), &node);
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    assign(graph->inputs()[i], use_of(node.input(i)));
  }
  print_body(*graph->block());
  define_outputs(node, fmt::format("fork({})", name));
}

void PythonBody::print_enter(const Node& node) {
  TaggedText text("with ");
  text += use_of(node.input());
  if (node.output()->has_uses()) {
    name_values(node.outputs());
    text += " as ";
    text += use_of(node.output());
  }
  text += ":";
  line(text, &node);
  ++level_;
}

void PythonBody::print_container_index(const Node& node) {
  name_values(node.outputs());
  TaggedText text = use_of(node.output());
  text += fmt::format(" : {} = ", annotation(node.output()->type()));
  text += use_of(node.input(0));
  text += "[";
  text += use_of(node.input(1));
  text += "]";
  line(text, &node);
}

const TaggedText& PythonBody::use_of(const ir::Value* value) const {
  auto found = texts_.find(value);
  base::invariant(found != texts_.end(), "source is printed for %", value->name(),
                  " before it is defined");
  return found->second;
}

}  // namespace assay::archive::detail
