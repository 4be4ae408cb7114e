#include "engine/ir/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/base/error.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ir/printer.h"
#include "engine/ir/type_text.h"
#include "engine/ops/catalog.h"
#include "engine/ops/match.h"

namespace assay::ir {

namespace {

using core::TypeKind;
using core::TypePtr;

bool fits(const TypePtr& actual, const TypePtr& wanted) { return core::is_subtype(actual, wanted); }

class Verifier {
 public:
  explicit Verifier(std::vector<Violation>& found) : found_(found) {}

  void block(const Block& block) {
    size_t depth = defined_order_.size();
    for (const Value* param : block.params()) define(param, block.param_node());
    for (const Node* node : block) this->node(*node);
    for (const Value* result : block.results()) read(result, block.return_node());
    links(*block.return_node());
    while (defined_order_.size() > depth) {
      defined_.erase(defined_order_.back());
      defined_order_.pop_back();
    }
  }

 private:
  template <typename... Args>
  void report(std::string_view rule, const Node& node, const Args&... args) {
    const Node* at = node.is_sentinel() ? node.owner()->owner() : &node;
    found_.push_back({rule, base::message(args...), at});
  }

  void define(const Value* value, const Node* node) {
    if (value->node() != node) report("ir.v2", *node, "%", value->name(), " has another node");
    defined_.insert(value);
    defined_order_.push_back(value);
  }

  void read(const Value* value, const Node* node) {
    if (!defined_.count(value))
      report("ir.v1", *node, "%", value->name(), " is read before it is defined");
  }

  /// How often the value's uses hold this one. A constant may be read all over a graph: such uses
  /// are sorted once.
  int64_t times_used(const Value& value, const Use& wanted) {
    const std::vector<Use>& uses = value.uses();
    constexpr size_t few = 16;
    if (uses.size() <= few) return std::count(uses.begin(), uses.end(), wanted);
    auto before = [](const Use& a, const Use& b) {
      return std::pair(a.user, a.index) < std::pair(b.user, b.index);
    };
    auto [sorted, is_new] = sorted_uses_.try_emplace(&value, uses);
    if (is_new) std::sort(sorted->second.begin(), sorted->second.end(), before);
    auto found = std::equal_range(sorted->second.begin(), sorted->second.end(), wanted, before);
    return found.second - found.first;
  }

  void links(const Node& node) {
    for (size_t i = 0; i < node.inputs().size(); ++i) {
      if (times_used(*node.inputs()[i], {const_cast<Node*>(&node), i}) != 1)
        report("ir.v2", node, "input ", i, " is not in the uses of %", node.inputs()[i]->name());
    }
    for (const Value* output : node.outputs())
      for (const Use& use : output->uses())
        if (use.index >= use.user->inputs().size() || use.user->inputs()[use.index] != output)
          report("ir.v2", node, "a use of %", output->name(), " does not read it");
  }

  void node(const Node& node) {
    for (const Value* input : node.inputs()) read(input, &node);
    links(node);
    structure(node);
    for (const Block* inner : node.blocks()) {
      if (inner->owner() != &node) report("ir.v2", node, "a block has another owner");
      block(*inner);
    }
    for (const Value* output : node.outputs()) define(output, &node);
  }

  void structure(const Node& node) {
    if (node.is(kinds().if_)) return branch(node);
    if (node.is(kinds().loop)) return loop(node);
    if (!node.blocks().empty()) blocks(node);
    if (node.is(kinds().constant)) return constant(node);
    if (node.is(kinds().tuple) || node.is(kinds().tuple_unpack)) return tuple(node);
    if (node.is(kinds().list) || node.is(kinds().list_unpack)) return list(node);
    if (node.is(kinds().dict)) return dict(node);
    if (node.is(kinds().get_attribute) || node.is(kinds().set_attribute) ||
        node.is(kinds().call_method))
      return attribute(node);
    if (node.op()) call(node);
  }

  void blocks(const Node& node) {
    if (!node.is(kinds().with) && !node.is(kinds().closure) && !node.is(kinds().try_catch))
      report("ir.v7", node, node.kind().text(), " has blocks");
  }

  void branch(const Node& node) {
    bool shape = node.inputs().size() == 1 && node.blocks().size() == 2;
    if (!shape) return report("ir.v3", node, "a branch wants one condition and two blocks");
    if (!node.input()->type()->is(TypeKind::boolean))
      report("ir.v3", node, "the condition is a ", type_text(node.input()->type()));
    for (const Block* b : node.blocks()) {
      if (!b->params().empty()) report("ir.v3", node, "a branch has parameters");
      if (b->results().size() != node.outputs().size()) {
        report("ir.v3", node, "a branch gives ", b->results().size(), " results for ",
               node.outputs().size(), " outputs");
        continue;
      }
      for (size_t i = 0; i < b->results().size(); ++i)
        result_type(node, b->results()[i], node.outputs()[i]);
    }
  }

  void result_type(const Node& node, const Value* from, const Value* to) {
    if (!fits(from->type(), to->type()))
      report("ir.v10", node, "%", from->name(), " of type ", type_text(from->type()),
             " stands for %", to->name(), " of type ", type_text(to->type()));
  }

  void loop(const Node& node) {
    size_t carried = node.outputs().size();
    bool shape = node.inputs().size() == carried + 2 && node.blocks().size() == 1 &&
                 node.block()->params().size() == carried + 1 &&
                 node.block()->results().size() == carried + 1;
    if (!shape) return report("ir.v4", node, "the numbers of carried values disagree");
    const Block& body = *node.block();
    if (!node.input(0)->type()->is(TypeKind::integer) ||
        !body.params()[0]->type()->is(TypeKind::integer))
      report("ir.v4", node, "the trip count and the counter are ints");
    if (!node.input(1)->type()->is(TypeKind::boolean) ||
        !body.results()[0]->type()->is(TypeKind::boolean))
      report("ir.v4", node, "the condition is a bool");
    for (size_t i = 0; i < carried; ++i) {
      result_type(node, node.input(i + 2), body.params()[i + 1]);
      result_type(node, body.results()[i + 1], body.params()[i + 1]);
      result_type(node, body.results()[i + 1], node.output(i));
    }
  }

  void constant(const Node& node) {
    if (!node.inputs().empty() || node.outputs().size() != 1)
      return report("ir.v5", node, "a constant has no inputs and one output");
    auto value = constant_value(&node);
    if (!value) return report("ir.v5", node, "a constant holds no value");
    const TypePtr& type = node.output()->type();
    // A None constant may be typed as any Optional.
    if (!core::is_instance(*value, type))
      report("ir.v5", node, "a ", value->kind_name(), " of type ", type_text(type));
  }

  void call(const Node& node) {
    const ops::Schema& schema = node.op()->schema;
    size_t wanted = schema.arguments.size();
    size_t given = node.inputs().size();
    if (given != wanted && !(schema.vararg && given > wanted))
      return report("ir.v6", node, schema.qualified_name(), " takes ", wanted, " arguments, not ",
                    given);
    ops::TypeVariables variables;
    for (size_t i = 0; i < wanted; ++i) {
      const TypePtr& actual = node.input(i)->type();
      bool bound = ops::bind_type(schema.arguments[i].type, actual, variables);
      if (!bound || !fits(actual, ops::substitute(schema.arguments[i].type, variables)))
        report("ir.v6", node, "argument '", schema.arguments[i].name, "' of ",
               schema.qualified_name(), " is a ", type_text(actual));
    }
    if (!schema.varret && node.outputs().size() != schema.returns.size())
      report("ir.v6", node, schema.qualified_name(), " gives ", schema.returns.size(),
             " results, not ", node.outputs().size());
  }

  void tuple(const Node& node) {
    bool constructs = node.is(kinds().tuple);
    const auto& parts = constructs ? node.inputs() : node.outputs();
    const auto& whole = constructs ? node.outputs() : node.inputs();
    if (whole.size() != 1) return report("ir.v8", node, "one tuple is wanted");
    const TypePtr& type = whole[0]->type();
    if (!type->is(TypeKind::tuple) || type->contained().size() != parts.size())
      return report("ir.v8", node, "a ", type_text(type), " has not ", parts.size(), " parts");
    for (size_t i = 0; i < parts.size(); ++i) {
      const TypePtr& member = type->contained()[i];
      if (!(constructs ? fits(parts[i]->type(), member) : fits(member, parts[i]->type())))
        report("ir.v8", node, "part ", i, " is a ", type_text(parts[i]->type()));
    }
  }

  void list(const Node& node) {
    bool constructs = node.is(kinds().list);
    const auto& parts = constructs ? node.inputs() : node.outputs();
    const auto& whole = constructs ? node.outputs() : node.inputs();
    if (whole.size() != 1 || !whole[0]->type()->is(TypeKind::list))
      return report("ir.v8", node, "one list is wanted");
    const TypePtr& element = whole[0]->type()->element();
    for (const Value* part : parts)
      if (!(constructs ? fits(part->type(), element) : fits(element, part->type())))
        report("ir.v8", node, "%", part->name(), " of type ", type_text(part->type()),
               " is no element of ", type_text(whole[0]->type()));
  }

  void dict(const Node& node) {
    if (node.outputs().size() != 1 || !node.output()->type()->is(TypeKind::dict) ||
        node.inputs().size() % 2)
      return report("ir.v8", node, "a dict is made from keys and values");
    const auto& wanted = node.output()->type()->contained();
    for (size_t i = 0; i < node.inputs().size(); ++i)
      if (!fits(node.input(i)->type(), wanted[i % 2]))
        report("ir.v8", node, "%", node.input(i)->name(), " is no ", type_text(wanted[i % 2]));
  }

  void attribute(const Node& node) {
    const Attribute* name = node.find_attribute(name_attribute());
    const std::string* text = name ? std::get_if<std::string>(name) : nullptr;
    if (!text || node.inputs().empty())
      return report("ir.v9", node, node.kind().text(), " names no target");
    const core::ClassType* type = core::as_class(node.input(0)->type());
    if (node.is(kinds().call_method) || !type) return;
    if (type->attributes().empty()) return;  // A class that the text only named.
    auto slot = type->find_attribute(*text);
    if (!slot) return report("ir.v9", node, type->name(), " has no attribute '", *text, "'");
    const TypePtr& declared = type->attributes()[*slot].type;
    bool sets = node.is(kinds().set_attribute);
    if (sets && node.inputs().size() != 2) return report("ir.v9", node, "nothing to set");
    const TypePtr& seen = sets ? node.input(1)->type() : node.output()->type();
    if (!(sets ? fits(seen, declared) : fits(declared, seen)))
      report("ir.v9", node, "attribute '", *text, "' is a ", type_text(declared), ", not a ",
             type_text(seen));
  }

  std::vector<Violation>& found_;
  std::unordered_set<const Value*> defined_;
  std::vector<const Value*> defined_order_;
  std::unordered_map<const Value*, std::vector<Use>> sorted_uses_;
};

}  // namespace

std::vector<Violation> verify(const Graph& graph) {
  std::vector<Violation> found;
  Verifier(found).block(*graph.block());
  return found;
}

void ensure_valid(const Graph& graph, std::string_view when) {
  std::vector<Violation> found = verify(graph);
  if (found.empty()) return;
  std::string text = fmt::format("the graph is broken {}:", when);
  for (const Violation& violation : found) {
    text += fmt::format("\n{} {}", violation.rule, violation.message);
    if (violation.node) text += "\n  in " + print(*violation.node);
  }
  base::unreachable(text);
}

}  // namespace assay::ir
