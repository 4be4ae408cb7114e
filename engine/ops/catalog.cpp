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

namespace assay::ops {
namespace {

template <class... Facts>
constexpr Row make_row(std::string_view schema, const Rule* rule, Numeric numeric, Facts... facts) {
  Row row{schema, rule, numeric};
  (state(row, facts), ...);
  return row;
}

// In a row, facts go by their short names.
using enum Effect;
using enum Cast;

// OP: a row of its own, with the facts (facts.h) that differ from the defaults. VARIANT: the same
// computation as `functional`, called in place, with an out argument, or with a number for a
// tensor; all facts are the functional row's.
#define OP(schema, rule, numeric, ...) \
  make_row(schema, &infer::rule, Numeric::numeric __VA_OPT__(, ) __VA_ARGS__),
#define VARIANT(schema, functional) {schema, nullptr, Numeric::exact, functional},
constexpr Row rows[] = {
#include "engine/ops/catalog/activation.def"
#include "engine/ops/catalog/convolution.def"
#include "engine/ops/catalog/creation.def"
#include "engine/ops/catalog/indexing.def"
#include "engine/ops/catalog/linear.def"
#include "engine/ops/catalog/list_dict_str.def"
#include "engine/ops/catalog/loss.def"
#include "engine/ops/catalog/metadata.def"
#include "engine/ops/catalog/normalization.def"
#include "engine/ops/catalog/number.def"
#include "engine/ops/catalog/pointwise.def"
#include "engine/ops/catalog/prim.def"
#include "engine/ops/catalog/random.def"
#include "engine/ops/catalog/recurrent.def"
#include "engine/ops/catalog/reduction.def"
#include "engine/ops/catalog/shape.def"
};
#undef OP
#undef VARIANT

constexpr size_t row_count = std::size(rows);

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

struct Made {
  std::recursive_mutex mutex;
  std::array<std::unique_ptr<Operator>, row_count> operators;
  std::unordered_map<base::Symbol, std::vector<const Operator*>> overloads;
};

Made& made() {
  static Made instance;
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

}  // namespace

bool Operator::has(ArgName name) const {
  return std::find(argument_names.begin(), argument_names.end(), name) != argument_names.end();
}

void Operator::no_argument(ArgName name) const {
  base::unreachable(qualified_name, " has no argument '", name.text(), "'");
}

std::span<const Row> catalog_rows() { return rows; }

const Operator& operator_of(size_t id) {
  Made& m = made();
  std::lock_guard lock(m.mutex);
  auto& slot = m.operators[id];
  if (!slot) {
    auto op = std::make_unique<Operator>();
    op->row = &rows[id];
    op->schema = parse_schema(rows[id].schema);
    op->qualified_name = op->schema.qualified_name();
    op->argument_names = names_of(op->schema);
    op->symbol = base::Symbol(op->schema.name);
    op->id = id;
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
    slot = std::move(op);
  }
  return *slot;
}

const std::vector<const Operator*>& overloads(base::Symbol name) {
  Made& m = made();
  std::lock_guard lock(m.mutex);
  auto known = m.overloads.find(name);
  if (known != m.overloads.end()) return known->second;
  std::vector<const Operator*> all;
  auto found = index().by_name.find(name.text());
  if (found != index().by_name.end()) {
    for (size_t id : found->second) all.push_back(&operator_of(id));
  }
  return m.overloads.emplace(name, std::move(all)).first->second;
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
