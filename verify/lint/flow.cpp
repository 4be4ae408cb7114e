#include "verify/lint/flow.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "engine/ir/kinds.h"
#include "engine/ops/catalog.h"

namespace assay::verify::lint {
namespace {

/// Whether a tensor constant stands where layers have their weights: in frozen archives all do.
bool is_weight_argument(const Step& step, size_t operand) {
  const ops::Operator* op = operator_of(step);
  if (!op || operand >= op->schema.arguments.size()) return false;
  return op->schema.arguments[operand].name == "weight";
}

/// The step that each "}" closes a block of; itself for the end of the program.
std::vector<size_t> owners_of_blocks(const Program& program) {
  std::unordered_map<const ir::Node*, size_t> positions;
  std::vector<size_t> owners(program.steps.size());
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const Step& step = program.steps[s];
    owners[s] = s;
    if (step.op != "}") {
      positions.emplace(step.node, s);
      continue;
    }
    const ir::Node* owner = step.node->owner()->owner();
    if (auto found = positions.find(owner); found != positions.end()) owners[s] = found->second;
  }
  return owners;
}

/// Which operands a step's results may share memory with.
std::vector<size_t> shared_operands(const Step& step) {
  std::vector<size_t> out;
  const ops::Operator* op = operator_of(step);
  if (op) {
    const auto& arguments = op->schema.arguments;
    for (size_t i = 0; i < std::min(arguments.size(), step.operands.size()); ++i) {
      bool may = op->may_share_argument(i) && holds_tensors(arguments[i].type);
      if (arguments[i].alias || may) out.push_back(i);
    }
    return out;
  }
  const ir::Structure* structure = step.node ? ir::structure_of(step.node->kind()) : nullptr;
  if (step.op == "}" || (structure && structure->sharing == ir::Sharing::apart)) return out;
  for (size_t i = 0; i < step.operands.size(); ++i) out.push_back(i);
  return out;
}

/// Values that may share memory, in sets; and which of all values follow something.
class Following {
 public:
  explicit Following(size_t values) : parent_(values), marked_(values), written_(values) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  /// The two may share memory.
  void join(size_t a, size_t b) { parent_[root(a)] = root(b); }
  void mark(size_t value) {
    if (marked_[value]) return;
    marked_[value] = true;
    open_.push_back(value);
  }
  /// What is written to follows what is written, and so does all that shares its memory. After the
  /// last `join`.
  void mark_written(size_t value) {
    if (members_.empty()) find_members();
    size_t set = root(value);
    if (written_[set]) return;
    written_[set] = true;
    for (size_t member : members_[set]) mark(member);
  }
  /// The next value whose readers were not looked at yet.
  std::optional<size_t> next() {
    if (open_.empty()) return std::nullopt;
    size_t value = open_.back();
    open_.pop_back();
    return value;
  }
  bool is_marked(size_t value) const { return marked_[value]; }

 private:
  size_t root(size_t value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }
  void find_members() {
    members_.resize(parent_.size());
    for (size_t v = 0; v < parent_.size(); ++v) members_[root(v)].push_back(v);
  }

  std::vector<size_t> parent_;
  std::vector<bool> marked_, written_;
  std::vector<std::vector<size_t>> members_;
  std::vector<size_t> open_;
};

}  // namespace

Flow::Flow(const Program& program, const Weights& weights) : program_(program), weights_(weights) {
  find_readers();
  find_sizes();
  find_followers();
}

void Flow::find_readers() {
  readers_.resize(program_.steps.size());
  input_readers_.resize(program_.graph->inputs().size());
  for (size_t s = 0; s < program_.steps.size(); ++s) {
    const auto& operands = program_.steps[s].operands;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Operand& o = operands[i];
      if (o.kind == Operand::Kind::result) readers_[o.step].push_back({s, i});
      if (o.kind == Operand::Kind::input) input_readers_[o.step].push_back({s, i});
      if (o.kind == Operand::Kind::parameter) {
        auto [id, fresh] = parameter_ids_.try_emplace(o.path, parameter_ids_.size());
        if (fresh) path_readers_.emplace_back();
        path_readers_[id->second].push_back({s, i});
      }
    }
  }
}

void Flow::find_sizes() {
  is_size_.assign(program_.steps.size(), false);
  const base::Symbol size("aten::size"), number("prim::NumToTensor");
  for (size_t s = 0; s < program_.steps.size(); ++s) {
    const Step& step = program_.steps[s];
    if (step.is(size) || step.is(number)) {
      is_size_[s] = true;
      continue;
    }
    bool any = false, all = true;
    for (const Operand& o : step.operands) {
      if (o.kind == Operand::Kind::literal) continue;
      bool is = o.kind == Operand::Kind::result && is_size_[o.step];
      any = any || is;
      all = all && is;
    }
    // A tensor that is made with a size is none.
    is_size_[s] = any && all && !makes_tensors(step);
  }
}

size_t Flow::value_id(const Operand& operand) const {
  size_t steps = program_.steps.size();
  if (operand.kind == Operand::Kind::result) return operand.step;
  if (operand.kind == Operand::Kind::input) return steps + operand.step;
  return steps + input_readers_.size() + parameter_ids_.at(operand.path);
}

void Flow::find_followers() {
  const auto& steps = program_.steps;
  size_t inputs_from = steps.size(), paths_from = inputs_from + input_readers_.size();
  Following following(paths_from + parameter_ids_.size());
  std::vector<size_t> owners = owners_of_blocks(program_);
  auto join = [&](size_t value, const Operand& o) {
    if (o.kind != Operand::Kind::literal) following.join(value, value_id(o));
  };
  for (size_t s = 0; s < steps.size(); ++s) {
    for (size_t i : shared_operands(steps[s])) join(s, steps[s].operands[i]);
    if (owners[s] == s) continue;
    for (const Operand& o : steps[s].operands) join(owners[s], o);
  }
  for (size_t i = 0; i < input_readers_.size(); ++i) {
    const core::TypePtr& type = program_.graph->inputs()[i]->type();
    bool self = i == 0 && (type->is(core::TypeKind::class_) || type->is(core::TypeKind::none));
    if (!self) following.mark(inputs_from + i);
  }
  while (auto value = following.next()) {
    for (const Place& p : readers_of(*value)) following.mark(p.step);
    if (*value >= inputs_from) continue;
    following.mark(owners[*value]);
    const ops::Operator* op = operator_of(steps[*value]);
    for (size_t w : op ? op->writes : std::vector<size_t>()) {
      bool there = w < steps[*value].operands.size() &&
                   steps[*value].operands[w].kind != Operand::Kind::literal;
      if (there) following.mark_written(value_id(steps[*value].operands[w]));
    }
  }
  for (size_t s = 0; s < steps.size(); ++s) follows_.push_back(following.is_marked(s));
  for (const auto& [path, id] : parameter_ids_) {
    if (following.is_marked(paths_from + id)) written_paths_.insert(path);
  }
}

const std::vector<Flow::Place>& Flow::readers_of(size_t value) const {
  size_t inputs_from = readers_.size(), paths_from = inputs_from + input_readers_.size();
  if (value < inputs_from) return readers_[value];
  if (value < paths_from) return input_readers_[value - inputs_from];
  return path_readers_[value - paths_from];
}

bool Flow::follows_input(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::literal:
      return false;
    case Operand::Kind::parameter:
      return written_paths_.count(operand.path) > 0;
    case Operand::Kind::input:
      return true;
    case Operand::Kind::result:
      return follows_[operand.step];
  }
  return false;
}

Flow::Place Flow::served(Place place) const {
  while (gathers(program_.steps[place.step]) && !readers_[place.step].empty()) {
    place = readers_[place.step].front();
  }
  return place;
}

bool Flow::add_weights_of(size_t step, std::set<int64_t>& dims) const {
  constexpr size_t most = 256;  // Operands to look at: lists of weights are not longer.
  bool found = false;
  auto add = [&](const core::Tensor& t) {
    dims.insert(t.sizes().begin(), t.sizes().end());
    found = true;
  };
  // A weight may be transposed, sliced or put into a list before it is read.
  std::vector<Place> open;
  auto look_at = [&](size_t s) {
    size_t count = std::min(program_.steps[s].operands.size(), most - open.size());
    for (size_t i = 0; i < count; ++i) open.push_back({s, i});
  };
  look_at(step);
  for (size_t next = 0; next < open.size(); ++next) {
    const Step& s = program_.steps[open[next].step];
    const Operand& o = s.operands[open[next].operand];
    if (o.kind == Operand::Kind::parameter) {
      if (core::Tensor t = weights_.find(o.path)) add(t);
    } else if (o.kind == Operand::Kind::result && !follows_input(o)) {
      look_at(o.step);
    } else if (o.literal.is_tensor() && is_weight_argument(s, open[next].operand)) {
      add(o.literal.to_tensor());
    }
  }
  return found;
}

std::set<int64_t> Flow::dims_near(size_t step) const {
  std::set<int64_t> dims;
  add_weights_of(step, dims);
  add_weights_beyond(step, true, dims);
  add_weights_beyond(step, false, dims);
  return dims;
}

void Flow::add_weights_beyond(size_t step, bool forward, std::set<int64_t>& dims) const {
  constexpr size_t far = 64;  // So many steps: sizes are seldom fixed from farther off.
  std::set<size_t> seen{step};
  std::vector<size_t> open{step};
  auto go_to = [&](size_t s) {
    if (seen.size() < far && seen.insert(s).second) open.push_back(s);
  };
  for (size_t next = 0; next < open.size(); ++next) {
    size_t at = open[next];
    if (at != step && add_weights_of(at, dims)) continue;
    if (forward) {
      for (size_t i = 0; i < std::min(readers_[at].size(), far); ++i) go_to(readers_[at][i].step);
      continue;
    }
    const auto& operands = program_.steps[at].operands;
    for (size_t i = 0; i < std::min(operands.size(), far); ++i) {
      if (operands[i].kind == Operand::Kind::result && follows_[operands[i].step]) {
        go_to(operands[i].step);
      }
    }
  }
}

bool takes_tensors(const ops::Operator& op) {
  return std::ranges::any_of(op.schema.arguments,
                             [](const ops::Argument& a) { return holds_tensors(a.type); });
}

bool makes_tensors(const Step& step) {
  const ops::Operator* op = operator_of(step);
  return op && !takes_tensors(*op) &&
         std::ranges::any_of(op->schema.returns,
                             [](const ops::Argument& r) { return holds_tensors(r.type); });
}

const ops::Operator* operator_of(const Step& step) { return step.node ? step.node->op() : nullptr; }

bool holds_tensors(const core::TypePtr& type) {
  if (type->is(core::TypeKind::tensor)) return true;
  bool holds = type->is(core::TypeKind::list) || type->is(core::TypeKind::tuple) ||
               type->is(core::TypeKind::optional) || type->is(core::TypeKind::dict);
  return holds && std::ranges::any_of(type->contained(), holds_tensors);
}

}  // namespace assay::verify::lint
