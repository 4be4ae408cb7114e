#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/device.h"
#include "engine/core/dtype.h"
#include "verify/spec/size_expr.h"

namespace assay::verify {

/// The sizes `low, low + step, ...` up to and including `high`.
struct Interval {
  SizeExpr low;
  SizeExpr high;
  int64_t step = 1;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// A letter and the sizes it may stand for: `h=32..256:32`, `w=h..2*h`, `b=1,2,8..16`.
struct Dim {
  std::string letter;
  std::vector<Interval> domain;
  friend bool operator==(const Dim&, const Dim&) = default;
};

/// One entry of a shape.
struct ShapeItem {
  enum class Kind {
    size,  ///< `3`, `b`, `2*t+1`
    any,   ///< `?`: any size, bound for this place alone
    pack,  ///< `*rest`: any number of sizes, the same wherever the name occurs
  };
  Kind kind = Kind::size;
  SizeExpr size;     ///< of `size`
  std::string name;  ///< of `pack`, without the star
  friend bool operator==(const ShapeItem&, const ShapeItem&) = default;
};

/// An end of a range of values: a number, or a size (`0..n-1`). Both ends belong to the range.
using ValueBound = std::variant<SizeExpr, double>;

struct ValueRange {
  ValueBound low;
  ValueBound high;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// The declared form of an input: a value tree whose leaves are tensors and scalars.
struct InputTree {
  enum class Kind { tensor, integer, floating, boolean, text, list, repeated, tuple, dict, record };
  Kind kind = Kind::tensor;
  bool optional = false;  ///< `?`: None is a legal value.

  core::DType dtype = core::DType::float32;  ///< of `tensor`
  std::vector<ShapeItem> shape;              ///< of `tensor`
  /// Of tensors, `integer` and `floating`: `in lo..hi`; of a `boolean` that is given: 0..0 or 1..1.
  std::optional<ValueRange> range;
  std::vector<std::string> texts;  ///< of `text`: the strings it may be

  std::vector<InputTree> children;  ///< of containers; of `repeated` the one element
  std::vector<std::string> keys;    ///< of `dict` and `record`, one per child
  std::vector<bool> key_optional;   ///< of `dict`: `{k?: ...}`, the key may be absent
  SizeExpr count;                   ///< of `repeated`: `[...]*n`
  std::string class_name;           ///< of `record`: the named tuple or dataclass, `Batch(...)`

  /// Whether it is one number or text, the same in every case: `3`, `"relu"`, `int in 3..3`.
  bool is_given() const;

  friend bool operator==(const InputTree&, const InputTree&) = default;
};

/// An argument of the model: positional in the order declared, or by keyword (`name= tree`).
struct Input {
  std::string name;
  bool keyword = false;
  InputTree tree;
  friend bool operator==(const Input&, const Input&) = default;
};

/// The axes of a spec that are closed lists of choices: whole-run ones (`--modes eval,train`) and
/// those chosen for each input (`--layouts x:strided`). One row each in axes.def.
enum class CategoricalAxis {
#define WHOLE_RUN_AXIS(name, kind, choices, initial, meaning) name,
#define PER_INPUT_AXIS(name, kind, choices, initial, meaning) name,
#include "verify/spec/axes.def"
};

struct CategoricalAxisInfo {
  CategoricalAxis axis;
  std::string_view flag;     ///< "modes": the flag and the key in a spec file
  std::string_view kind;     ///< "mode": how findings and cases name it
  std::string_view choices;  ///< every choice, comma-separated; the first is the plainest
  std::string_view initial;  ///< the choices taken where the spec says nothing
  std::string_view meaning;
  bool per_input;
};
/// Every row of axes.def.
const std::vector<CategoricalAxisInfo>& categorical_axes();
const CategoricalAxisInfo& categorical_axis(CategoricalAxis axis);

/// The input space of a model: what is declared valid, and which features vary. What a spec does
/// not vary is not tested, and reports say so.
struct Spec {
  std::vector<Input> inputs;
  std::vector<Dim> dims;
  /// How many sizes each `*pack` may have; `{0, 3}` where nothing is said.
  std::map<std::string, std::pair<int64_t, int64_t>> ranks;

  std::vector<core::Device> devices{core::Device{}};
  /// Words of each whole-run axis that the spec sets.
  std::map<CategoricalAxis, std::vector<std::string>> choices;
  /// Words of each per-input axis, by the path of an input's leaf or subtree; "*" for all.
  std::map<CategoricalAxis, std::map<std::string, std::vector<std::string>>> input_choices;
  /// Element types by path ("*": every floating-point leaf), beside those the inputs declare.
  std::map<std::string, std::vector<core::DType>> dtypes;
  /// Groups of inputs of equal shape and dtype that may be one and the same tensor.
  std::vector<std::vector<std::string>> aliases;

  /// Numbers of calls in a row, seeds of the model's generator, numbers of exports of one module.
  std::optional<std::pair<int64_t, int64_t>> calls, seeds, exports;

  std::vector<std::string> properties;  ///< Empty: all that apply.
  /// Tolerances the user demands, by output path ("*": all).
  std::map<std::string, double> atol, rtol;

  friend bool operator==(const Spec&, const Spec&);
};

/// Raises an input error for what no point can satisfy or nothing can mean: an empty range, a
/// letter without a range, letters that depend on each other in a circle, a choice for an
/// input that is not there, two inputs of one name. Parsing a spec ends with this.
void validate(const Spec& spec);

/// Input error for a letter that no input has, if there are inputs: it would be reported as varied.
void check_letters_are_used(const Spec& spec);

/// A place in the inputs that can have its own element type, layout, values or option.
struct InputPlace {
  std::string path;  ///< "x", "batch.mask", "pair.0"; elements of `[...]*n` share their list's.
  const InputTree* tree;
  bool may_be_absent = false;  ///< Value of an optional key.
};
/// Every node of every input's tree, outermost first.
std::vector<InputPlace> input_places(const Spec& spec);

/// One feature of a case that takes a choice: `{"layout x", {"contiguous", "strided"}}`. The first
/// choice is the plainest one.
struct ChoiceAxis {
  std::string key;   ///< Key in Point::choices: "mode", "device", "layout x", "option mask".
  std::string kind;  ///< "mode", "device", "layout", "option", ...
  std::string path;  ///< Of an input; empty for a whole-run axis.
  std::vector<std::string> choices;
};
/// Every feature that takes a choice, also those with one choice only, in a fixed order.
std::vector<ChoiceAxis> choice_axes(const Spec& spec);

/// The letters in an order in which each depends on earlier ones only.
std::vector<const Dim*> dims_in_order(const Spec& spec);

/// "f32", "i64", "bool": the short names of the notation; `parse_dtype` takes long ones too.
std::string_view dtype_name(core::DType dtype);
std::optional<core::DType> parse_dtype(std::string_view name);
/// What to say to a name that is none: it lists the short names.
std::string no_dtype(std::string_view name);

}  // namespace assay::verify
