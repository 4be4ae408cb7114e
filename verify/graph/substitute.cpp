#include "verify/graph/substitute.h"

#include <fmt/core.h>

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

/// The size at the source, "x.size(2)"; nothing where the graph has no tensor there.
std::optional<std::string> read_size(const ir::Graph& graph, const SizeSource& source) {
  size_t position = 0;
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    const core::TypePtr& type = graph.inputs()[i]->type();
    bool scalar = type->is(core::TypeKind::integer) || type->is(core::TypeKind::floating) ||
                  type->is(core::TypeKind::boolean) || type->is(core::TypeKind::string);
    if (scalar || position++ != source.graph_input) continue;
    if (!type->is(core::TypeKind::tensor)) return std::nullopt;
    return fmt::format("{}.size({})", input_names(graph)[i], source.dim);
  }
  return std::nullopt;
}

/// A fitted size over sizes of the graph's inputs; nothing where a letter can be read nowhere.
std::optional<Written> written(const SizeFit& fit, const ir::Graph& graph,
                               const std::map<std::string, SizeSource>& sources) {
  std::string product = std::to_string(fit.scale);
  for (const SizeFit::Factor& factor : fit.factors) {
    auto source = sources.find(factor.letter);
    if (source == sources.end()) return std::nullopt;
    std::optional<std::string> size = read_size(graph, source->second);
    if (!size) return std::nullopt;
    std::string number = fmt::format("(({} + {}) // {})", *size, factor.add, factor.divisor);
    // A quarter less, at which it does not matter how the logarithm is rounded, and 1 gives 1.
    if (factor.to_power_of_two)
      number = fmt::format("(1 << math.ceil(math.log({} - 0.25, 2.0)))", number);
    product += " * " + number;
  }
  return Written{fmt::format("{} + {}", product, fit.offset)};
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
    const core::Value& literal = program.steps[s.step].operands[s.operand].literal;
    ir::Value* fresh = nullptr;
    if (const auto* value = std::get_if<core::Value>(&s.replacement)) {
      builder.set_point(node);
      fresh = builder.constant(*value);
    } else if (const auto* expression = std::get_if<Written>(&s.replacement)) {
      fresh = write_out(*expression, literal, node);
    } else if (auto size = written(std::get<SizeFit>(s.replacement), *copy.graph, sources)) {
      fresh = write_out(*size, literal, node);
    }
    if (!fresh) return nullptr;
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
