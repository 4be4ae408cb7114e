#include "engine/ops/arg_name.h"

#include <algorithm>
#include <iterator>

#include "engine/ops/argument_names.h"

namespace assay::ops {

std::string_view ArgName::text() const { return argument_name_texts[id]; }

std::optional<ArgName> find_argument_name(std::string_view text) {
  auto found =
      std::lower_bound(std::begin(argument_name_texts), std::end(argument_name_texts), text);
  if (found == std::end(argument_name_texts) || *found != text) return std::nullopt;
  return ArgName{static_cast<uint16_t>(found - std::begin(argument_name_texts))};
}

}  // namespace assay::ops
