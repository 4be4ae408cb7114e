#include "engine/ops/bind.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::ops {

std::string describe(const Mismatch& mismatch, const Schema& schema) {
  switch (mismatch.kind) {
    case Mismatch::Kind::too_many: {
      auto most = std::count_if(schema.arguments.begin(), schema.arguments.end(),
                                [](const Argument& a) { return !a.kwarg_only; });
      return fmt::format("Expected at most {} arguments but found {} positional arguments", most,
                         mismatch.given);
    }
    case Mismatch::Kind::missing:
      return fmt::format("Argument {} not provided", mismatch.name);
    case Mismatch::Kind::wrong_type:
      return {};
    case Mismatch::Kind::unknown_keyword:
      return fmt::format("there is no argument '{}'", mismatch.name);
    case Mismatch::Kind::given_twice:
      return fmt::format("argument '{}' is given twice", mismatch.name);
  }
  base::unreachable("unknown kind of mismatch");
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
