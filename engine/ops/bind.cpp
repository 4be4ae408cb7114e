#include "engine/ops/bind.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::ops {

std::string describe(const Misfit& misfit, const Schema& schema) {
  switch (misfit.kind) {
    case Misfit::Kind::too_many: {
      auto most = std::count_if(schema.arguments.begin(), schema.arguments.end(),
                                [](const Argument& a) { return !a.kwarg_only; });
      return base::cat("expected at most ", most, " positional argument(s) but found ",
                       misfit.given);
    }
    case Misfit::Kind::missing:
      return base::cat("argument '", misfit.name, "' is missing");
    case Misfit::Kind::wrong_type:
      return {};
    case Misfit::Kind::unknown_keyword:
      return base::cat("there is no argument '", misfit.name, "'");
    case Misfit::Kind::given_twice:
      return base::cat("argument '", misfit.name, "' is given twice");
  }
  base::unreachable("unknown kind of misfit");
}

core::Value default_of(const Argument& parameter) {
  const core::Value& value = *parameter.default_value;
  if (!parameter.list_size || !value.is_list() || value.list().items.size() != 1) return value;
  core::Values items(static_cast<size_t>(*parameter.list_size), value.list().items[0]);
  return core::make_list(value.list().element, std::move(items));
}

bool takes_rest(const Schema& schema, size_t parameter) {
  const Argument& list = schema.arguments[parameter];
  bool last =
      parameter + 1 == schema.arguments.size() || schema.arguments[parameter + 1].kwarg_only;
  return last && list.type->is(core::TypeKind::list) && !list.list_size &&
         !list.type->element()->is(core::TypeKind::var);
}

}  // namespace assay::ops
