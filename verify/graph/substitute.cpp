#include "verify/graph/substitute.h"

#include <algorithm>

#include "engine/ir/builder.h"

namespace assay::verify {
namespace {

using Kind = InputTree::Kind;

bool is_scalar(Kind kind) {
  return kind == Kind::integer || kind == Kind::floating || kind == Kind::boolean ||
         kind == Kind::text;
}

/// Whether tracing takes an input as it is.
bool is_whole(const InputTree& tree) {
  return !is_scalar(tree.kind) && tree.kind != Kind::record &&
         std::all_of(tree.children.begin(), tree.children.end(), is_whole);
}

/// Adds the letters of an input, and steps over the graph's inputs that it becomes.
void add_sources(const InputTree& tree, size_t& position,
                 std::map<std::string, SizeSource>& sources) {
  if (is_scalar(tree.kind)) return;
  if (!is_whole(tree)) {
    for (const InputTree& child : tree.children) add_sources(child, position, sources);
    return;
  }
  bool plain = tree.kind == Kind::tensor && !tree.optional;
  for (size_t d = 0; plain && d < tree.shape.size(); ++d) {
    const ShapeItem& item = tree.shape[d];
    if (item.kind == ShapeItem::Kind::pack) break;  // Later positions are not known.
    bool letter = item.kind == ShapeItem::Kind::size && item.size.is_letter();
    if (letter)
      sources.try_emplace(item.size.text(), SizeSource{position, static_cast<int64_t>(d)});
  }
  ++position;
}

/// Null where the graph has no tensor there.
ir::Value* tensor_of(const ir::Graph& graph, const SizeSource& source) {
  size_t position = 0;
  for (ir::Value* input : graph.inputs()) {
    const core::TypePtr& type = input->type();
    bool scalar = type->is(core::TypeKind::integer) || type->is(core::TypeKind::floating) ||
                  type->is(core::TypeKind::boolean) || type->is(core::TypeKind::string);
    if (scalar || position++ != source.graph_input) continue;
    return type->is(core::TypeKind::tensor) ? input : nullptr;
  }
  return nullptr;
}

/// Emits a fitted size as integer arithmetic on sizes of the graph's inputs.
class FitEmitter {
 public:
  FitEmitter(ir::Builder& builder, const std::map<std::string, SizeSource>& sources)
      : builder_(builder), sources_(sources) {}

  ir::Value* emit(const SizeFit& fit) {
    ir::Value* total = nullptr;
    for (const auto& factor : fit.factors) {
      ir::Value* value = emit(factor);
      total = total ? binary("aten::mul", total, value) : value;
    }
    if (fit.scale != 1) total = binary("aten::mul", total, builder_.constant(fit.scale));
    if (fit.offset != 0) total = binary("aten::add", total, builder_.constant(fit.offset));
    return total;
  }

 private:
  ir::Value* emit(const SizeFit::Factor& factor) {
    const SizeSource& source = sources_.at(factor.letter);
    ir::Value* tensor = tensor_of(builder_.graph(), source);
    ir::Value* value = binary("aten::size", tensor, builder_.constant(source.dim));
    if (factor.add != 0) value = binary("aten::add", value, builder_.constant(factor.add));
    if (factor.divisor != 1) {
      value = binary("aten::floordiv", value, builder_.constant(factor.divisor));
    }
    return factor.to_power_of_two ? to_power_of_two(value) : value;
  }

  /// 1 << ceil(log2(n - 0.25)), at which it does not matter how the logarithm is rounded, and 1
  /// gives 1.
  ir::Value* to_power_of_two(ir::Value* n) {
    ir::Value* less = binary("aten::sub", n, builder_.constant(0.25));
    ir::Value* power = binary("aten::log", less, builder_.constant(2.0));
    ir::Value* whole = builder_.call("aten::ceil", {power})->output();
    return binary("aten::__lshift__", builder_.constant(int64_t{1}), whole);
  }

  ir::Value* binary(const char* op, ir::Value* a, ir::Value* b) {
    return builder_.call(op, {a, b})->output();
  }

  ir::Builder& builder_;
  const std::map<std::string, SizeSource>& sources_;
};

bool has_sources(const SizeFit& fit, const ir::Graph& graph,
                 const std::map<std::string, SizeSource>& sources) {
  return std::all_of(fit.factors.begin(), fit.factors.end(), [&](const auto& f) {
    auto source = sources.find(f.letter);
    return source != sources.end() && tensor_of(graph, source->second) != nullptr;
  });
}

/// A literal float stays a float (`x * 7.0` was `x * float(n)`), a number that tracing stored as a
/// tensor stays one.
ir::Value* as_kind_of(const core::Value& literal, ir::Value* size, ir::Builder& builder) {
  if (literal.is_float()) return builder.call("aten::Float", {size})->output();
  if (literal.is_tensor()) return builder.call("prim::NumToTensor", {size})->output();
  return size;
}

}  // namespace

std::map<std::string, SizeSource> size_sources(const Spec& spec) {
  std::map<std::string, SizeSource> sources;
  size_t position = 1;  // After `self`.
  for (const Input& input : spec.inputs) {
    if (!input.keyword) add_sources(input.tree, position, sources);
  }
  return sources;
}

std::shared_ptr<ir::Graph> substitute(const Program& program,
                                      const std::vector<Substitution>& substitutions,
                                      const std::map<std::string, SizeSource>& sources) {
  Program copy = copy_program(program);
  ir::Builder builder(*copy.graph);
  for (const Substitution& s : substitutions) {
    ir::Node* node = copy.steps[s.step].node;
    builder.set_point(node);
    ir::Value* fresh = nullptr;
    if (const auto* size = std::get_if<SizeFit>(&s.replacement)) {
      if (!has_sources(*size, *copy.graph, sources)) return nullptr;
      const core::Value& literal = program.steps[s.step].operands[s.operand].literal;
      fresh = as_kind_of(literal, FitEmitter(builder, sources).emit(*size), builder);
    } else if (const auto* written = std::get_if<Written>(&s.replacement)) {
      fresh = write_out(*written, program.steps[s.step].operands[s.operand].literal, node);
      if (!fresh) return nullptr;
    } else {
      fresh = builder.constant(std::get<core::Value>(s.replacement));
    }
    node->replace_input(s.operand, fresh);
  }
  return copy.graph;
}

std::shared_ptr<ir::Graph> exchange_structure(const Program& a, const Program& b,
                                              const Alignment& alignment,
                                              const std::vector<size_t>& keep) {
  std::vector<Substitution> back;
  for (size_t i = 0; i < alignment.differences.size(); ++i) {
    const GraphDifference& d = alignment.differences[i];
    bool kept = std::find(keep.begin(), keep.end(), i) != keep.end();
    if (kept || d.kind != GraphDifference::Kind::literal) continue;
    back.push_back({d.step_b, d.operand, a.steps[d.step_a].operands[d.operand].literal});
  }
  return substitute(b, back, {});
}

}  // namespace assay::verify
