#pragma once

#include <cstdint>

/// What a row of the catalog declares besides schema, rule and numeric class. A row names only what
/// differs from the default:
///
///     OP("prim::RaiseException(str msg, str? cls=None) -> ()", host_value, exact, raises)
///
/// A fact is a constexpr value of a literal type. To add a kind of fact: its type here, a field of
/// `Row`, and an overload of `state(Row&, Fact)` beside it (catalog.h) that sets the field.
namespace assay::ops {

/// What a call does or depends on besides its arguments, its results and the writes that its schema
/// declares. Drawing random numbers is the numeric class `random`.
enum class Effect : uint8_t {
  none,
  reads_state,  ///< The result depends on a mode or a clock: must run where it stands, or not at
                ///< all.
  raises,       ///< May do nothing but raise: counts although nobody reads a result.
  acts,         ///< Prints, warns, waits, sets a mode: runs exactly as often as the program says.
};

}  // namespace assay::ops
