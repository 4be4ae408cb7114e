#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/interp/code.h"
#include "engine/interp/lifetime.h"
#include "engine/interp/lower.h"

namespace assay::interp {

/// The state of compiling one graph: registers, instructions, lifetimes.
class Lowering {
 public:
  Lowering(const ir::Graph& graph, std::string name, const LowerOptions& options);
  std::shared_ptr<const Code> run(uint64_t version);

 private:
  using Handler = void (Lowering::*)(const ir::Node&);
  static Handler handler_of(base::Symbol kind);

  // lower.cpp: blocks, registers, control flow.
  void reserve(size_t nodes);
  void place_constants();
  void place_constant(const ir::Value* value, core::Value held);
  void nodes_of(const ir::Block& block);
  void node(const ir::Node& node);
  void branch(const ir::Node& node);
  void loop(const ir::Node& node);
  void share_branch_results(const ir::Node& node, const ir::Block& block);
  void share_loop_results(const ir::Block& body);
  bool makes_alone(const ir::Value* value, const ir::Block& block) const;
  struct Move {
    uint32_t to;
    uint32_t from;
    bool last;
  };
  Move result_move(const ir::Block& block, size_t result, uint32_t to);
  void parallel_moves(std::vector<Move> moves);
  void drop_after(const ir::Node& node);

  uint32_t new_registers(size_t count);
  uint32_t output_registers(const ir::Node& node);
  uint32_t register_of(const ir::Value* value) const;
  /// The register, with last_bit if `node` may empty it.
  uint32_t operand(const ir::Node& node, size_t input);
  uint32_t take_over(const ir::Node& node, const ir::Value* value);
  std::vector<uint32_t> operands(const ir::Node& node, size_t from = 0);
  size_t emit(Opcode opcode, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  uint32_t add_site(const ir::Node& node, Site site);
  uint32_t here() const { return static_cast<uint32_t>(code_->instructions.size()); }

  // lower_nodes.cpp: one node each.
  void emit_site(const ir::Node& node, Opcode opcode, Site site = {});
  void nothing(const ir::Node&) {}
  void cast(const ir::Node& node);
  void blank(const ir::Node& node);
  void make(const ir::Node& node);
  void make_object(const ir::Node& node);
  void unpack(const ir::Node& node);
  void tuple_index(const ir::Node& node);
  void tuple_slice(const ir::Node& node);
  void attribute(const ir::Node& node);
  void call_method(const ir::Node& node);
  void call_native(const ir::Node& node);
  void call_function(const ir::Node& node);
  void call_outside(const ir::Node& node);
  void context(const ir::Node& node);
  void fork(const ir::Node& node);
  void wait(const ir::Node& node);
  void raise_or_print(const ir::Node& node);
  void warn(const ir::Node& node);
  void container_item(const ir::Node& node);
  void is_instance(const ir::Node& node);
  void sort(const ir::Node& node);
  void operator_call(const ir::Node& node);
  static const ops::Operator* operator_of(const ir::Node& node);
  static bool takes_as_number(const ir::Node& node, size_t input);
  void append_to_list(const ir::Node& node);
  bool direct(const ir::Node& node);

  const ir::Graph& graph_;
  LowerOptions options_;
  std::shared_ptr<Code> code_;
  Lifetime lifetime_;
  std::unordered_map<const ir::Value*, uint32_t> registers_;
  std::unordered_map<const ir::Value*, uint32_t> numbers_;  // Constants as numbers.
  std::unordered_set<const ir::Value*> moved_;              // By the node that is being compiled.
  std::unordered_map<const ir::Node*, uint32_t> places_;
  uint32_t location_ = 0;
};

}  // namespace assay::interp
