#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/core/type.h"
#include "engine/core/value.h"
#include "engine/ops/schema.h"
#include "engine/script/ast.h"

namespace assay::script {

/// Turns annotations into types. The names that no annotation of the language itself explains are
/// looked up with `find_type`.
class TypeParser {
 public:
  /// Gives null for an unknown name.
  using FindType =
      std::function<core::TypePtr(const std::string& name, const base::SourceRange& range)>;
  /// Computes a default value that is no literal (`CONSTANTS.c0`, `Color.RED`).
  using Compute = std::function<core::Value(const Expr& expr, const core::TypePtr& type)>;
  explicit TypeParser(FindType find_type, Compute compute = {})
      : find_type_(std::move(find_type)), compute_(std::move(compute)) {}

  /// Input error with a caret for anything that is no type.
  core::TypePtr parse(const Expr& annotation) const;
  /// As `parse`, for the text of a type tag ("List[int]").
  core::TypePtr parse(const std::string& text) const;

  /// A function's signature: parameters without annotation are Tensors; no return value is declared
  /// where the function does not say (`returns` is empty). With a `self` type the first parameter
  /// is of that type. The schema's name is the function's.
  /// `given` may know a parameter's default value; where it does not, the source says it.
  using Given = std::function<std::optional<core::Value>(const Param&, const core::TypePtr&)>;
  ops::Schema signature(const FunctionDef& function, const core::TypePtr& self,
                        const Given& given = {}) const;

  /// The value of a class constant: a literal (number, bool, None, text, or a list, tuple or dict
  /// of these), or what `compute` makes of it. Ints become floats where `type` says so. Input error
  /// where the value is not of the type (null where none is declared), in all that it holds; the
  /// same holds of a signature's default values.
  core::Value constant(const Expr& expr, const core::TypePtr& type) const;

 private:
  core::Value literal(const Expr& expr, const core::TypePtr& type) const;
  core::Value sequence(const Expr& expr, const core::TypePtr& type) const;
  core::Value dict(const Expr& expr, const core::TypePtr& type) const;
  core::TypePtr subscripted(const Expr& annotation) const;
  std::optional<core::TypePtr> named(const std::string& name) const;

  FindType find_type_;
  Compute compute_;
};

/// What a parameter without annotation is: a Tensor, whose type is an object of its own. Where
/// objects count, PyTorch tells it from a declared Tensor (`exits`).
const core::TypePtr& unannotated_type();

/// Reads an int ("12", "-0x1f"); input error at `range` if it does not fit 64 bits.
int64_t parse_integer(const std::string& text, const base::SourceRange& range);
/// Whether the text of a number literal is a float or a complex number.
bool is_float_literal(const std::string& text);
bool is_complex_literal(const std::string& text);
/// The float of a number literal; for a complex one, its imaginary part.
double parse_float(const std::string& text, const base::SourceRange& range);

}  // namespace assay::script
