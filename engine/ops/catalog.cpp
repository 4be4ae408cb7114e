#include "engine/ops/catalog.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/ops/infer/activation.h"
#include "engine/ops/infer/computed.h"
#include "engine/ops/infer/convolution.h"
#include "engine/ops/infer/creation.h"
#include "engine/ops/infer/detection.h"
#include "engine/ops/infer/indexing.h"
#include "engine/ops/infer/linear.h"
#include "engine/ops/infer/loss.h"
#include "engine/ops/infer/metadata.h"
#include "engine/ops/infer/normalization.h"
#include "engine/ops/infer/pointwise.h"
#include "engine/ops/infer/recurrent.h"
#include "engine/ops/infer/reduction.h"
#include "engine/ops/infer/shape.h"
#include "engine/ops/schema_parser.h"
#include "engine/ops/shared_constraints.h"

namespace assay::ops {
namespace {

/// Constraints stand beside the row (`requirements`).
constexpr void state(Row&, std::span<const Constraint>) {}

template <class... Facts>
constexpr Row make_row(std::string_view schema, const Rule* rule, Numeric numeric, Facts... facts) {
  Row row{schema, rule, numeric};
  (state(row, facts), ...);
  return row;
}

// In a row, facts go by their short names.
using enum Effect;
using enum Cast;
using enum Constants;
using enum Devices;
using enum Sharing;
using enum Layout;
using enum Gradients;
using enum Values;
using enum Response;
using enum Distribution;
using enum Callers;
using namespace constraints;

// OP: a row of its own, with the facts (facts.h) that differ from the defaults. VARIANT: the same
// computation as `functional`, called in place, with an out argument, or with a number for a
// tensor; all facts are the functional row's.
#define OP(schema, rule, numeric, ...) \
  make_row(schema, &infer::rule, Numeric::numeric __VA_OPT__(, ) __VA_ARGS__),
#define VARIANT(schema, functional) {schema, nullptr, Numeric::exact, functional},
constexpr Row rows[] = {
#include "engine/ops/catalog/all.def"
};
#undef OP
#undef VARIANT

constexpr size_t row_count = std::size(rows);

/// The groups of constraints that a row names. They stand beside the rows, which are read far more
/// often.
using Requirements = std::array<std::span<const Constraint>, 4>;

template <class Fact>
constexpr void add(Requirements&, Fact) {}  // Of another kind: part of the row.
/// One group too many is no constant expression.
constexpr void add(Requirements& groups, std::span<const Constraint> group) {
  size_t at = 0;
  while (!groups[at].empty()) ++at;
  groups[at] = group;
}
template <class... Facts>
constexpr Requirements requirements_of(Facts... facts) {
  Requirements groups;
  (add(groups, facts), ...);
  return groups;
}

#define OP(schema, rule, numeric, ...) requirements_of(__VA_ARGS__),
#define VARIANT(schema, functional) Requirements(),
constexpr Requirements requirements[] = {
#include "engine/ops/catalog/all.def"
};
#undef OP
#undef VARIANT

/// "aten::add.Tensor" of "aten::add.Tensor(Tensor self, ...".
std::string_view qualified_of(const Row& row) { return row.schema.substr(0, row.schema.find('(')); }

/// "aten::add" of "aten::add.Tensor". Overload names follow the first dot after the `::`.
std::string_view base_of(std::string_view qualified) {
  size_t colons = qualified.find("::");
  size_t dot = qualified.find('.', colons == std::string_view::npos ? 0 : colons);
  return qualified.substr(0, dot);
}

struct Index {
  std::unordered_map<std::string_view, size_t> by_qualified_name;
  std::unordered_map<std::string_view, std::vector<size_t>> by_name;

  Index() {
    by_qualified_name.reserve(row_count);
    for (size_t id = 0; id < row_count; ++id) {
      std::string_view qualified = qualified_of(rows[id]);
      bool fresh = by_qualified_name.emplace(qualified, id).second;
      base::invariant(fresh, "the catalog has two rows for ", qualified);
      by_name[base_of(qualified)].push_back(id);
    }
  }
};

const Index& index() {
  static const Index instance;
  return instance;
}

/// The operators that were asked for so far.
struct OperatorCache {
  std::recursive_mutex mutex;
  std::array<std::unique_ptr<Operator>, row_count> operators;
  std::array<std::vector<ArgumentCheck>, row_count> checks;  ///< Of the operators that are made.
  std::unordered_map<base::Symbol, std::vector<const Operator*>> overloads;
};

OperatorCache& operator_cache() {
  static OperatorCache instance;
  return instance;
}

size_t count_outs(const Schema& schema) {
  size_t count = 0;
  for (const auto& a : schema.arguments) {
    if (a.kwarg_only && a.alias && a.alias->writes) ++count;
  }
  return count;
}

void link_variant(Operator& op) {
  const Operator* functional = find_operator(op.row->functional);
  base::invariant(functional != nullptr, op.qualified_name, " is a variant of ", op.row->functional,
                  ", which is not in the catalog");
  op.functional = functional;
  op.out_count = count_outs(op.schema);
  op.is_out = op.out_count > 0;
  const auto& first = op.schema.arguments[0];
  op.is_inplace = !op.is_out && first.alias && first.alias->writes;
  size_t shared =
      std::min(op.schema.arguments.size() - op.out_count, functional->schema.arguments.size());
  for (size_t i = 0; i < shared; ++i) {
    op.wrap.push_back(functional->schema.arguments[i].type->is(core::TypeKind::tensor) &&
                      op.schema.arguments[i].type->is(core::TypeKind::number));
  }
}

/// Filled for every operator, so that a name that the build did not find in the catalog shows at
/// the first use.
std::vector<ArgName> names_of(const Schema& schema) {
  std::vector<ArgName> names;
  names.reserve(schema.arguments.size());
  for (const Argument& a : schema.arguments) {
    auto name = find_argument_name(a.name);
    base::invariant(name.has_value(), schema.qualified_name(), ": the build made no constant for '",
                    a.name, "'");
    names.push_back(*name);
  }
  return names;
}

Gradients gradients_of(const Operator& op) {
  if (op.is_out) return Gradients::never;
  Gradients stated = op.functional->row->gradients;
  if (stated != Gradients::by_schema) return stated;
  return op.has(arg::pin_memory) ? Gradients::never : Gradients::from_any;
}

std::vector<ArgumentCheck> make_checks(const Operator& op) {
  std::vector<ArgumentCheck> checks;
  for (const auto& group : requirements[op.id]) {
    for (const Constraint& c : group) {
      bool pair = c.kind == Constraint::Kind::same_type;
      checks.push_back({c, op.position(c.argument), pair ? op.position(c.other) : 0});
    }
  }
  return checks;
}

}  // namespace

bool Operator::has(ArgName name) const {
  return std::find(argument_names.begin(), argument_names.end(), name) != argument_names.end();
}

void Operator::no_argument(ArgName name) const {
  base::unreachable(qualified_name, " has no argument '", name.text(), "'");
}

Layout Operator::layout() const {
  Layout stated = functional->row->layout;
  if (stated != Layout::by_rule) return stated;
  return rule().elementwise ? Layout::joins_layouts : Layout::needs_rows;
}

bool Operator::gives_fresh_tensors() const {
  return sharing() == Sharing::as_annotated && !schema.returns.empty() &&
         std::all_of(schema.returns.begin(), schema.returns.end(), [](const Argument& result) {
           return result.type->is(core::TypeKind::tensor) && !result.alias;
         });
}

std::span<const Row> catalog_rows() { return rows; }

const std::vector<ArgumentCheck>& checks_of(const Operator& op) {
  return operator_cache().checks[op.id];
}

const Operator& operator_of(size_t id) {
  OperatorCache& cache = operator_cache();
  std::lock_guard lock(cache.mutex);
  auto& slot = cache.operators[id];
  if (!slot) {
    auto op = std::make_unique<Operator>();
    op->row = &rows[id];
    op->schema = parse_schema(rows[id].schema);
    op->qualified_name = op->schema.qualified_name();
    op->argument_names = names_of(op->schema);
    op->symbol = base::Symbol(op->schema.name);
    op->id = id;
    cache.checks[id] = make_checks(*op);
    op->is_constrained = !cache.checks[id].empty();
    op->functional = op.get();
    op->is_inplace = op->is_out = false;
    op->out_count = 0;
    for (size_t i = 0; i < op->schema.arguments.size(); ++i) {
      const Argument& a = op->schema.arguments[i];
      bool tensors =
          a.type->is(core::TypeKind::tensor) ||
          (a.type->is(core::TypeKind::list) && a.type->element()->is(core::TypeKind::tensor));
      if (tensors && a.alias && a.alias->writes) op->writes.push_back(i);
    }
    if (!op->row->functional.empty()) link_variant(*op);
    op->functional_rule = op->functional->row->rule;
    op->device_policy = op->functional->row->devices.value_or(op->functional_rule->devices);
    op->gradient_flow = gradients_of(*op);
    slot = std::move(op);
  }
  return *slot;
}

const std::vector<const Operator*>& overloads(base::Symbol name) {
  OperatorCache& cache = operator_cache();
  std::lock_guard lock(cache.mutex);
  auto known = cache.overloads.find(name);
  if (known != cache.overloads.end()) return known->second;
  std::vector<const Operator*> found_rows;
  auto found = index().by_name.find(name.text());
  if (found != index().by_name.end()) {
    for (size_t id : found->second) found_rows.push_back(&operator_of(id));
  }
  return cache.overloads.emplace(name, std::move(found_rows)).first->second;
}

const Operator* find_operator(std::string_view qualified_name) {
  auto found = index().by_qualified_name.find(qualified_name);
  return found == index().by_qualified_name.end() ? nullptr : &operator_of(found->second);
}

const Operator& get_operator(std::string_view qualified_name) {
  if (const Operator* op = find_operator(qualified_name)) return *op;
  std::vector<std::string> known;
  auto found = index().by_name.find(base_of(qualified_name));
  if (found != index().by_name.end()) {
    for (size_t id : found->second) known.emplace_back(qualified_of(rows[id]));
  }
  if (known.empty()) base::unsupported("unknown operator ", qualified_name);
  base::unsupported("unknown operator ", qualified_name,
                    "; known overloads: ", base::join(known, ", "));
}

}  // namespace assay::ops
