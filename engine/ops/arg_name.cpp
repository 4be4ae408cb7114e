#include "engine/ops/arg_name.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/ops/argument_names.h"

namespace assay::ops {
namespace {

struct Entry {
  uint32_t id;
  std::string_view text;
};

constexpr auto by_id = [] {
  std::array<Entry, std::size(argument_name_texts)> entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i] = {ArgName(argument_name_texts[i]).id, argument_name_texts[i]};
  }
  std::ranges::sort(entries, {}, &Entry::id);
  return entries;
}();
static_assert(std::ranges::adjacent_find(by_id, {}, &Entry::id) == by_id.end(),
              "two argument names have one hash: take another hash in ArgName");

/// Null where no name has this id.
const Entry* find(uint32_t id) {
  auto found = std::ranges::lower_bound(by_id, id, {}, &Entry::id);
  return found == by_id.end() || found->id != id ? nullptr : &*found;
}

}  // namespace

std::string_view ArgName::text() const {
  const Entry* entry = find(id);
  return entry ? entry->text : "(no name)";
}

std::optional<ArgName> find_argument_name(std::string_view text) {
  ArgName name(text);
  const Entry* entry = find(name.id);
  return entry && entry->text == text ? std::optional(name) : std::nullopt;
}

}  // namespace assay::ops
