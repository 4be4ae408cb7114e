#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/value.h"
#include "verify/cases/point.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// The value of one node of an input, described: what `materialize` makes from it depends on this
/// description, the input's path and the case's seed alone.
struct CaseValue {
  enum class Kind { tensor, integer, floating, boolean, text, none, list, tuple, dict, record };
  Kind kind = Kind::none;

  core::DType dtype = core::DType::float32;  ///< of `tensor`
  core::Dims shape;                          ///< of `tensor`
  std::string layout = "contiguous";         ///< of `tensor`: a choice of the axis `layouts`
  std::string values = "normal";  ///< of tensors and scalars: a choice of the axis `values`
  /// Bounds of the values; both ends included.
  std::optional<std::pair<double, double>> range;
  std::vector<std::string> texts;  ///< of `text`: one of them is drawn

  std::vector<CaseValue> children;  ///< of `list`, `tuple`, `dict`, `record`
  std::vector<std::string> keys;    ///< of `dict` and `record`
  std::string class_name;           ///< of `record`: of a named tuple or dataclass

  friend bool operator==(const CaseValue&, const CaseValue&) = default;
};

struct CaseInput {
  std::string name;
  bool keyword = false;
  CaseValue value;
  friend bool operator==(const CaseInput&, const CaseInput&) = default;
};

/// The arguments of a call.
struct Call {
  core::Values args;
  std::vector<std::pair<std::string, core::Value>> kwargs;
};

/// One concrete point of the input space, self-contained: it can be replayed without the spec that
/// it was drawn from.
struct Case {
  Point point;
  std::vector<CaseInput> inputs;
  /// The element type that the model is cast to before the calls: that of its floating-point inputs
  /// where they have another one than declared, as a user of the export would cast it
  /// (`model.half()`). Nothing where the spec says to keep it, or where inputs differ.
  std::optional<core::DType> cast;
  /// Inputs that are one and the same tensor, by path.
  std::vector<std::vector<std::string>> aliases;
  /// Arguments that were given outright (a recording, files) instead of drawn; `inputs` then only
  /// describes them. Its JSON holds them element by element, up to 64 KiB.
  std::shared_ptr<const Call> given;

  /// A whole-run feature ("mode", "grad", "reload"); the plainest choice where the point has none.
  std::string_view setting(std::string_view kind) const;
  core::Device device() const;
  /// Calls in a row with state kept; what a run observes is the last one. At least 1.
  int64_t calls() const;
  /// Seed of the model's own generator for each run.
  uint64_t model_seed() const;

  /// Given arguments are equal when all their elements are.
  friend bool operator==(const Case& a, const Case& b);
};

/// Works out every shape, element type, layout and option at a point. Input error where a size is
/// negative or a tensor would have more than 2^28 elements.
Case build_case(const Spec& spec, const Point& point);
/// A case around arguments that are given outright.
Case given_case(Call call);

/// The arguments of the case, fresh each time, on the case's device. Each element is a pure
/// function of (seed, path of its tensor, its coordinates), so an element keeps its value when a
/// shape shrinks.
Call materialize(const Case& c);
/// The arguments of one of the calls in a row (Case::calls), counted from 0: the last call's are
/// the case's own, those before it have other values of the same shapes, as the steps of a decoder
/// do. Given arguments are the same in all calls.
Call materialize(const Case& c, int64_t call);

/// "ids i64[1,1], eval, cpu": one line for people; what has its plainest value is left out.
std::string describe(const Case& c);

/// Whether the case can be written as text: always, but for large given arguments.
bool has_text(const Case& c);
/// Canonical JSON (sorted keys, no white space), and back. Input error on a case without text, and
/// on anything that is not a case within the limits of `build_case`.
std::string to_json(const Case& c);
Case case_from_json(std::string_view text);

}  // namespace assay::verify
