#include "engine/trace/scopes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"
#include "engine/trace/cleanup.h"

namespace assay::trace {
namespace {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

bool is_scope(const Node* node) { return node->is(scope_symbols().block); }
bool is_attribute(const Node* node) { return node->is(scope_symbols().attribute); }
const std::string& path_of(const Node* node) {
  return node->get<std::string>(scope_symbols().path);
}

/// "__module.layer1.conv" below "__module.layer1": ".conv"; nothing where it lies elsewhere.
std::optional<std::string_view> below(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return std::nullopt;
  path.remove_prefix(prefix.size());
  if (!path.empty() && path[0] != '.') return std::nullopt;
  return path;
}

/// First step: each scope block gets its module as parameter `self`, and reads of attributes
/// become reads from the block's `self`. What lies elsewhere in the tree of modules is lifted to
/// the block around it.
class AttributeReads {
 public:
  explicit AttributeReads(Graph& graph) : graph_(graph) {}

  void run() {
    for (Node* node : *graph_.block()) {
      if (is_attribute(node)) attributes_.push_back(node);
    }
    for (const Node* node : attributes_) by_path_.emplace(path_of(node), node->output());
    add_selves(graph_.block());
    convert(graph_.block(), root_path, graph_.inputs()[0]);
    for (auto at = attributes_.rbegin(); at != attributes_.rend(); ++at) (*at)->erase();
  }

 private:
  void add_selves(Block* block) {
    for (Node* node : *block) {
      if (!is_scope(node)) continue;
      Value* module = by_path_.at(path_of(node));
      node->add_input(module);
      node->block()->add_param(module->type())->set_name("self");
      add_selves(node->block());
    }
  }

  /// Gives the attributes that the block cannot read from its `self`: it has taken a parameter for
  /// each.
  std::vector<Value*> convert(Block* block, const std::string& prefix, Value* self) {
    std::vector<Value*> elsewhere;
    std::unordered_map<Value*, Value*> here;
    std::vector<Node*> nodes = block->nodes();
    for (Node* node : nodes) {
      if (is_scope(node)) {
        Block* inner = node->block();
        for (Value* value : convert(inner, path_of(node), inner->params()[0])) {
          node->add_input(value);
        }
      }
      for (size_t i = 0; i < node->inputs().size(); ++i) {
        Value* read = node->input(i);
        if (!is_attribute(read->node())) continue;
        auto [place, is_new] = here.try_emplace(read);
        if (is_new) place->second = local(read, block, prefix, self, elsewhere);
        node->replace_input(i, place->second);
      }
    }
    convert_results(block, prefix, self, here, elsewhere);
    return elsewhere;
  }

  /// An attribute that is given back as it is.
  void convert_results(Block* block, const std::string& prefix, Value* self,
                       std::unordered_map<Value*, Value*>& here, std::vector<Value*>& elsewhere) {
    Node* end = block->return_node();
    for (size_t i = 0; i < end->inputs().size(); ++i) {
      Value* read = end->input(i);
      if (!is_attribute(read->node())) continue;
      auto [place, is_new] = here.try_emplace(read);
      if (is_new) place->second = local(read, block, prefix, self, elsewhere);
      end->replace_input(i, place->second);
    }
  }

  Value* local(Value* read, Block* block, const std::string& prefix, Value* self,
               std::vector<Value*>& elsewhere) {
    auto rest = below(path_of(read->node()), prefix);
    if (!rest) {
      elsewhere.push_back(read);
      Value* param = block->add_param(read->type());
      return read->has_name() ? param->set_name(read->name()) : param;
    }
    Node* first = block->param_node()->next();
    Value* value = self;
    while (!rest->empty()) {
      rest->remove_prefix(1);
      std::string name(rest->substr(0, rest->find('.')));
      rest->remove_prefix(name.size());
      value = get_attribute(value, name, first);
    }
    return value;
  }

  Value* get_attribute(Value* object, const std::string& name, Node* before) {
    const core::ClassType* type = core::as_class(object->type());
    auto slot = type ? type->find_attribute(name) : std::nullopt;
    base::invariant(slot.has_value(), "a traced module lost its attribute '", name, "'");
    const core::TypePtr& held = type->attributes()[*slot].type;
    Node* node = graph_.create(ir::kinds().get_attribute, {object}, std::vector{held});
    node->set(ir::name_attribute(), name)->insert_before(before);
    bool number =
        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    node->output()->set_name(number ? "_" + name : name);
    return node->output();
  }

  Graph& graph_;
  std::vector<Node*> attributes_;
  std::unordered_map<std::string_view, Value*> by_path_;
};

/// Second step: what is read outside of the block that computes it becomes a result of that block,
/// and of those around it as far as needed.
class Lift {
 public:
  void run(Block* block) {
    for (Node* node : block->nodes()) visit(node, block);
    visit(block->return_node(), block);
  }

 private:
  void visit(Node* node, Block* block) {
    for (size_t i = 0; i < node->inputs().size(); ++i) {
      Value* read = node->input(i);
      auto lifted = lifted_.find(read);
      if (lifted != lifted_.end()) read = lifted->second;
      // PyTorch looks once: what was lifted to an inner block is lifted from there at each use.
      if (!read->node()->owner()->contains(block)) read = lifted_[read] = lift(read, block);
      node->replace_input(i, read);
    }
    if (is_scope(node)) run(node->block());
  }

  static Value* lift(Value* value, const Block* reader) {
    for (Block* at = value->node()->owner(); !at->contains(reader);) {
      at->add_result(value);
      value = at->owner()->add_output(value->type());
      at = at->owner()->owner();
    }
    return value;
  }

  std::unordered_map<Value*, Value*> lifted_;
};

/// Third step: a method has one result; several become a tuple.
void give_one_result(Block* block) {
  for (Node* node : block->nodes()) {
    if (!is_scope(node)) continue;
    Block* inner = node->block();
    give_one_result(inner);
    Graph& graph = block->graph();
    if (inner->results().empty()) {
      Node* none = inner->append(graph.create_constant(core::Value()));
      inner->add_result(none->output());
      node->add_output(core::none_type());
    }
    if (inner->results().size() == 1) continue;
    std::vector<Value*> results = inner->results();
    std::vector<core::TypePtr> types;
    for (const Value* result : results) types.push_back(result->type());
    core::TypePtr tuple = core::tuple_of(types);
    Node* pack = inner->append(graph.create(ir::kinds().tuple, results, std::vector{tuple}));
    for (size_t i = results.size(); i-- > 0;) inner->remove_result(i);
    inner->add_result(pack->output());
    Value* packed = node->add_output(tuple);
    Node* unpack = graph.create(ir::kinds().tuple_unpack, {packed}, types)->insert_after(node);
    for (size_t i = results.size(); i-- > 0;) {
      node->output(i)->replace_all_uses(unpack->output(i));
      node->remove_output(i);
    }
  }
}

/// Fourth step: the body of a scope block as a graph of its own. What it reads from outside becomes
/// an input, of the graph and of the node.
std::shared_ptr<Graph> graph_of_block(Node* node, bool inside);

Value* outside(Value* value, Graph& graph, Node* node, ir::ValueMap& map) {
  if (&value->graph() == &graph) return value;
  auto [place, is_new] = map.try_emplace(value);
  if (is_new) {
    place->second = graph.add_input(value->has_name() ? value->name() : "", value->type());
    node->add_input(value);
  }
  return place->second;
}

void move_nodes(Block* from, Graph& graph, Node* node, ir::ValueMap& map) {
  for (Node* inner : from->nodes()) {
    graph.block()->append(graph.adopt(inner));
    for (size_t i = 0; i < inner->inputs().size(); ++i) {
      inner->replace_input(i, outside(inner->input(i), graph, node, map));
    }
  }
}

/// `inside`: of a block that becomes a graph, too.
void blocks_to_graphs(Block* block, bool inside) {
  for (Node* node : block->nodes()) {
    if (!is_scope(node)) continue;
    blocks_to_graphs(node->block(), true);
    node->set("Subgraph", graph_of_block(node, inside));
    node->erase_block(0);
  }
}

void take_outside(Block* body, Graph& graph, Node* node, ir::ValueMap& map) {
  auto take = [&](Value* value) {
    if (value->node()->owner() != body) outside(value, graph, node, map);
  };
  for (Node* inner : *body) {
    for (Value* input : inner->inputs()) take(input);
  }
  for (Value* result : body->results()) take(result);
}

std::shared_ptr<Graph> graph_of_block(Node* node, bool inside) {
  Block* body = node->block();
  auto graph = std::make_shared<Graph>();
  ir::ValueMap map;
  for (Value* param : body->params()) {
    map[param] = graph->add_input(param->has_name() ? param->name() : "", param->type());
  }
  // The graph of a block inside of another is copied along with that one by PyTorch, which numbers
  // its inputs first.
  if (inside) take_outside(body, *graph, node, map);
  move_nodes(body, *graph, node, map);
  for (Value* result : body->results()) graph->add_output(outside(result, *graph, node, map));
  return graph;
}

/// "forward", or "forward1", ... where the class has that already.
std::string free_method(const core::ClassType& type) {
  std::string name = "forward";
  for (int i = 1; type.has_method(name); ++i) name = "forward" + std::to_string(i);
  return name;
}

/// Fifth step: the graphs become methods, the nodes calls of them.
void graphs_to_methods(Graph& graph, ir::Unit& unit) {
  for (Node* node : graph.block()->nodes()) {
    if (!is_scope(node)) continue;
    auto body = node->get<std::shared_ptr<Graph>>("Subgraph");
    core::ClassTypePtr type = unit.find_class(node->input(0)->type()->name());
    graphs_to_methods(*body, unit);  // First, as PyTorch does: it may call the same module.
    std::string name = free_method(*type);
    ir::Function& method = unit.define_function(type->qualified_method(name), body);
    type->add_method(name);
    const core::TypePtr& result = method.schema().returns[0].type;
    Node* call = graph.create(ir::kinds().call_method, node->inputs(), std::vector{result});
    call->set(ir::name_attribute(), name)->insert_before(node);
    node->output()->replace_all_uses(call->output());
    node->erase();
    clean_up(*body);
  }
}

/// A traced function has no modules that methods could belong to.
void put_in_line(Block* block) {
  for (Node* node : block->nodes()) {
    if (!is_scope(node)) continue;
    put_in_line(node->block());
    for (Node* inner : node->block()->nodes()) inner->move_before(node);
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      node->output(i)->replace_all_uses(node->block()->results()[i]);
    }
    node->erase();
  }
}

}  // namespace

const ScopeSymbols& scope_symbols() {
  static const ScopeSymbols symbols;
  return symbols;
}

void scopes_to_methods(const std::shared_ptr<Graph>& graph, ir::Unit& unit,
                       const core::ObjectRef& self) {
  if (self) AttributeReads(*graph).run();
  Lift().run(graph->block());
  give_one_result(graph->block());
  if (self) {
    blocks_to_graphs(graph->block(), false);
    graphs_to_methods(*graph, unit);
  } else {
    put_in_line(graph->block());
  }
  clean_up(*graph);
}

}  // namespace assay::trace
