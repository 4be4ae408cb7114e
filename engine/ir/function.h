#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/ir/graph.h"
#include "engine/ops/schema.h"

namespace assay::ir {

/// A graph with a qualified name (`__torch__.Net.forward`) and a signature. The first parameter of
/// a method is `self`. The body may be made on first use.
class Function {
 public:
  /// Fills `function.set_graph(...)`; may look up other functions.
  using Definer = std::function<void(Function& function)>;

  Function(std::string qualified_name, std::shared_ptr<Graph> graph);
  Function(std::string qualified_name, Definer definer);

  const std::string& qualified_name() const { return qualified_name_; }
  /// The last part of the qualified name.
  std::string name() const;

  /// The signature. Where none was set it is made from the graph's inputs and outputs.
  const ops::Schema& schema() const;
  void set_schema(ops::Schema schema) { schema_ = std::move(schema); }
  bool has_schema() const { return schema_.has_value(); }

  /// The body; defined now if it was not yet. Input error if its definition needs itself
  /// (recursion), or what the definer raises.
  Graph& graph() const { return *shared_graph(); }
  const std::shared_ptr<Graph>& shared_graph() const;
  void set_graph(std::shared_ptr<Graph> graph);
  bool is_defined() const { return graph_ != nullptr; }
  /// A number that no other function ever has, new after each set_graph and touch: what was
  /// compiled from the graph under another number is stale.
  uint64_t version() const { return version_; }
  /// To be called after the graph was edited in place.
  void touch();

 private:
  std::string qualified_name_;
  mutable std::optional<ops::Schema> schema_;
  std::shared_ptr<Graph> graph_;
  mutable Definer definer_;
  mutable bool defining_ = false;
  uint64_t version_;
};

}  // namespace assay::ir
