#include "engine/ir/printer.h"

#include "engine/base/text.h"
#include "engine/core/print.h"
#include "engine/ir/kinds.h"
#include "engine/ir/type_text.h"

namespace assay::ir {

namespace {

const base::Symbol& subgraph_name() {
  static const base::Symbol name("Subgraph");
  return name;
}

// Of a constant that holds a function: PyTorch shows the last part of its name.
std::optional<std::string> function_name(const Node& node) {
  static const base::Symbol value("value");
  const Attribute* attribute = node.find_attribute(value);
  const core::Value* held = attribute ? std::get_if<core::Value>(attribute) : nullptr;
  if (!held || !held->is_function()) return std::nullopt;
  const std::string& name = held->function().qualified_name;
  return name.substr(name.rfind('.') + 1);
}

class Printer {
 public:
  explicit Printer(const PrintOptions& options) : options_(options) {}

  void graph(const Graph& graph) {
    out_ += "graph(";
    declarations(graph.inputs(), ",\n      ");
    out_ += "):\n";
    std::vector<const Node*> groups;
    for (const Node* n : *graph.block()) node(*n, 1, &groups);
    out_ += "  return (";
    names(graph.outputs());
    out_ += ")\n";
    for (size_t i = 0; i < groups.size(); ++i) {
      out_ += "with " + groups[i]->kind().text() + "_" + std::to_string(i) + " = ";
      this->graph(*groups[i]->get<std::shared_ptr<Graph>>(subgraph_name()));
    }
  }

  // Nodes with a graph of their own are collected in `groups` and printed below the main graph.
  void node(const Node& node, size_t level, std::vector<const Node*>* groups) {
    indent(level);
    declarations(node.outputs(), ", ");
    // PyTorch writes a call of a Python function as ^name[attributes](constants)(arguments).
    bool outside = node.is(kinds().call_outside);
    out_ += " = ";
    if (outside) {
      ((out_ += '^') += node.get<std::string>(name_attribute())) += "[]()";
    } else {
      out_ += node.kind().text();
    }
    bool grouped = groups && node.has(subgraph_name());
    if (grouped) {
      out_ += "_" + std::to_string(groups->size());
      groups->push_back(&node);
    }
    if (!outside) attributes(node, grouped);
    out_ += "(";
    names(node.inputs());
    out_ += ")";
    if (options_.scopes && !node.scope().empty()) out_ += ", scope: " + node.scope().str();
    if (options_.source) place(node.range().original());
    out_ += "\n";
    for (size_t i = 0; i < node.blocks().size(); ++i) block(*node.block(i), i, level, groups);
  }

  std::string take() { return std::move(out_); }

 private:
  void block(const Block& block, size_t number, size_t level, std::vector<const Node*>* groups) {
    indent(level + 1);
    out_ += "block" + std::to_string(number) + "(";
    declarations(block.params(), ", ");
    out_ += "):\n";
    for (const Node* inner : block) node(*inner, level + 2, groups);
    indent(level + 2);
    out_ += "-> (";
    names(block.results());
    out_ += ")\n";
  }

  void indent(size_t level) { out_.append(2 * level, ' '); }

  void declarations(const std::vector<Value*>& values, const char* separator) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i) out_ += separator;
      (((out_ += '%') += values[i]->name()) += " : ") += type_text(values[i]->type());
    }
  }

  void names(const std::vector<Value*>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i) out_ += ", ";
      (out_ += '%') += values[i]->name();
    }
  }

  void place(const base::SourceRange& range) {
    if (!range) return;
    (out_ += " # ") += range.source->name;
    (out_ += ':') += std::to_string(range.line());
    (out_ += ':') += std::to_string(range.column());
  }

  void attributes(const Node& node, bool skip_subgraph) {
    std::string list;
    if (auto function = function_name(node)) {
      out_ += "[name=" + core::quoted_text(*function) + "]";
      return;
    }
    for (const auto& [name, value] : node.attributes()) {
      if (skip_subgraph && name == subgraph_name()) continue;
      // A function prints by its plain name, which is an attribute of its own.
      auto held = std::get_if<core::Value>(&value);
      if (held && held->is_function()) continue;
      list += (list.empty() ? "" : ", ") + name.text() + "=" +
              std::visit([this](const auto& v) { return text(v); }, value);
    }
    if (!list.empty()) out_ += "[" + list + "]";
  }

  std::string text(int64_t v) { return std::to_string(v); }
  std::string text(double v) { return core::float_text(v); }
  std::string text(core::Complex128 v) { return core::complex_text(v); }
  std::string text(const std::string& v) { return core::quoted_text(v); }
  std::string text(const core::Value& v) { return core::repr(v); }
  std::string text(const core::TypePtr& v) { return type_text(v); }
  std::string text(const std::shared_ptr<Graph>&) { return "<Graph>"; }
  std::string text(const core::Tensor& v) {
    if (!options_.tensors) return core::tensor_text(v);
    options_.tensors->push_back(v);
    return "<Tensor>";
  }
  std::string text(const std::vector<core::Tensor>&) { return "[<Tensors>]"; }
  template <typename T>
  std::string text(const std::vector<T>& items) {
    std::string list;
    for (const T& item : items) list += (list.empty() ? "" : ", ") + text(item);
    return "[" + list + "]";
  }

  const PrintOptions& options_;
  std::string out_;
};

}  // namespace

std::string print(const Graph& graph, const PrintOptions& options) {
  Printer printer(options);
  printer.graph(graph);
  return printer.take();
}

std::string print(const Node& node, const PrintOptions& options) {
  Printer printer(options);
  printer.node(node, 0, nullptr);
  return printer.take();
}

std::string Graph::str() const { return print(*this); }

}  // namespace assay::ir
