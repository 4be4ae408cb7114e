#include "engine/interp/lower.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/interp/detail/lowering.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"

namespace assay::interp {

std::shared_ptr<const Code> lower(const ir::Graph& graph, const std::string& name,
                                  const LowerOptions& options, uint64_t version) {
  return Lowering(graph, name, options).run(version);
}

Lowering::Lowering(const ir::Graph& graph, std::string name, const LowerOptions& options)
    : graph_(graph), options_(options), code_(std::make_shared<Code>()) {
  code_->name = std::move(name);
}

std::shared_ptr<const Code> Lowering::run(uint64_t version) {
  code_->version = version;
  const ir::Block& body = *graph_.block();
  for (const ir::Value* param : body.params()) registers_[param] = new_registers(1);
  code_->parameters = static_cast<uint32_t>(body.params().size());
  reserve(graph_.node_count());
  place_constants();
  code_->locations.emplace_back();
  lifetime_.add(body);
  nodes_of(body);
  location_ = 0;
  emit(Opcode::finish, add_site(*body.return_node(), {.inputs = operands(*body.return_node())}));
  return code_;
}

/// Room for what most programs of so many nodes become.
void Lowering::reserve(size_t nodes) {
  code_->instructions.reserve(nodes);
  code_->location_of.reserve(nodes);
  code_->sites.reserve(nodes);
  code_->locations.reserve(nodes);
  registers_.reserve(nodes);
}

void Lowering::place_constants() {
  graph_.for_each([this](const ir::Node* node) {
    if (!node->is(ir::kinds().constant)) return;
    auto value = ir::constant_value(node);
    base::check(value.has_value(), "a constant in '", code_->name, "' holds no value");
    place_constant(node->output(), std::move(*value));
  });
}

/// In a register; in a second one for those who take the tensor for a number.
void Lowering::place_constant(const ir::Value* value, core::Value held) {
  bool zero_dim = held.is_tensor() && held.tensor_impl()->sizes.empty();
  bool as_number = zero_dim && std::ranges::any_of(value->uses(), [](const ir::Use& use) {
                     return takes_as_number(*use.user, use.index);
                   });
  if (as_number) {
    core::Tensor number = held.to_tensor().alias();
    number.impl()->wrapped_number = true;
    numbers_[value] = new_registers(1);
    code_->constants.emplace_back(number);
  }
  registers_[value] = new_registers(1);
  code_->constants.push_back(std::move(held));
}

void Lowering::nodes_of(const ir::Block& block) {
  for (const ir::Node* inner : block) {
    if (inner->is(ir::kinds().constant)) continue;
    node(*inner);
  }
}

void Lowering::node(const ir::Node& node) {
  location_ = static_cast<uint32_t>(code_->locations.size());
  code_->locations.push_back(node.range());
  moved_.clear();
  if (Handler handler = handler_of(node.kind()))
    (this->*handler)(node);
  else if (!direct(node))
    operator_call(node);
  drop_after(node);
}

// Empties what the node, or what lies in it, read last, and what nobody reads.
void Lowering::drop_after(const ir::Node& node) {
  auto drop = [&](const ir::Value* value) {
    auto found = registers_.find(value);
    if (found == registers_.end() || !is_counted(value->type())) return;
    emit(Opcode::drop, found->second);
  };
  std::vector<uint32_t> written;
  for (const ir::Value* output : node.outputs())
    if (output->has_uses()) written.push_back(register_of(output));
  for (const ir::Value* value : lifetime_.ending(&node)) {
    if (value->node()->is(ir::kinds().constant)) continue;
    if (moved_.count(value)) continue;
    // A result may have taken over the register.
    bool taken = std::find(written.begin(), written.end(), register_of(value)) != written.end();
    if (!taken) drop(value);
  }
  for (const ir::Value* output : node.outputs())
    if (!output->has_uses()) drop(output);
}

void Lowering::branch(const ir::Node& node) {
  base::check(node.inputs().size() == 1 && node.blocks().size() == 2,
              "a branch wants one condition and two blocks");
  output_registers(node);
  uint32_t location = location_;
  size_t jump = emit(Opcode::jump_unless, 0, operand(node, 0));
  size_t skip = 0;
  for (size_t i = 0; i < 2; ++i) {
    const ir::Block& block = *node.block(i);
    base::check(block.results().size() == node.outputs().size(),
                "a branch of prim::If does not give its results");
    if (i == 1) code_->instructions[jump].a = here();
    share_branch_results(node, block);
    lifetime_.add(block);
    nodes_of(block);
    location_ = location;
    std::vector<Move> moves;
    for (size_t k = 0; k < block.results().size(); ++k)
      moves.push_back(result_move(block, k, register_of(node.output(k))));
    parallel_moves(std::move(moves));
    if (i == 0) skip = emit(Opcode::jump);
  }
  code_->instructions[skip].a = here();
  if (skip + 1 == here()) {  // Nothing in the second branch: fall through instead.
    code_->instructions.pop_back();
    code_->location_of.pop_back();
    code_->instructions[jump].a = here();
  }
  moved_.clear();
}

void Lowering::loop(const ir::Node& node) {
  size_t carried = node.outputs().size();
  base::check(node.inputs().size() == carried + 2 && node.blocks().size() == 1 &&
                  node.block()->params().size() == carried + 1 &&
                  node.block()->results().size() == carried + 1,
              "a loop does not carry what it gives");
  const ir::Block& body = *node.block();
  uint32_t location = location_;
  uint32_t counter = new_registers(2);
  uint32_t first = output_registers(node);
  registers_[body.params()[0]] = counter;
  emit(Opcode::move, counter + 1, register_of(node.input(0)));
  for (size_t k = 0; k < carried; ++k) {
    // A carried value and the loop's output are one register.
    registers_[body.params()[k + 1]] = first + static_cast<uint32_t>(k);
    emit(Opcode::move, first + static_cast<uint32_t>(k), operand(node, k + 2));
  }
  auto moved_in = moved_;
  size_t start = emit(Opcode::loop_start, counter, register_of(node.input(1)));
  uint32_t top = here();
  lifetime_.add(body);
  share_loop_results(body);
  nodes_of(body);
  location_ = location;
  std::vector<Move> moves;
  for (size_t k = 0; k < carried; ++k)
    moves.push_back(result_move(body, k + 1, first + static_cast<uint32_t>(k)));
  uint32_t condition = register_of(body.results()[0]);
  bool overwritten = condition >= first && condition < first + carried;
  // The condition may be an old carried value.
  bool is_param = body.results()[0]->node() == body.param_node();
  if (overwritten && is_param) {
    uint32_t kept = new_registers(1);
    moves.push_back({kept, condition, false});
    condition = kept;
  }
  parallel_moves(std::move(moves));
  if (ir::always_true(body.results()[0])) {
    emit(Opcode::count_next, counter, 0, top);
  } else {
    emit(Opcode::loop_next, counter, condition, top);
  }
  code_->instructions[start].c = here();
  moved_ = std::move(moved_in);
}

// Whether a node without blocks, directly in `block`, makes the value as its one output: then it
// can write to any register.
bool Lowering::makes_alone(const ir::Value* value, const ir::Block& block) const {
  const ir::Node* node = value->node();
  if (node->owner() != &block || node->is_sentinel() || node->is(ir::kinds().constant))
    return false;
  if (!node->blocks().empty() || node->outputs().size() != 1) return false;
  const auto& results = block.results();
  return std::count(results.begin(), results.end(), value) == 1;
}

void Lowering::share_branch_results(const ir::Node& node, const ir::Block& block) {
  for (size_t k = 0; k < block.results().size(); ++k)
    if (makes_alone(block.results()[k], block))
      registers_[block.results()[k]] = register_of(node.output(k));
}

// `x = x + i`: the sum may be written over x where nobody reads the old x later.
void Lowering::share_loop_results(const ir::Block& body) {
  for (size_t k = 1; k < body.results().size(); ++k) {
    const ir::Value* result = body.results()[k];
    const ir::Value* param = body.params()[k];
    if (makes_alone(result, body) && lifetime_.ends_by(param, result->node()))
      registers_[result] = register_of(param);
  }
}

Lowering::Move Lowering::result_move(const ir::Block& block, size_t result, uint32_t to) {
  const ir::Value* value = block.results()[result];
  bool own = value->node()->owner() == &block && !value->node()->is(ir::kinds().constant);
  bool last = own && is_counted(value->type()) && lifetime_.ends_at(value, block.return_node());
  return {to, register_of(value), last};
}

void Lowering::parallel_moves(std::vector<Move> moves) {
  std::erase_if(moves, [](const Move& m) { return m.to == m.from; });
  while (!moves.empty()) {
    auto reads = [&](uint32_t reg, const Move* except) {
      return std::any_of(moves.begin(), moves.end(),
                         [&](const Move& m) { return &m != except && m.from == reg; });
    };
    auto ready =
        std::find_if(moves.begin(), moves.end(), [&](const Move& m) { return !reads(m.to, &m); });
    if (ready == moves.end()) {  // A circle: take one value aside.
      uint32_t aside = new_registers(1);
      emit(Opcode::move, aside, moves[0].from | last_bit);
      uint32_t from = moves[0].from;
      for (Move& m : moves)
        if (m.from == from) m = {m.to, aside, true};
      continue;
    }
    bool last = ready->last && !reads(ready->from, &*ready);
    emit(Opcode::move, ready->to, ready->from | (last ? last_bit : 0));
    moves.erase(ready);
  }
}

uint32_t Lowering::new_registers(size_t count) {
  uint32_t first = code_->registers;
  base::check(count < last_bit - first, "'", code_->name, "' needs too many registers");
  code_->registers += static_cast<uint32_t>(count);
  return first;
}

// Consecutive registers for the outputs, unless a single one was given another's.
uint32_t Lowering::output_registers(const ir::Node& node) {
  if (node.outputs().size() == 1) {
    auto known = registers_.find(node.output());
    if (known != registers_.end()) return known->second;
  }
  uint32_t first = new_registers(node.outputs().size());
  for (size_t i = 0; i < node.outputs().size(); ++i)
    registers_[node.output(i)] = first + static_cast<uint32_t>(i);
  return first;
}

uint32_t Lowering::register_of(const ir::Value* value) const {
  auto found = registers_.find(value);
  base::check(found != registers_.end(), "%", value->name(), " is read before it is defined in '",
              code_->name, "'");
  return found->second;
}

uint32_t Lowering::operand(const ir::Node& node, size_t input) {
  const ir::Value* value = node.input(input);
  for (size_t later = input + 1; later < node.inputs().size(); ++later)
    if (node.input(later) == value) return register_of(value);
  return take_over(node, value);
}

// The register, emptied by `node` if that is the last to read it.
uint32_t Lowering::take_over(const ir::Node& node, const ir::Value* value) {
  uint32_t reg = register_of(value);
  if (value->node()->is(ir::kinds().constant) || !is_counted(value->type())) return reg;
  if (!lifetime_.ends_at(value, &node)) return reg;
  moved_.insert(value);
  return reg | last_bit;
}

std::vector<uint32_t> Lowering::operands(const ir::Node& node, size_t from) {
  size_t count = node.inputs().size();
  std::vector<uint32_t> list(count - from);
  // From the back: a value that is read twice is emptied by its last read.
  std::unordered_set<const ir::Value*> seen;
  for (size_t i = count; i-- > from;) {
    const ir::Value* value = node.input(i);
    bool last = value->uses().size() == 1 || seen.insert(value).second;
    list[i - from] = last ? take_over(node, value) : register_of(value);
  }
  return list;
}

size_t Lowering::emit(Opcode opcode, uint32_t a, uint32_t b, uint32_t c) {
  code_->instructions.push_back({opcode, a, b, c});
  code_->location_of.push_back(location_);
  return code_->instructions.size() - 1;
}

uint32_t Lowering::add_site(const ir::Node& node, Site site) {
  site.location = location_;
  site.outputs = static_cast<uint32_t>(node.outputs().size());
  code_->sites.push_back(std::move(site));
  return static_cast<uint32_t>(code_->sites.size() - 1);
}

}  // namespace assay::interp
