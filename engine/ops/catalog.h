#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/symbol.h"
#include "engine/ops/arg_name.h"
#include "engine/ops/facts.h"
#include "engine/ops/rule.h"
#include "engine/ops/schema.h"

namespace assay::ops {

/// How far two right implementations of an operator may differ in their results.
enum class Numeric : uint8_t {
  exact,              ///< Bit-equal: moves, comparisons, integer arithmetic.
  correctly_rounded,  ///< The nearest representable result of one rounding (add, mul, sqrt).
  ulp,                ///< A few units in the last place: exp, tanh, erf.
  reassociating,      ///< Sums and products in any order: error grows with the reduction length.
  random,             ///< Depends on the generator.
  unspecified,        ///< Not of the arguments: memory that nobody wrote, an address, a clock.
};

/// One catalog row: an operator overload. Rows live in catalog/*.def, nowhere else.
struct Row {
  std::string_view schema;
  const Rule* rule;
  Numeric numeric;
  /// For in-place, out and Scalar variants: the qualified name of the overload that computes the
  /// value ("aten::add.Tensor"); rule and kernels are that one's. Empty for a row of its own.
  std::string_view functional = {};
  Effect effect = Effect::none;
  Autocast autocast = {};
  std::optional<Devices> devices = {};  ///< Nothing: as the rule says.
  Sharing sharing = Sharing::as_annotated;
  Layout layout = Layout::by_rule;
  Constants constants = Constants::stay_tensors;
  Gradients gradients = Gradients::by_schema;
  SideResults side_results = {};
  Values values = Values::may_differ;
  Response response = Response::unstated;
  Distribution distribution = Distribution::any;
  Callers callers = Callers::everyone;
};

/// Writes a fact into a row; one overload per kind of fact.
constexpr void state(Row& row, Effect effect) { row.effect = effect; }
constexpr void state(Row& row, Autocast autocast) { row.autocast = autocast; }
constexpr void state(Row& row, Devices devices) { row.devices = devices; }
constexpr void state(Row& row, Sharing sharing) { row.sharing = sharing; }
constexpr void state(Row& row, Layout layout) { row.layout = layout; }
constexpr void state(Row& row, Constants constants) { row.constants = constants; }
constexpr void state(Row& row, Gradients gradients) { row.gradients = gradients; }
constexpr void state(Row& row, SideResults side_results) { row.side_results = side_results; }
constexpr void state(Row& row, Values values) { row.values = values; }
constexpr void state(Row& row, Response response) { row.response = response; }
constexpr void state(Row& row, Distribution distribution) { row.distribution = distribution; }
constexpr void state(Row& row, Callers callers) { row.callers = callers; }

/// A row with its schema parsed. Operators are made on first use and live as long as the process.
struct Operator {
  const Row* row;
  Schema schema;
  std::string qualified_name;  ///< "aten::add.Tensor"
  base::Symbol symbol;         ///< aten::add
  size_t id;                   ///< Position in the catalog.
  const Operator* functional;  ///< The operator that computes the value; itself for its own row.
  bool is_inplace;             ///< Writes its first argument and returns it.
  bool is_out;                 ///< Writes trailing `out` arguments and returns them.
  size_t out_count;            ///< Number of written trailing arguments of an out variant.
  std::vector<size_t> writes;  ///< Positions of the tensors (or lists of them) that it writes.
  std::vector<bool> wrap;      ///< Per argument: a number where `functional` takes a tensor.
  bool is_constrained;         ///< Its own row requires something of arguments (constraint.h).
  // Asked for in every call: what rule(), devices() and gradients() give.
  const Rule* functional_rule;
  Devices device_policy;
  Gradients gradient_flow;

  std::vector<ArgName> argument_names;  ///< Of `schema`, by position.

  /// The position of an argument; an internal error if the operator has none of this name.
  size_t position(ArgName name) const {
    for (size_t i = 0; i < argument_names.size(); ++i) {
      if (argument_names[i] == name) return i;
    }
    no_argument(name);
  }
  /// Whether the tensors of the argument at this position are written to.
  bool writes_argument(size_t position) const {
    return std::find(writes.begin(), writes.end(), position) != writes.end();
  }
  /// For rules and kernels of several operators, some of which lack the argument.
  bool has(ArgName name) const;

  const Rule& rule() const { return *functional_rule; }
  Numeric numeric() const { return functional->row->numeric; }
  Effect effect() const { return functional->row->effect; }
  Autocast autocast() const { return functional->row->autocast; }
  Devices devices() const { return device_policy; }
  /// Works on plain values: it neither runs on a device nor looks for one.
  bool is_host() const { return devices() == Devices::no_device; }
  /// Of this very overload: its variants' constants stay tensors.
  Constants constants() const { return row->constants; }
  Sharing sharing() const { return functional->row->sharing; }
  /// Whether the row says that results may share memory with the argument at this position, however
  /// the schema is annotated.
  bool may_share_argument(size_t position) const {
    return sharing() == Sharing::may_share ||
           (sharing() == Sharing::may_be_argument && position == 0);
  }
  /// Never `by_schema`.
  Gradients gradients() const { return gradient_flow; }
  /// Whether no result asks for gradients for the sake of an argument.
  bool cuts_gradients() const {
    return gradient_flow == Gradients::never || gradient_flow == Gradients::forgotten;
  }
  /// Whether a gradient flows through the result at this position, if through any.
  bool is_differentiable(size_t result) const {
    return (functional->row->side_results.places >> result & 1U) == 0;
  }
  bool keeps_values() const { return functional->row->values == Values::kept; }
  Response response() const { return functional->row->response; }
  Distribution distribution() const { return functional->row->distribution; }
  /// Of this very overload.
  Callers callers() const { return row->callers; }
  /// Never `by_rule`.
  Layout layout() const;
  /// Whether every result is a tensor that shares nothing with an argument.
  bool gives_fresh_tensors() const;

 private:
  [[noreturn]] void no_argument(ArgName name) const;
};

/// All rows, in catalog order.
std::span<const Row> catalog_rows();
/// The operator of a row (`id` is the position in catalog_rows()).
const Operator& operator_of(size_t id);
/// All overloads of a name ("aten::add"), in catalog order; empty if unknown. Thread-safe.
const std::vector<const Operator*>& overloads(base::Symbol name);
/// By qualified name ("aten::add.Tensor"); null if unknown.
const Operator* find_operator(std::string_view qualified_name);
/// As find_operator; an `unsupported` error that names the operator and its near relatives if
/// unknown.
const Operator& get_operator(std::string_view qualified_name);

}  // namespace assay::ops
