#pragma once

#include <span>

#include "engine/ops/kernel_table.h"

namespace assay::ops::builtin {

// The builtin functions of each family; a family is one file of this folder.
std::span<const Kernel> dict_builtins();
std::span<const Kernel> host_state_builtins();
std::span<const Kernel> list_builtins();
std::span<const Kernel> math_builtins();
std::span<const Kernel> number_builtins();
std::span<const Kernel> text_edit_builtins();
std::span<const Kernel> text_search_builtins();

}  // namespace assay::ops::builtin
