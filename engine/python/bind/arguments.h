#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/base/small_vector.h"
#include "engine/ops/bind.h"
#include "engine/python/bind/python.h"
#include "engine/python/bind/signature.h"

namespace assay::python {

using ArgumentValues = base::SmallVector<core::Value, 10>;

/// The arguments of a call from Python, as Python's vectorcall hands them over, less those that are
/// not the overload's: `out` and `requires_grad`.
struct GivenArguments {
  PyObject* self = nullptr;           ///< Of a method.
  PyObject* const* values = nullptr;  ///< Positional ones, then the keywords'.
  size_t positional = 0;
  /// Names of the keywords, and where their values stand in `values`.
  base::SmallVector<std::pair<PyObject*, size_t>, 8> keywords;
  PyObject* out = nullptr;  ///< A tensor or a tuple of them; null for None.
};

/// Python's arguments as the binder sees them (ops/bind.h).
class ArgumentView {
 public:
  ArgumentView(const Signature& signature, const GivenArguments& given, bool numbers_for_tensors)
      : signature_(signature), given_(given), numbers_for_tensors_(numbers_for_tensors) {}

  size_t positional() const { return given_.positional; }
  size_t keywords() const { return given_.keywords.size(); }
  std::string_view keyword(size_t i) const;
  bool has_self(size_t parameter) const {
    return signature_.parameters[parameter].written ||
           (given_.self && static_cast<int>(parameter) == signature_.self_at);
  }
  bool take_self(size_t parameter);
  bool may_gather(size_t parameter, size_t argument) const;
  bool gather(size_t parameter, size_t first, size_t count);
  bool take(size_t parameter, size_t argument);
  bool take_default(size_t parameter) {
    bound_.push_back(ops::default_of(signature_.op->schema.arguments[parameter]));
    return true;
  }
  void take_vararg(size_t) {}

  const ArgumentValues& bound() const { return bound_; }
  /// What did not fit, for messages; null if that was not an argument.
  PyObject* refused() const { return refused_; }
  size_t refused_at() const { return refused_at_; }
  /// Whether a tensor is of a class with `__torch_function__` of its own.
  bool overridden() const { return overridden_; }

 private:
  PyObject* argument(size_t i) const {
    return i < given_.positional ? given_.values[i]
                                 : given_.values[given_.keywords[i - given_.positional].second];
  }
  bool take_tensor(PyObject* object);
  std::optional<core::Value> convert(PyObject* object, size_t parameter);
  std::optional<core::Value> convert_tensors(PyObject* object, const Parameter& parameter);
  std::optional<core::Value> convert_ints(PyObject* object, const Parameter& parameter);
  void look_for_override(PyObject* tensor);

  const Signature& signature_;
  const GivenArguments& given_;
  bool numbers_for_tensors_;
  ArgumentValues bound_;
  PyObject* refused_ = nullptr;
  size_t refused_at_ = 0;
  bool overridden_ = false;
};

/// Raises the TypeError for arguments that fit none of the overloads.
[[noreturn]] void refuse_arguments(std::string_view name, const std::vector<Signature>& signatures,
                                   const GivenArguments& given, bool numbers_for_tensors);

}  // namespace assay::python
