#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "engine/core/type.h"
#include "engine/ir/text_cursor.h"

namespace assay::ir {

/// What a qualified name in a text means; null if unknown.
using TypeResolver = std::function<core::TypePtr(const std::string& qualified_name)>;

/// Reads types as type_text writes them. Unknown qualified names become classes without members, so
/// that a graph's text can be read without the classes that it speaks of.
class TypeReader {
 public:
  explicit TypeReader(TypeResolver resolver) : resolver_(std::move(resolver)) {}

  /// Input error at the cursor if no type comes next, or types nest too deeply.
  core::TypePtr read(TextCursor& cursor);
  /// The type of this name; a class without members if unknown.
  core::TypePtr named(const std::string& qualified_name);

 private:
  core::TypePtr read_base(TextCursor& cursor);
  core::TypePtr read_tensor(TextCursor& cursor, core::DType dtype);
  core::TypePtr read_named_tuple(TextCursor& cursor);
  std::vector<core::TypePtr> read_list(TextCursor& cursor, std::string_view close);

  TypeResolver resolver_;
  std::unordered_map<std::string, core::TypePtr> made_;
  int depth_ = 0;
};

}  // namespace assay::ir
