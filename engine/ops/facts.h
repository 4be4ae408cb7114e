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

/// What autocast (autocast.h) does with the floating-point tensors of a call. float64 always stays
/// what it is.
enum class Cast : uint8_t {
  keep,         ///< Nothing.
  lower,        ///< Casts them to the region's type.
  full,         ///< Casts them to float32.
  full_result,  ///< Asks for a float32 result by the argument `dtype`, if it is None.
  full_norm,    ///< Calls the overload of `norm` with the argument `dtype`, which is float32.
  widest,       ///< Casts them to float32 if one of them is, else leaves them in the region's type.
  refuse,       ///< Raises: the result would overflow.
};

/// `Autocast{.cpu = full, .cuda = lower}`. PyTorch has one list of operators for each kind of
/// device, and one for TorchScript.
struct Autocast {
  Cast cpu = Cast::keep;
  Cast cuda = Cast::keep;
  Cast script = Cast::keep;
};

}  // namespace assay::ops
