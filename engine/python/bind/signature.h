#pragma once

#include <string_view>
#include <vector>

#include "engine/ops/catalog.h"

namespace assay::python {

/// What an operator's parameter takes from Python.
enum class Takes : uint8_t {
  tensor,
  scalar,
  integer,
  floating,
  complex,
  boolean,
  string,
  dtype,
  layout,
  memory_format,
  device,
  generator,
  tensors,
  ints,
  floats,
  other,  ///< By its static type.
};

struct Parameter {
  Takes takes;
  bool optional = false;        ///< None is fine.
  bool items_optional = false;  ///< None among the tensors of a list is fine.
  bool written = false;         ///< Given by `out`.
  int fixed_size = 0;           ///< `int[2]`: the length to which a single int is repeated.
};

/// An overload as Python callers see it.
struct Signature {
  const ops::Operator* op = nullptr;
  std::vector<Parameter> parameters;
  int self_at = -1;            ///< Which parameter is the tensor of a method; -1: none.
  size_t positional = 0;       ///< How many parameters have a position.
  bool makes_tensors = false;  ///< Takes dtype, layout, device and pin_memory.
  bool gathers = false;  ///< Ints may be given one by one: the only parameter with a position.

  explicit Signature(const ops::Operator& of);

  /// Whether so many positional arguments, the tensor of a method not among them, may fit.
  bool takes_positional(size_t count, bool method) const {
    return count + (method ? 1 : 0) <= positional || gathers;
  }
  /// Whether there is a parameter of this name, or one that it may stand for.
  bool takes_keyword(std::string_view name) const;
};

/// The parameter's name that a keyword means: numpy's words are known, too.
std::string_view meant_keyword(const ops::Schema& schema, std::string_view keyword);

/// The overloads of a name that Python callers can reach, in the order in which they are tried:
/// PyTorch's. `out` variants, which are called by the keyword `out`, apart.
struct Overloads {
  std::vector<Signature> plain, out;
  /// Whether numbers may stand for tensors: PyTorch wraps them for the arithmetic operators.
  bool numbers_for_tensors = false;
};

/// Empty if there are none.
Overloads overloads_for_python(std::string_view qualified_name);

/// Names of the catalog that Python callers can reach, without namespace, and what of them is
/// there.
struct ReachableName {
  std::string_view name;
  bool method = false;  ///< Some overload has a tensor named `self`.
};
std::vector<ReachableName> reachable_names();

/// "(Tensor input, Tensor other, *, Number alpha=1, Tensor out=None)", for error messages.
std::string text_of(const Signature& signature);
/// "Tensor", "tuple of ints": what a parameter takes, in PyTorch's words.
std::string_view wanted_type(const Signature& signature, size_t parameter);

}  // namespace assay::python
