#pragma once

#include <vector>

#include "engine/core/value.h"
#include "engine/ir/attribute.h"
#include "engine/ir/text_cursor.h"
#include "engine/ir/type_reader.h"

namespace assay::ir {

/// Reads constants as core::repr, core::tensor_text and the printer write them.
class ValueReader {
 public:
  /// `tensors` are what `<Tensor>` stands for, in order of appearance.
  ValueReader(TextCursor& cursor, TypeReader& types, const std::vector<core::Tensor>& tensors)
      : cursor_(cursor), types_(types), tensors_(tensors) {}

  /// The value of a `prim::Constant` of this type. Input error where the text does not tell it
  /// (`<Tensor>` without a tensor, `[<Tensors>]`).
  Attribute constant(const core::TypePtr& type);
  /// An attribute of another node: a number, a text, a type, or a list of them.
  Attribute attribute();

 private:
  core::Value value(const core::TypePtr& type);
  core::Value list(const core::TypePtr& type);
  core::Value tuple(const core::TypePtr& type);
  core::Value dict(const core::TypePtr& type);
  core::Value number(const core::TypePtr& type);
  core::Value enum_member();
  core::Tensor tensor(const core::TypePtr& type);
  core::Scalar element(bool integral);
  bool sees_number();

  TextCursor& cursor_;
  TypeReader& types_;
  const std::vector<core::Tensor>& tensors_;
  size_t next_tensor_ = 0;
  int depth_ = 0;
};

}  // namespace assay::ir
