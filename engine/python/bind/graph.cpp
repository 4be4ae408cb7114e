#include "engine/python/bind/graph.h"

#include <pybind11/stl.h>

#include <unordered_set>

#include "engine/base/error.h"
#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"
#include "engine/ir/passes/normalize.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"
#include "engine/ops/catalog.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/graph_types.h"
#include "engine/python/bind/python.h"
#include "engine/python/bind/script_program.h"

namespace py = pybind11;

namespace assay::python {
namespace {

/// A graph, with what was erased of it: Python may still hold that.
struct Held {
  explicit Held(std::shared_ptr<ir::Graph> held) : graph(std::move(held)) {}
  std::shared_ptr<ir::Graph> graph;
  std::unordered_set<const void*> erased;
  ir::Node* insertion_point = nullptr;  ///< Null: the graph's end.

  ir::Node* point() const {
    return insertion_point ? insertion_point : graph->block()->return_node();
  }
};
using HeldPtr = std::shared_ptr<Held>;

/// What Python holds of a graph keeps the whole graph alive.
template <typename Part>
struct PartOf {
  HeldPtr graph;
  Part* part;
  Part* get() const {
    base::check(!graph->erased.count(part), "this was erased from its graph");
    return part;
  }
  Part* operator->() const { return get(); }
};
using Node = PartOf<ir::Node>;
using Value = PartOf<ir::Value>;
using Block = PartOf<ir::Block>;

struct Use {
  Node user;
  size_t offset;
};

/// The parts of a graph behind an iterator that knows its length.
template <typename Part>
py::object parts(const HeldPtr& graph, const std::vector<Part*>& all) {
  py::list made;
  for (Part* part : all) made.append(PartOf<Part>{graph, part});
  return py::iter(made);
}

/// What was compiled from the graph before is stale.
void edited(const HeldPtr& held) {
  for (const auto& function : script_program().unit().functions()) {
    if (function->is_defined() && function->shared_graph() == held->graph) function->touch();
  }
}

std::vector<ir::Node*> nodes_of_kind(const ir::Block& block, const std::string& kind, bool deep) {
  std::vector<ir::Node*> found;
  for (ir::Node* node : block) {
    if (node->kind().text() == kind) found.push_back(node);
    for (ir::Block* inner : node->blocks()) {
      if (!deep) break;
      for (ir::Node* each : nodes_of_kind(*inner, kind, deep)) found.push_back(each);
    }
  }
  return found;
}

py::list nodes_list(const HeldPtr& graph, const std::vector<ir::Node*>& nodes) {
  py::list made;
  for (ir::Node* node : nodes) made.append(Node{graph, node});
  return made;
}

py::object first_node(const HeldPtr& graph, const std::vector<ir::Node*>& nodes) {
  if (nodes.empty()) return py::none();
  return py::cast(Node{graph, nodes[0]});
}

/// In the blocks of a node.
std::vector<ir::Node*> nodes_inside(const Node& node, const std::string& kind, bool deep) {
  std::vector<ir::Node*> found;
  for (ir::Block* block : node->blocks()) {
    for (ir::Node* each : nodes_of_kind(*block, kind, deep)) found.push_back(each);
  }
  return found;
}

py::object constant_object(const ir::Value* value) {
  auto constant = ir::constant_value(value);
  if (!constant) return py::none();
  return py::reinterpret_steal<py::object>(checked(from_value(*constant)).release());
}

/// "i", "fs", "t": PyTorch's name of what an attribute holds.
const char* attribute_kind(const ir::Attribute& attribute) {
  constexpr const char* names[] = {"i",  "f",  "c",  "s",    "t",  "is",  "fs",
                                   "cs", "ss", "ts", "ival", "ty", "tys", "g"};
  static_assert(std::size(names) == std::variant_size_v<ir::Attribute>);
  return names[attribute.index()];
}

const ir::Attribute& attribute_of(const Node& node, const std::string& name) {
  const ir::Attribute* found = node->find_attribute(base::Symbol(name));
  base::check(found != nullptr, "a ", node->kind().text(), " has no attribute '", name, "'");
  return *found;
}

py::object tensor_object_of(const core::Tensor& tensor) {
  return py::reinterpret_steal<py::object>(checked(from_value(core::Value(tensor))).release());
}

/// An attribute of the wanted kind as a Python object.
py::object read_attribute(const Node& node, const std::string& name, const std::string& wanted) {
  const ir::Attribute& attribute = attribute_of(node, name);
  base::check(attribute_kind(attribute) == wanted, "the attribute '", name, "' of ",
              node->kind().text(), " is of kind '", attribute_kind(attribute), "', not '", wanted,
              "'");
  return std::visit(
      [&](const auto& held) -> py::object {
        using Kind = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Kind, core::Tensor>) {
          return tensor_object_of(held);
        } else if constexpr (std::is_same_v<Kind, std::vector<core::Tensor>>) {
          py::list made;
          for (const core::Tensor& each : held) made.append(tensor_object_of(each));
          return made;
        } else if constexpr (std::is_same_v<Kind, core::Value>) {
          return py::reinterpret_steal<py::object>(checked(from_value(held)).release());
        } else if constexpr (std::is_same_v<Kind, core::TypePtr>) {
          return type_object(held);
        } else if constexpr (std::is_same_v<Kind, std::vector<core::TypePtr>>) {
          py::list made;
          for (const auto& each : held) made.append(type_object(each));
          return made;
        } else if constexpr (std::is_same_v<Kind, std::shared_ptr<ir::Graph>>) {
          return graph_object(held);
        } else if constexpr (std::is_same_v<Kind, core::Complex128> ||
                             std::is_same_v<Kind, std::vector<core::Complex128>>) {
          base::unsupported("complex attributes of nodes");
        } else {
          return py::cast(held);
        }
      },
      attribute);
}

/// The schema's text without the name of the overload.
std::string plain_schema(const ops::Schema& schema) {
  ops::Schema plain = schema;
  plain.overload.clear();
  return plain.str();
}

/// An input by the name of the operator's argument.
Value named_input(const Node& node, const std::string& name) {
  base::check(node->op() != nullptr, "a ", node->kind().text(), " has no schema");
  auto index = node->op()->schema.find_argument(name);
  base::check(index.has_value(), "a ", node->kind().text(), " has no argument '", name, "'");
  return {node.graph, node->input(*index)};
}

void destroy(const Node& node) {
  ir::Node* erased = node.get();
  std::vector<const void*> gone{erased};
  gone.insert(gone.end(), erased->outputs().begin(), erased->outputs().end());
  for (ir::Block* block : erased->blocks()) {
    base::check(block->empty(), "only a node whose blocks are empty can be destroyed");
    gone.push_back(block);
  }
  erased->erase();
  node.graph->erased.insert(gone.begin(), gone.end());
  edited(node.graph);
}

/// `with graph.insert_point_guard(node):` what is inserted comes before the node.
struct PointGuard {
  HeldPtr graph;
  ir::Node* wanted;
  ir::Node* before = nullptr;
};

Value insert_constant(const HeldPtr& held, py::handle object) {
  core::Value constant = to_value(object.ptr());
  ir::Node* node = held->graph->create_constant(constant)->insert_before(held->point());
  edited(held);
  return {held, node->output()};
}

std::vector<Value> insert_graph(const HeldPtr& held, const HeldPtr& callee,
                                const std::vector<Value>& arguments) {
  std::vector<ir::Value*> given;
  for (const Value& argument : arguments) given.push_back(argument.get());
  std::vector<Value> made;
  for (ir::Value* value : ir::inline_graph(*callee->graph, held->point(), given)) {
    made.push_back({held, value});
  }
  edited(held);
  return made;
}

/// What may share storage, as it was when the graph was asked.
struct AliasFacts {
  HeldPtr graph;
  ir::Alias alias;
};

void bind_alias(py::module_& m) {
  py::class_<AliasFacts>(m, "AliasDb")
      .def("may_contain_alias",
           [](const AliasFacts& facts, const Value& a, const Value& b) {
             return facts.alias.may_share(a.get(), b.get());
           })
      .def("has_writers",
           [](const AliasFacts& facts, const Value& v) { return facts.alias.is_written(v.get()); });
}

void bind_graph(py::module_& m) {
  py::class_<Held, HeldPtr>(m, "Graph")
      .def("__str__", [](const Held& g) { return g.graph->str(); })
      .def("__repr__", [](const Held& g) { return g.graph->str(); })
      .def(
          "str", [](const Held& g, bool source) { return ir::print(*g.graph, {.source = source}); },
          py::arg("print_source_ranges") = true)
      .def("nodes", [](const HeldPtr& g) { return parts(g, g->graph->block()->nodes()); })
      .def("inputs", [](const HeldPtr& g) { return parts(g, g->graph->inputs()); })
      .def("outputs", [](const HeldPtr& g) { return parts(g, g->graph->outputs()); })
      .def("block",
           [](const HeldPtr& g) {
             return Block{g, g->graph->block()};
           })
      .def("param_node",
           [](const HeldPtr& g) {
             return Node{g, g->graph->block()->param_node()};
           })
      .def("return_node",
           [](const HeldPtr& g) {
             return Node{g, g->graph->block()->return_node()};
           })
      .def(
          "findNode",
          [](const HeldPtr& g, const std::string& kind, bool recurse) {
            return first_node(g, nodes_of_kind(*g->graph->block(), kind, recurse));
          },
          py::arg("kind"), py::arg("recurse") = true)
      .def(
          "findAllNodes",
          [](const HeldPtr& g, const std::string& kind, bool recurse) {
            return nodes_list(g, nodes_of_kind(*g->graph->block(), kind, recurse));
          },
          py::arg("kind"), py::arg("recurse") = true)
      .def("alias_db",
           [](const HeldPtr& g) {
             return AliasFacts{g, ir::Alias(*g->graph)};
           })
      .def("copy", [](const Held& g) { return graph_object(g.graph->copy()); })
      .def("lint", [](const Held& g) { ir::ensure_valid(*g.graph, "what was done to it"); })
      .def("permuteInputs",
           [](const HeldPtr& g, const std::vector<size_t>& order) {
             g->graph->block()->param_node()->permute_outputs(order);
             edited(g);
           })
      .def("insert_point_guard",
           [](const HeldPtr& g, const Node& node) {
             return PointGuard{g, node.get()};
           })
      .def("insertConstant", insert_constant)
      .def("insertGraph", insert_graph);
  // By PyTorch's name: who compares graphs of inputs of other sizes calls it.
  m.def("_jit_pass_erase_shape_information", [](const HeldPtr& g) { ir::erase_shapes(*g->graph); });
  py::class_<PointGuard>(m, "GraphPointGuard")
      .def("__enter__",
           [](PointGuard& guard) {
             guard.before = std::exchange(guard.graph->insertion_point, guard.wanted);
           })
      .def("__exit__",
           [](PointGuard& guard, const py::args&) { guard.graph->insertion_point = guard.before; });
}

void bind_node(py::module_& m) {
  py::class_<Node> node(m, "Node");
  node.def("kind", [](const Node& n) { return n->kind().text(); })
      .def("__str__", [](const Node& n) { return ir::print(*n.get()); })
      .def("__repr__", [](const Node& n) { return ir::print(*n.get()); })
      .def("__eq__", [](const Node& a, const Node& b) { return a.part == b.part; })
      .def("__hash__", [](const Node& n) { return std::hash<const void*>()(n.part); })
      .def("inputs", [](const Node& n) { return parts(n.graph, n->inputs()); })
      .def("outputs", [](const Node& n) { return parts(n.graph, n->outputs()); })
      .def("inputsAt",
           [](const Node& n, size_t i) {
             return Value{n.graph, n->input(i)};
           })
      .def("outputsAt",
           [](const Node& n, size_t i) {
             return Value{n.graph, n->output(i)};
           })
      .def("inputsSize", [](const Node& n) { return n->inputs().size(); })
      .def("outputsSize", [](const Node& n) { return n->outputs().size(); })
      .def("input",
           [](const Node& n) {
             return Value{n.graph, n->input()};
           })
      .def("output",
           [](const Node& n) {
             return Value{n.graph, n->output()};
           })
      .def("namedInput", named_input)
      .def("blocks", [](const Node& n) { return parts(n.graph, n->blocks()); })
      .def(
          "findNode",
          [](const Node& n, const std::string& kind, bool recurse) {
            return first_node(n.graph, nodes_inside(n, kind, recurse));
          },
          py::arg("kind"), py::arg("recurse") = true)
      .def(
          "findAllNodes",
          [](const Node& n, const std::string& kind, bool recurse) {
            return nodes_list(n.graph, nodes_inside(n, kind, recurse));
          },
          py::arg("kind"), py::arg("recurse") = true)
      .def("scopeName", [](const Node& n) { return n->scope().str(); })
      .def("sourceRange", [](const Node& n) { return n->range() ? n->range().picture() : ""; })
      .def("schema", [](const Node& n) { return n->op() ? n->op()->schema.str() : "(no schema)"; })
      .def("matches",
           [](const Node& n, const std::string& schema) {
             return n->op() &&
                    (n->op()->schema.str() == schema || plain_schema(n->op()->schema) == schema);
           })
      .def("mustBeNone",
           [](const Node& n) {
             return n->outputs().size() == 1 && n->output()->type()->is(core::TypeKind::none);
           })
      .def("isBefore", [](const Node& a, const Node& b) { return a->is_before(b.get()); })
      .def("isAfter", [](const Node& a, const Node& b) { return b->is_before(a.get()); })
      .def("hasUses", [](const Node& n) { return n->has_uses(); })
      .def("destroy", destroy)
      .def("hasAttribute",
           [](const Node& n, const std::string& name) { return n->has(base::Symbol(name)); })
      .def("hasAttributes", [](const Node& n) { return !n->attributes().empty(); })
      .def("attributeNames",
           [](const Node& n) {
             std::vector<std::string> names;
             for (const auto& [name, held] : n->attributes()) names.emplace_back(name.text());
             return names;
           })
      .def("kindOf", [](const Node& n, const std::string& name) {
        return attribute_kind(attribute_of(n, name));
      });
  for (const char* kind : {"i", "f", "s", "t", "is", "fs", "ss", "ts", "ival", "ty", "tys", "g"}) {
    node.def(kind, [kind](const Node& n, const std::string& name) {
      return read_attribute(n, name, kind);
    });
  }
}

void bind_value(py::module_& m) {
  py::class_<Value>(m, "Value")
      .def("debugName", [](const Value& v) { return v->name(); })
      .def("setDebugName", [](const Value& v, const std::string& name) { v->set_name(name); })
      .def("unique", [](const Value& v) { return v->id(); })
      .def("offset", [](const Value& v) { return v->index(); })
      .def("type", [](const Value& v) { return type_object(v->type()); })
      .def("node",
           [](const Value& v) {
             return Node{v.graph, v->node()};
           })
      .def("uses",
           [](const Value& v) {
             std::vector<Use> uses;
             for (const ir::Use& use : v->uses()) uses.push_back({{v.graph, use.user}, use.index});
             return uses;
           })
      .def("toIValue", [](const Value& v) { return constant_object(v.get()); })
      .def("requires_grad",
           [](const Value& v) {
             const auto* tensor = core::as_tensor_info(v->type());
             return tensor ? tensor->info.requires_grad.value_or(true)
                           : v->type()->is(core::TypeKind::tensor);
           })
      .def("isCompleteTensor",
           [](const Value& v) {
             const auto* tensor = core::as_tensor_info(v->type());
             return tensor && tensor->info.sizes && tensor->info.dtype && tensor->info.device;
           })
      .def("replaceAllUsesWith",
           [](const Value& from, const Value& to) {
             from->replace_all_uses(to.get());
             edited(from.graph);
           })
      .def("__eq__", [](const Value& a, const Value& b) { return a.part == b.part; })
      .def("__hash__", [](const Value& v) { return std::hash<const void*>()(v.part); })
      .def("__repr__", [](const Value& v) {
        std::string defined = ir::print(*v->node());
        return v->name() + " defined in (" + defined.substr(0, defined.find('\n')) + ")";
      });
  py::class_<Use>(m, "Use")
      .def_readonly("user", &Use::user)
      .def_readonly("offset", &Use::offset)
      .def("isAfter", [](const Use& a, const Use& b) {
        if (a.user.part == b.user.part) return a.offset > b.offset;
        return b.user->is_before(a.user.get());
      });
  py::class_<Block>(m, "Block")
      .def("nodes", [](const Block& b) { return parts(b.graph, b->nodes()); })
      .def("inputs", [](const Block& b) { return parts(b.graph, b->params()); })
      .def("outputs", [](const Block& b) { return parts(b.graph, b->results()); })
      .def("paramNode",
           [](const Block& b) {
             return Node{b.graph, b->param_node()};
           })
      .def("returnNode",
           [](const Block& b) {
             return Node{b.graph, b->return_node()};
           })
      .def("owningNode", [](const Block& b) -> py::object {
        if (!b->owner()) return py::none();
        return py::cast(Node{b.graph, b->owner()});
      });
}

}  // namespace

py::object graph_object(std::shared_ptr<ir::Graph> graph) {
  static auto* known = new std::unordered_map<const ir::Graph*, std::weak_ptr<Held>>();
  auto& slot = (*known)[graph.get()];
  HeldPtr held = slot.lock();
  if (!held) {
    std::erase_if(*known, [](const auto& entry) { return entry.second.expired(); });
    held = std::make_shared<Held>(graph);
    (*known)[graph.get()] = held;
  }
  return py::cast(held);
}

void add_graphs(py::module_& m) {
  add_graph_types(m);
  bind_alias(m);
  bind_graph(m);
  bind_node(m);
  bind_value(m);
}

}  // namespace assay::python
