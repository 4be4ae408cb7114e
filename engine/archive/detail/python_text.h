#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/core/value.h"

namespace assay::archive::detail {

bool is_identifier(std::string_view name);
/// The name with every character that an identifier cannot hold replaced by '_', and '_' before a
/// leading digit.
std::string as_identifier(std::string_view name);
/// In double quotes with C escapes, as PyTorch prints texts in code.
std::string quoted(std::string_view text);

/// A value as an expression of the archive's language: `3.`, `[1, 2]`, `annotate(List[int], [])`,
/// `torch.device("cpu")`. `special` may print a value itself (tensors, from the constant table) and
/// says so by returning true. Input error for values that have no expression.
using SpecialConstant = std::function<bool(std::string& out, const core::Value& value)>;
std::string constant_text(const core::Value& value, const SpecialConstant& special);

/// Whether a list with members of this type shows its element type, or needs `annotate`.
bool shows_element_type(const core::TypePtr& element);

}  // namespace assay::archive::detail
