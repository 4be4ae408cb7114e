#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/restore.h"
#include "engine/ir/graph.h"
#include "engine/ir/unit.h"
#include "engine/ops/dispatch.h"
#include "engine/trace/origins.h"

namespace assay::trace {

/// What the tracer asks of whoever runs the program. All may be empty.
struct Surroundings {
  /// The line of the program that runs now.
  std::function<base::SourceRange()> place;
  /// The innermost one that is the user's own: "net.py:12".
  std::function<std::string()> user_place;
  /// The variable in sight that holds the tensor; "" where there is none.
  std::function<std::string(const core::Tensor&)> name_of;
  std::function<void(const std::string& message)> warn;
};

/// Records the operators that a program calls as a graph, in the way of PyTorch's tracer: equal
/// calls give equal text of the graph, numbers of values included.
///
/// Tensors are known by identity, for as long as the program holds them. What is neither an input
/// nor computed from one becomes a constant, one for each tensor. To use it: trace_module, input
/// for each argument, run the program with what those gave back while a HandlerScope holds the
/// tracer, output, finish.
class Tracer final : public ops::Handler {
 public:
  /// Methods of traced submodules are defined in the unit. `strict`: containers at the output are
  /// warned of (lists) or refused (dicts).
  Tracer(ir::Unit& unit, Surroundings surroundings, bool strict = true);

  /// How many nodes the graph may get before a call is refused: a loop that does not end while it
  /// is traced would fill the memory.
  void set_most_nodes(size_t count) { most_nodes_ = count; }
  static constexpr size_t default_most_nodes = 1'000'000;

  /// Makes `self` the graph's first input, and known what its attributes are, at any depth.
  void trace_module(const core::ObjectRef& self);
  /// Makes an argument of the program the next input of the graph. Tuples, lists and dicts are
  /// taken apart. Gives what the program is to be called with. Input error for other things.
  core::Value input(const core::Value& argument, const std::string& name = {});
  /// Makes what the program returned the graph's output. Input error where it does not depend on
  /// the trace.
  void output(const core::Value& result);
  /// Forgets tensors that nobody else holds: no call can bring them back, and a long loop would
  /// fill the memory with them.
  void let_go();
  /// Ends the trace: scopes become methods of the submodules' classes, what is not needed goes.
  std::shared_ptr<ir::Graph> finish();
  /// As far as it goes.
  const ir::Graph& graph() const { return *graph_; }

  /// What is called from here on belongs to the submodule of this path (`__module.layer1.conv`).
  void push_scope(const std::string& path);
  void pop_scope();

  /// `tensor.size(dim)` as a 0-dimensional tensor that the graph knows.
  core::Tensor size(const core::Tensor& tensor, int64_t dim);
  core::Tensor numel(const core::Tensor& tensor);
  /// The number in a 0-dimensional tensor, as an argument of a call: its identity says that it
  /// comes from the graph. It is converted in the graph when the call is recorded.
  core::Value number(const core::Tensor& tensor);

  /// A call of a function (or method, where `self` is an object) that stays a call in the graph.
  /// `run` runs it unheard.
  core::Value call_function(ir::Function& function, const core::Values& args,
                            const std::function<core::Value()>& run);

  /// Whether the graph knows the tensor: it is an input, or computed while tracing.
  bool knows(const core::Tensor& tensor) const;
  /// From here on a new tensor is the same value as another: where the program gives it another
  /// class.
  void stands_for(const core::Tensor& made, const core::Tensor& of) {
    set_value(made, value_of(of));
  }
  /// The tensor changed its shape behind the graph's back.
  void forget(const core::Tensor& tensor) { known_.erase(tensor.impl()); }

  /// What left the graph, and what the program asked of it.
  Origins& origins() { return origins_; }
  /// The expression over the inputs that a tensor's value is.
  std::string expression(const core::Tensor& tensor) const;
  std::string expression_of_size(const core::Tensor& tensor, int64_t dim) const;
  base::SourceRange place() const;
  /// What a number is that left the graph, or that was computed from such.
  struct Computed {
    std::string expression;
    Origins::From from;
  };
  /// The number with an identity that says where it came from; for an argument of the next call.
  core::Value with_origin(const core::Value& number, Computed computed);
  /// The tensor is this number, for a call that takes tensors.
  void wrapped(const core::Tensor& tensor, const core::Value& number);

  /// While it lives, nothing is recorded.
  base::Restore<bool> pause() { return base::Restore<bool>(paused_, true); }

  ops::Stage stage() const override { return ops::Stage::record; }
  ops::Results call(const ops::Operator& op, std::span<const core::Value> args,
                    const ops::Next& next) override;

 private:
  /// Why a number has an identity: it is that of a tensor, or it left the graph before.
  struct Identity {
    core::Tensor tensor;
    ir::Value* value = nullptr;  ///< The tensor as a number, once it was converted.
    std::optional<Computed> origin;
  };
  struct Known {
    core::Tensor tensor;  // Kept alive, so that no other one gets its address.
    ir::Value* value;
  };

  void read_attributes(const core::ObjectRef& object, ir::Value* self, const std::string& path);
  core::Tensor unknown(const core::Tensor& tensor);
  core::Value take_input(const core::Value& argument, ir::Value* value);

  ops::Results record(const ops::Operator& op, std::span<const core::Value> args,
                      const ops::Next& next, bool grad);
  ops::Results record_parts(const ops::Operator& op, std::span<const core::Value> args,
                            const ops::Next& next);
  ops::Results record_copy(const ops::Operator& op, std::span<const core::Value> args,
                           const ops::Next& next);
  std::string user_place();
  void convert_numbers(const ops::Operator& op, std::span<const core::Value> args);
  void convert_number(const core::Value& number, const core::TypePtr& type);
  ir::Value* argument(const core::Value& value, const ops::Argument& parameter,
                      const ops::Operator& op);
  ir::Value* number_value(const core::Value& value, const core::TypePtr& type,
                          const std::string& argument, const ops::Operator& op);
  void bake(const core::Value& number, const std::string& argument, const ops::Operator& op);
  ir::Value* items(const core::Value& value, const core::TypePtr& element,
                   const ops::Argument& parameter, const ops::Operator& op);
  void set_results(ir::Node* node, const ops::Operator& op, const ops::Results& results);

  /// Refuses what is to be recorded where the graph is full.
  void check_room();
  ir::Node* insert(ir::Node* node);
  ir::Node* insert_call(const ops::Operator& op, const std::vector<ir::Value*>& inputs,
                        const core::TypePtr& result);
  ir::Value* dict_item(const core::DictObject& dict, ir::Value* from, const core::Value& key);
  ir::Value* none();
  ir::Value* constant(const core::Value& value, const base::SourceRange& range);
  ir::Value* list(const core::TypePtr& element, const std::vector<ir::Value*>& items);
  ir::Value* value_of(const core::Value& value);
  ir::Value* value_of(const core::Tensor& tensor);
  ir::Value* output_value(const core::Value& result);
  ir::Value* output_dict(const core::DictObject& dict);
  void set_value(const core::Value& value, ir::Value* to);
  void set_value(const core::Tensor& tensor, ir::Value* to);
  void set_result(const core::Tensor& tensor, ir::Value* to);
  core::Tensor measured(const core::Tensor& tensor, std::string_view question,
                        std::optional<int64_t> dim, int64_t number);
  void warn(const std::string& message) const;
  const base::SourceRange& here();

  ir::Unit& unit_;
  Surroundings surroundings_;
  bool strict_;
  bool paused_ = false;
  bool numbers_are_constants_ = false;  // Also those that the graph has as values.
  std::shared_ptr<ir::Graph> graph_;
  ir::Node* point_;                           // Nodes go before it.
  std::vector<base::SharedText> scopes_{{}};  // The modules' paths in one, innermost last.
  core::ObjectRef self_;
  size_t nodes_ = 0;
  size_t most_nodes_ = default_most_nodes;
  std::unordered_map<const core::TensorImpl*, Known> known_;
  size_t let_go_at_ = 64;   // How many are known when it is next looked which the program dropped.
  size_t fresh_bytes_ = 0;  // Of results since it was looked last.
  std::unordered_map<const core::Object*, ir::Value*> objects_;
  std::vector<Identity> identities_;  // Identity i is the (i-1)-th.
  std::unordered_map<const core::TensorImpl*, std::pair<core::Tensor, core::Value>> wrapped_;
  std::optional<base::SourceRange> here_;  // Of the call that is being recorded.
  Origins origins_;
  std::map<std::string, const ir::Value*> called_;  // The first input that the program calls so.
};

}  // namespace assay::trace
