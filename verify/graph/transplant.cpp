#include "verify/graph/transplant.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "engine/ir/builder.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"
#include "engine/ir/verify.h"
#include "verify/graph/substitute.h"

namespace assay::verify {
namespace {

using Kind = GraphDifference::Kind;

/// Which structural difference each step belongs to that only one program has.
struct Owners {
  std::map<size_t, size_t> of_a, of_b;

  explicit Owners(const Alignment& alignment) {
    for (size_t i = 0; i < alignment.differences.size(); ++i) {
      const GraphDifference& d = alignment.differences[i];
      if (d.kind != Kind::structure) continue;
      for (size_t s = d.begin_a; s < d.end_a; ++s) of_a[s] = i;
      for (size_t s = d.begin_b; s < d.end_b; ++s) of_b[s] = i;
    }
  }

  static std::optional<size_t> find(const std::map<size_t, size_t>& in, const Operand& o) {
    auto found = o.kind == Operand::Kind::result ? in.find(o.step) : in.end();
    return found == in.end() ? std::nullopt : std::optional(found->second);
  }
};

class Surgeon {
 public:
  Surgeon(const Program& a, const Program& b, const Alignment& alignment,
          const std::vector<size_t>& keep)
      : a_(a),
        b_(b),
        alignment_(alignment),
        keep_(keep.begin(), keep.end()),
        owners_(alignment),
        out_(copy_program(a)),
        builder_(*out_.graph) {
    for (size_t s = 0; s < b.steps.size(); ++s) step_of_[b.steps[s].node] = s;
  }

  std::shared_ptr<ir::Graph> run() {
    for (size_t i : keep_) {
      const GraphDifference& d = alignment_.differences[i];
      if (d.kind == Kind::structure && !bring(d)) return nullptr;
    }
    for (size_t i : keep_) {
      if (alignment_.differences[i].kind == Kind::structure) hand_over(i);
    }
    for (size_t i = 0; i < alignment_.differences.size(); ++i) {
      const GraphDifference& d = alignment_.differences[i];
      if (d.kind == Kind::wiring && !rewire(d, keep_.count(i) > 0)) return nullptr;
      if (d.kind == Kind::literal && keep_.count(i)) put_literal(d);
    }
    for (size_t i : keep_) {
      const GraphDifference& d = alignment_.differences[i];
      if (d.kind == Kind::structure && !take_away(d)) return nullptr;
    }
    narrow_lists();
    return is_valid() ? out_.graph : nullptr;
  }

 private:
  bool is_valid() const {
    std::vector<ir::Violation> broken = ir::verify(*out_.graph);
    // Attributes are looked up in the module that the graph runs over, which may be `b`'s, whose
    // class has attributes that the class of `a` has not.
    return std::all_of(broken.begin(), broken.end(),
                       [](const ir::Violation& v) { return v.rule == "ir.v9"; });
  }

  bool kept(std::optional<size_t> difference) const {
    return difference && keep_.count(*difference) > 0;
  }

  static bool is_flat(const Step& s) { return s.op != "}" && s.node->blocks().empty(); }

  /// Copies the steps that only `b` has before the step that follows them.
  bool bring(const GraphDifference& d) {
    auto flat = [](const Program& p, size_t begin, size_t end) {
      return std::all_of(p.steps.begin() + static_cast<long>(begin),
                         p.steps.begin() + static_cast<long>(end), is_flat);
    };
    if (!flat(a_, d.begin_a, d.end_a) || !flat(b_, d.begin_b, d.end_b)) return false;
    ir::Node* before = out_.steps[d.end_a].node;
    for (size_t s = d.begin_b; s < d.end_b; ++s) {
      const ir::Node* original = b_.steps[s].node;
      builder_.set_point(before);
      ir::ValueMap reads;
      for (const ir::Value* input : original->inputs()) {
        ir::Value* stands = here(input);
        if (!stands) return false;
        reads[input] = stands;
      }
      ir::Node* copy = ir::copy_node(*original, *out_.graph, reads);
      copy->insert_before(before);
      brought_.insert(copy);
      for (size_t o = 0; o < copy->outputs().size(); ++o) {
        copies_[original->output(o)] = copy->output(o);
      }
    }
    return true;
  }

  /// What stands in the new graph for a value of `b`, at the builder's point; null for nothing.
  ir::Value* here(const ir::Value* value) {
    auto copied = copies_.find(value);
    if (copied != copies_.end()) return copied->second;
    const ir::Node* node = value->node();
    if (node->is(ir::kinds().constant) || node->is(ir::kinds().get_attribute)) return fetch(*node);
    const auto& inputs = b_.graph->inputs();
    auto input = std::find(inputs.begin(), inputs.end(), value);
    if (input != inputs.end()) {
      return out_.graph->inputs()[static_cast<size_t>(input - inputs.begin())];
    }
    auto step = step_of_.find(node);
    if (step == step_of_.end()) return nullptr;
    if (auto counterpart = alignment_.to_a[step->second]) {
      return output_of(*out_.steps[*counterpart].node, *value);
    }
    auto owner = owners_.of_b.find(step->second);
    return owner == owners_.of_b.end() ? nullptr : instead_of(owner->second);
  }

  /// The output of a step that stands for a value of its counterpart. A list that is taken apart
  /// for a loop has as many parts as there are rounds.
  static ir::Value* output_of(ir::Node& step, const ir::Value& value) {
    const auto& wanted = value.node()->outputs();
    for (size_t o = step.outputs().size(); o < wanted.size(); ++o) {
      if (!step.is(ir::kinds().list_unpack)) return nullptr;
      step.add_output(wanted[o]->type());
    }
    return value.index() < step.outputs().size() ? step.output(value.index()) : nullptr;
  }

  /// Takes from lists the parts that only rounds of `a` read which are gone.
  void narrow_lists() {
    for (size_t s = 0; s < a_.steps.size(); ++s) {
      auto counterpart = alignment_.to_b[s];
      if (!counterpart || !a_.steps[s].is(ir::kinds().list_unpack)) continue;
      ir::Node* step = out_.steps[s].node;
      size_t wanted = b_.steps[*counterpart].node->outputs().size();
      while (step->outputs().size() > wanted && !step->outputs().back()->has_uses()) {
        step->remove_output(step->outputs().size() - 1);
      }
    }
  }

  /// A copy of a constant or an attribute at the builder's point.
  ir::Value* fetch(const ir::Node& node) {
    ir::ValueMap reads;
    for (const ir::Value* input : node.inputs()) {
      reads[input] = here(input);
      if (!reads[input]) return nullptr;
    }
    ir::Node* copy = ir::copy_node(node, *out_.graph, reads);
    copy->insert_before(builder_.point());
    return copy->output();
  }

  /// What later steps of `b` read in place of a structural difference that is not exchanged: the
  /// one result of `a`'s steps there, or, where `a` has none, the one value that went in.
  ir::Value* instead_of(size_t difference) {
    const GraphDifference& d = alignment_.differences[difference];
    if (d.begin_a < d.end_a) return only_one(results(out_, d.begin_a, d.end_a));
    ir::Value* read = only_one(reads(b_, d.begin_b, d.end_b));
    return read ? here(read) : nullptr;
  }

  using Values = std::set<ir::Value*>;
  static ir::Value* only_one(const Values& values) {
    return values.size() == 1 ? *values.begin() : nullptr;
  }

  /// What steps read from outside, constants and attributes aside.
  static Values reads(const Program& p, size_t begin, size_t end) {
    Values inside, outside;
    for (size_t s = begin; s < end; ++s) {
      for (ir::Value* input : p.steps[s].node->inputs()) {
        bool fetched =
            input->node()->is(ir::kinds().constant) || input->node()->is(ir::kinds().get_attribute);
        if (!fetched && !inside.count(input)) outside.insert(input);
      }
      for (ir::Value* output : p.steps[s].node->outputs()) inside.insert(output);
    }
    return outside;
  }

  /// What is read of steps outside of them.
  static Values results(const Program& p, size_t begin, size_t end) {
    std::set<const ir::Node*> nodes;
    for (size_t s = begin; s < end; ++s) nodes.insert(p.steps[s].node);
    Values found;
    for (size_t s = begin; s < end; ++s) {
      for (ir::Value* output : p.steps[s].node->outputs()) {
        bool leaves = std::any_of(output->uses().begin(), output->uses().end(),
                                  [&](const ir::Use& use) { return !nodes.count(use.user); });
        if (leaves) found.insert(output);
      }
    }
    return found;
  }

  /// Where `a`'s steps of a difference give one value, lets its readers have the one that takes its
  /// place: what `b`'s steps give, or, where `b` has none, what went in.
  void hand_over(size_t difference) {
    const GraphDifference& d = alignment_.differences[difference];
    ir::Value* old = only_one(results(out_, d.begin_a, d.end_a));
    if (!old) return;
    ir::Value* fresh = nullptr;
    if (d.begin_b == d.end_b) {
      fresh = only_one(reads(out_, d.begin_a, d.end_a));
    } else if (ir::Value* original = only_one(results(b_, d.begin_b, d.end_b))) {
      fresh = copies_.at(original);
    }
    if (!fresh) return;
    old->replace_all_uses(fresh);
    handed_over_.insert(difference);
  }

  /// Lets a counterpart read what it reads in `b`, where that follows from what is exchanged.
  bool rewire(const GraphDifference& d, bool asked_for) {
    const auto& in_a = a_.steps[d.step_a].operands;
    const auto& in_b = b_.steps[d.step_b].operands;
    if (d.operand >= in_a.size() || d.operand >= in_b.size()) return relist(d, asked_for);
    auto from_a = Owners::find(owners_.of_a, in_a[d.operand]);
    auto from_b = Owners::find(owners_.of_b, in_b[d.operand]);
    bool goes = kept(from_a), stays = from_a && !goes;
    bool may_change = goes || from_b || asked_for;
    bool done = from_a && handed_over_.count(*from_a) > 0;
    if (stays || done || !may_change) return true;
    ir::Node* reader = out_.steps[d.step_a].node;
    builder_.set_point(reader);
    ir::Value* fresh = here(b_.steps[d.step_b].node->input(d.operand));
    // Around steps that stay away, only something new is worth reading.
    bool around = from_b && !kept(from_b) && !goes;
    if (around && (!fresh || !brought_.count(fresh->node()))) return true;
    if (fresh) reader->replace_input(d.operand, fresh);
    return fresh != nullptr;
  }

  /// Lets a list of more or fewer elements hold what it holds in `b`, where that is asked for or
  /// elements of it come or go; of one that is taken apart narrow_lists takes what is too much.
  bool relist(const GraphDifference& d, bool asked_for) {
    auto moves = [&](const std::map<size_t, size_t>& owners, const Step& step) {
      return std::any_of(step.operands.begin(), step.operands.end(),
                         [&](const Operand& o) { return kept(Owners::find(owners, o)); });
    };
    const Step& in_b = b_.steps[d.step_b];
    if (!asked_for && !moves(owners_.of_a, a_.steps[d.step_a]) && !moves(owners_.of_b, in_b)) {
      return true;
    }
    ir::Node* list = out_.steps[d.step_a].node;
    if (list->is(ir::kinds().list_unpack)) {
      const auto& parts = in_b.node->outputs();
      for (size_t o = list->outputs().size(); o < parts.size(); ++o)
        list->add_output(parts[o]->type());
      return true;
    }
    if (!list->is(ir::kinds().list) && !list->is(ir::kinds().tuple)) return false;
    builder_.set_point(list);
    std::vector<ir::Value*> elements;
    for (const ir::Value* input : in_b.node->inputs()) {
      elements.push_back(here(input));
      if (!elements.back()) return false;
    }
    while (!list->inputs().empty()) list->remove_input(list->inputs().size() - 1);
    for (ir::Value* element : elements) list->add_input(element);
    return true;
  }

  void put_literal(const GraphDifference& d) {
    ir::Node* reader = out_.steps[d.step_a].node;
    builder_.set_point(reader);
    reader->replace_input(d.operand, builder_.constant(d.literal_b));
  }

  bool take_away(const GraphDifference& d) {
    for (size_t s = d.end_a; s-- > d.begin_a;) {
      if (out_.steps[s].node->has_uses()) return false;
      out_.steps[s].node->erase();
    }
    return true;
  }

  const Program& a_;
  const Program& b_;
  const Alignment& alignment_;
  std::set<size_t> keep_;
  Owners owners_;
  Program out_;
  ir::Builder builder_;
  std::unordered_map<const ir::Node*, size_t> step_of_;      // Of `b`.
  std::unordered_map<const ir::Value*, ir::Value*> copies_;  // Results of brought steps.
  std::set<const ir::Node*> brought_;
  std::set<size_t> handed_over_;
};

}  // namespace

std::shared_ptr<ir::Graph> transplant(const Program& a, const Program& b,
                                      const Alignment& alignment, const std::vector<size_t>& keep) {
  return Surgeon(a, b, alignment, keep).run();
}

std::shared_ptr<ir::Graph> exchange(const Program& a, const Program& b, const Alignment& alignment,
                                    const std::vector<size_t>& keep) {
  std::vector<Substitution> literals;
  bool structural = false, all_structure = true;
  for (size_t i = 0; i < alignment.differences.size(); ++i) {
    const GraphDifference& d = alignment.differences[i];
    bool kept = std::find(keep.begin(), keep.end(), i) != keep.end();
    if (d.kind == Kind::literal) {
      if (kept) literals.push_back({d.step_a, d.operand, d.literal_b});
      continue;
    }
    structural = structural || kept;
    all_structure = all_structure && kept;
  }
  if (!structural) return substitute(a, literals, {});
  if (all_structure) return exchange_structure(a, b, alignment, keep);
  return transplant(a, b, alignment, keep);
}

std::vector<std::vector<size_t>> dependencies_of(const Program& a, const Program& b,
                                                 const Alignment& alignment) {
  Owners owners(alignment);
  std::vector<std::vector<size_t>> out;
  for (const GraphDifference& d : alignment.differences) {
    std::vector<size_t>& from = out.emplace_back();
    if (d.kind != Kind::wiring) continue;
    const auto& in_a = a.steps[d.step_a].operands;
    const auto& in_b = b.steps[d.step_b].operands;
    // That a list has more elements follows from all that come or go.
    size_t end = d.operand < std::min(in_a.size(), in_b.size())
                     ? d.operand + 1
                     : std::max(in_a.size(), in_b.size());
    auto add = [&](const std::map<size_t, size_t>& in, const std::vector<Operand>& operands) {
      for (size_t o = d.operand; o < std::min(end, operands.size()); ++o) {
        if (auto owner = Owners::find(in, operands[o])) from.push_back(*owner);
      }
    };
    add(owners.of_a, in_a);
    add(owners.of_b, in_b);
  }
  return out;
}

}  // namespace assay::verify
