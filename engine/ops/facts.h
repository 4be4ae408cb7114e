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
/// declares; each includes what stands before it. Drawing random numbers is the numeric class
/// `random`.
enum class Effect : uint8_t {
  none,
  reads_state,  ///< The result depends on a mode: it holds where the call stands, not elsewhere.
  raises,       ///< Raises by design: runs although nobody reads a result; may run twice.
  acts,         ///< Prints, warns, waits, sets a mode: runs exactly as often as the program says.
  calls,        ///< Runs other code of the program, which may write to all that it can reach.
};

/// On which devices the tensors of a call may live. The call runs on their common device. A wrapped
/// number goes along with any device.
enum class Devices : uint8_t {
  same_device,     ///< All on one.
  scalars_follow,  ///< All on one, but 0-dimensional CPU tensors go along with any device.
  /// All on that of the first argument, but tensors in a list (the indices) may be on the CPU: they
  /// are copied to it. 0-dimensional CPU tensors outside of the list go along.
  indices_follow,
  /// All on one, but the counts of packed sequences (`batch_sizes`, `lengths`) lie on the CPU.
  counts_on_cpu,
  any_device,  ///< Copies between devices, and questions that read no elements.
  no_device,   ///< Works on numbers, texts, lists and the like, and only passes tensors around.
};

/// What the tensors that a call gives back share with its arguments.
enum class Sharing : uint8_t {
  as_annotated,  ///< What the schema says: `Tensor(a)` is a view, no annotation a fresh tensor.
  may_share,     ///< An argument or a view of one in some calls, though the schema says nothing.
  /// The first argument itself (or a view of it), with the elements that it had, in calls that have
  /// nothing to do: it is of the wanted type, dropout is off.
  may_be_argument,
};

/// Which results ask for gradients where gradients are recorded and arguments ask for them.
enum class Gradients : uint8_t {
  by_schema,   ///< `never` of `out` and of what options describe (`pin_memory`), else `from_any`.
  from_any,    ///< All, if any argument does.
  from_first,  ///< All, if the first does: of others only types, sizes or devices are read.
  from_each,   ///< Each, if the argument at its place does.
  never,       ///< None.
  forgotten,   ///< None, and the argument that is given back asks for none any more.
};

/// Results through which no gradient flows although others of the call have one.
struct SideResults {
  uint8_t places = 0;  ///< A bit for each.
};

/// `side_results(0, 2)`: the first and the third.
template <typename... Places>
constexpr SideResults side_results(Places... places) {
  return {static_cast<uint8_t>(((1U << places) | ...))};
}

/// What the values of a call's result are.
enum class Values : uint8_t {
  may_differ,  ///< Whatever the operator computes.
  /// The first argument's, as far as the result's type can hold them: a number as a tensor, a
  /// tensor's one number, or another tensor with the same elements.
  kept,
};

/// How results follow the numbers in the arguments.
enum class Response : uint8_t {
  unstated,
  /// In steps, as rounding: the derivative is 0 wherever there is one.
  in_steps,
  /// Only how far the numbers are from the largest of them counts. Kernels take that one off first,
  /// which is exact where they are equal.
  to_differences,
};

/// Who can call an overload.
enum class Callers : uint8_t {
  everyone,
  programs,  ///< Graphs alone: Python's torch has no such overload in PyTorch 1.13.
};

/// What random numbers follow.
enum class Distribution : uint8_t { any, normal };

/// How the layout of images (channels last or row-major) passes through.
enum class Layout : uint8_t {
  by_rule,         ///< Elementwise rules join layouts; others need rows.
  needs_rows,      ///< Reads row-major arguments best, and gives row-major results.
  keeps_layout,    ///< The result has the layout of the first argument.
  joins_layouts,   ///< The result has the layout that all arguments have, if it is one.
  ignores_layout,  ///< Reads no elements, and nothing that depends on the layout.
};

/// What a program's 0-dimensional tensor constant is as the argument `other`.
enum class Constants : uint8_t {
  stay_tensors,
  /// Numbers, which have less say in the type of the result. PyTorch's graph executor replaces them
  /// (canonicalization, before any run): so a traced `x * 0.1` of whole numbers stays float32,
  /// although the constant is float64.
  become_numbers,
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
