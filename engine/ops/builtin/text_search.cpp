#include <algorithm>
#include <cctype>
#include <string>

#include "engine/base/error.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"

namespace assay::ops::builtin {
namespace {

using core::Value;

constexpr size_t npos = std::string::npos;

struct Range {
  int64_t start;
  int64_t end;
};

/// The part of the text that the arguments start and end name. TorchScript's default end of
/// -1 means the text's end.
Range searched(const Call& c) {
  auto n = static_cast<int64_t>(c.string(arg::self).size());
  int64_t start = c.integer(arg::start), end = c.integer(arg::end);
  if (start < 0) start = std::max<int64_t>(start + n, 0);
  if (end < 0) end = std::max<int64_t>(end + n + 1, 0);
  return {start, std::min(end, n)};
}

int64_t find_first(const Call& c) {
  Range r = searched(c);
  size_t found =
      r.start > static_cast<int64_t>(c.string(arg::self).size())
          ? npos
          : c.string(arg::self).find(c.string(arg::substr), static_cast<size_t>(r.start));
  bool inside = found != npos && static_cast<int64_t>(found + c.string(arg::substr).size()) <=
                                     std::max(r.end, r.start);
  return inside ? static_cast<int64_t>(found) : -1;
}

int64_t find_last(const Call& c) {
  Range r = searched(c);
  int64_t last_start = r.end - static_cast<int64_t>(c.string(arg::substr).size());
  if (last_start < r.start) return -1;
  size_t found = c.string(arg::self).rfind(c.string(arg::substr), static_cast<size_t>(last_start));
  bool inside = found != npos && static_cast<int64_t>(found) >= r.start;
  return inside ? static_cast<int64_t>(found) : -1;
}

void find(Call& c) { c.finish(Value(find_first(c))); }
void rfind(Call& c) { c.finish(Value(find_last(c))); }

void rindex(Call& c) {
  int64_t found = find_last(c);
  base::check(found >= 0, "ValueError: substring not found");
  c.finish(Value(found));
}

void startswith(Call& c) {
  Range r = searched(c);
  auto length = static_cast<int64_t>(c.string(arg::substr).size());
  bool fits = r.end - r.start >= length;
  c.finish(Value(fits && c.string(arg::self).compare(static_cast<size_t>(r.start),
                                                     c.string(arg::substr).size(),
                                                     c.string(arg::substr)) == 0));
}

void endswith(Call& c) {
  Range r = searched(c);
  auto length = static_cast<int64_t>(c.string(arg::substr).size());
  bool fits = r.end - r.start >= length;
  c.finish(Value(fits && c.string(arg::self).compare(static_cast<size_t>(r.end - length),
                                                     c.string(arg::substr).size(),
                                                     c.string(arg::substr)) == 0));
}

/// is...(): not empty, and every character passes.
template <int (*passes)(int)>
void every_character(Call& c) {
  const std::string& text = c.string(arg::self);
  c.finish(Value(!text.empty() && std::all_of(text.begin(), text.end(),
                                              [](unsigned char at) { return passes(at) != 0; })));
}

/// isupper, islower: some letter, and no letter of the other case.
template <int (*wanted)(int), int (*other)(int)>
void every_letter(Call& c) {
  const std::string& text = c.string(arg::self);
  auto some = [&](int (*is)(int)) {
    return std::any_of(text.begin(), text.end(), [&](unsigned char at) { return is(at) != 0; });
  };
  c.finish(Value(some(wanted) && !some(other)));
}

void isprintable(Call& c) {
  const std::string& text = c.string(arg::self);
  c.finish(Value(std::all_of(text.begin(), text.end(),
                             [](unsigned char at) { return std::isprint(at) != 0; })));
}

void isidentifier(Call& c) {
  const std::string& text = c.string(arg::self);
  bool starts = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
  c.finish(Value(starts && std::all_of(text.begin(), text.end(), [](unsigned char at) {
                   return std::isalnum(at) != 0 || at == '_';
                 })));
}

/// Capitals exactly where words start.
void istitle(Call& c) {
  bool inside_word = false, found = false;
  for (unsigned char at : c.string(arg::self)) {
    bool upper = std::isupper(at) != 0, lower = std::islower(at) != 0;
    if ((upper && inside_word) || (lower && !inside_word)) return c.finish(Value(false));
    inside_word = upper || lower;
    found = found || inside_word;
  }
  c.finish(Value(found));
}

void ord(Call& c) {
  const std::string& text = c.string(arg::string);
  base::check(text.size() == 1, "String for ord() must be 1 character, found ", text.size());
  c.finish(Value(static_cast<int64_t>(static_cast<unsigned char>(text[0]))));
}

}  // namespace

void index_in_text(Call& c) {
  int64_t found = find_first(c);
  base::check(found >= 0, "ValueError: substring not found");
  c.finish(Value(found));
}

void count_in_text(Call& c) {
  Range r = searched(c);
  const std::string& wanted = c.string(arg::substr);
  auto length = static_cast<int64_t>(wanted.size());
  if (length == 0) return c.finish(Value(std::max<int64_t>(r.end - r.start + 1, 0)));
  int64_t count = 0;
  for (int64_t at = r.start; at < r.end && length <= r.end - at;) {
    bool here = c.string(arg::self).compare(static_cast<size_t>(at), wanted.size(), wanted) == 0;
    count += here;
    at += here ? length : 1;
  }
  c.finish(Value(count));
}

std::span<const Kernel> text_search_builtins() {
  static const auto kernels = host_kernels({
      {"aten::find", find},
      {"aten::rfind", rfind},
      {"aten::rindex", rindex},
      {"aten::startswith", startswith},
      {"aten::endswith", endswith},
      {"aten::isdigit", every_character<std::isdigit>},
      {"aten::isnumeric", every_character<std::isdigit>},
      {"aten::isdecimal", every_character<std::isdigit>},
      {"aten::isalpha", every_character<std::isalpha>},
      {"aten::isalnum", every_character<std::isalnum>},
      {"aten::isspace", every_character<std::isspace>},
      {"aten::isupper", every_letter<std::isupper, std::islower>},
      {"aten::islower", every_letter<std::islower, std::isupper>},
      {"aten::isprintable", isprintable},
      {"aten::isidentifier", isidentifier},
      {"aten::istitle", istitle},
      {"aten::ord", ord},
  });
  return kernels;
}

}  // namespace assay::ops::builtin
