#include "engine/ops/builtin/register.h"

#include "engine/ops/builtin/families.h"

namespace assay::ops::builtin {

void register_kernels(KernelTable& table) {
  for (auto family : {dict_builtins(), host_state_builtins(), list_builtins(), math_builtins(),
                      number_builtins(), text_edit_builtins(), text_search_builtins()}) {
    table.add(Backend::composite, "builtin", family);
  }
}

}  // namespace assay::ops::builtin
