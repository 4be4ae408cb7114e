#include <algorithm>
#include <cctype>
#include <string>

#include "engine/base/error.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"

namespace assay::ops::builtin {
namespace {

using core::Value;
using core::Values;

constexpr size_t npos = std::string::npos;

char upper_of(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
char lower_of(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

Value texts(const std::vector<std::string>& parts) {
  return Value(core::make_list(core::string_type(), Values(parts.begin(), parts.end())));
}

template <char (*change)(char)>
void each_character(Call& c) {
  std::string text = c.string(arg::self);
  std::transform(text.begin(), text.end(), text.begin(), change);
  c.finish(Value(std::move(text)));
}

char swapped_case(char c) {
  return std::isupper(static_cast<unsigned char>(c)) ? lower_of(c) : upper_of(c);
}

void capitalize(Call& c) {
  std::string text = c.string(arg::self);
  for (size_t i = 0; i < text.size(); ++i) text[i] = i == 0 ? upper_of(text[i]) : lower_of(text[i]);
  c.finish(Value(std::move(text)));
}

void title(Call& c) {
  std::string text = c.string(arg::self);
  bool inside = false;
  for (char& at : text) {
    at = inside ? lower_of(at) : upper_of(at);
    inside = is_letter(at);
  }
  c.finish(Value(std::move(text)));
}

template <bool left, bool right>
void strip(Call& c) {
  const std::string& text = c.string(arg::self);
  size_t first = left ? text.find_first_not_of(c.string(arg::chars)) : 0;
  if (first == npos) return c.finish(Value(std::string()));
  size_t last = right ? text.find_last_not_of(c.string(arg::chars)) : text.size() - 1;
  if (last == npos || text.empty()) return c.finish(Value(std::string()));
  c.finish(Value(text.substr(first, last - first + 1)));
}

/// Spaces to put before and after so that the text is as wide as the argument width asks.
struct Padding {
  size_t before;
  size_t after;
};

void pad(Call& c, Padding (*index)(size_t missing)) {
  const std::string& text = c.string(arg::self);
  base::check(c.string(arg::fillchar).size() == 1,
              "TypeError: The fill character must be exactly one character long");
  int64_t width = std::max<int64_t>(c.integer(arg::width), 0);
  check_length(width, 1);
  size_t missing =
      static_cast<size_t>(width) > text.size() ? static_cast<size_t>(width) - text.size() : 0;
  Padding p = index(missing);
  char fill = c.string(arg::fillchar)[0];
  c.finish(Value(std::string(p.before, fill) + text + std::string(p.after, fill)));
}

void ljust(Call& c) {
  pad(c, [](size_t missing) { return Padding{0, missing}; });
}
void rjust(Call& c) {
  pad(c, [](size_t missing) { return Padding{missing, 0}; });
}
void center(Call& c) {
  pad(c, [](size_t missing) { return Padding{missing / 2, missing - missing / 2}; });
}

/// Zeros after the sign.
void zfill(Call& c) {
  const std::string& text = c.string(arg::self);
  int64_t width = std::max<int64_t>(c.integer(arg::width), 0);
  check_length(width, 1);
  size_t missing =
      static_cast<size_t>(width) > text.size() ? static_cast<size_t>(width) - text.size() : 0;
  size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  c.finish(Value(text.substr(0, sign) + std::string(missing, '0') + text.substr(sign)));
}

void expandtabs(Call& c) {
  int64_t tab = std::max<int64_t>(c.integer(arg::tabsize), 0);
  std::string out;
  size_t column = 0;
  for (char at : c.string(arg::self)) {
    if (at == '\t') {
      size_t spaces = tab == 0 ? 0 : static_cast<size_t>(tab) - column % static_cast<size_t>(tab);
      check_length(static_cast<int64_t>(out.size() + spaces), 1);
      out.append(spaces, ' ');
      column += spaces;
    } else {
      out += at;
      column = at == '\n' || at == '\r' ? 0 : column + 1;
    }
  }
  c.finish(Value(std::move(out)));
}

void replace(Call& c) {
  const std::string& text = c.string(arg::self);
  const std::string& old = c.string(arg::old);
  int64_t most = c.integer(arg::max);  // Any negative number is no limit.
  base::check(!old.empty() || most == 0, "replace(): the text to replace is empty");
  std::string out;
  size_t at = 0;
  int64_t done = 0;
  for (size_t found; done != most && (found = text.find(old, at)) != npos; ++done) {
    out += text.substr(at, found - at) + c.string(arg::new_);
    at = found + old.size();
  }
  c.finish(Value(out + text.substr(at)));
}

/// At runs of blanks, without empty parts.
std::vector<std::string> split_at_blanks(const std::string& text, int64_t most) {
  std::vector<std::string> parts;
  auto blank = [&](size_t i) { return std::isspace(static_cast<unsigned char>(text[i])) != 0; };
  for (size_t at = 0; at < text.size();) {
    if (blank(at)) {
      ++at;
      continue;
    }
    size_t end = at;
    if (most == 0) end = text.size();
    while (end < text.size() && !blank(end)) ++end;
    parts.push_back(text.substr(at, end - at));
    at = end;
    if (most > 0) --most;
  }
  return parts;
}

void split(Call& c) {
  const std::string& text = c.string(arg::self);
  int64_t most = c.integer(arg::max);
  if (c.is_none(arg::separator)) return c.finish(texts(split_at_blanks(text, most)));
  const std::string& separator = c.string(arg::separator);
  base::check(!separator.empty(), "ValueError: empty separator");
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t found; most != 0 && (found = text.find(separator, at)) != npos;) {
    if (most > 0) --most;
    parts.push_back(text.substr(at, found - at));
    at = found + separator.size();
  }
  parts.push_back(text.substr(at));
  c.finish(texts(parts));
}

void rsplit(Call& c) {
  const std::string& text = c.string(arg::self);
  const std::string& separator = c.string(arg::separator);
  int64_t most = c.integer(arg::max);
  base::check(!separator.empty(), "ValueError: empty separator");
  std::vector<std::string> parts;
  size_t end = text.size();
  while (most != 0 && end >= separator.size()) {
    size_t found = text.rfind(separator, end - separator.size());
    if (found == npos) break;
    parts.push_back(text.substr(found + separator.size(), end - found - separator.size()));
    end = found;
    if (most > 0) --most;
  }
  parts.push_back(text.substr(0, end));
  std::reverse(parts.begin(), parts.end());
  c.finish(texts(parts));
}

/// At every line-ending character; "\r\n" gives an empty line between, as in TorchScript.
void splitlines(Call& c) {
  const std::string& text = c.string(arg::self);
  constexpr std::string_view ends = "\n\r\v\f\x1c\x1d\x1e";
  bool keep = c.boolean(arg::keepends);
  std::vector<std::string> lines;
  size_t at = 0;
  for (size_t found; (found = text.find_first_of(ends, at)) != npos; at = found + 1) {
    lines.push_back(text.substr(at, found - at));
    if (keep) lines.emplace_back(1, text[found]);
  }
  if (at < text.size()) lines.push_back(text.substr(at));
  c.finish(texts(lines));
}

void join(Call& c) {
  std::string out;
  bool first = true;
  for (const Value& part : c.value(arg::values).list().items) {
    if (!first) out += c.string(arg::self);
    first = false;
    out += part.to_string();
  }
  c.finish(Value(std::move(out)));
}

void partition(Call& c) {
  const std::string& text = c.string(arg::self);
  size_t at = text.find(c.string(arg::separator));
  if (at == npos) return c.finish({Value(text), Value(""), Value("")});
  c.finish({Value(text.substr(0, at)), Value(c.string(arg::separator)),
            Value(text.substr(at + c.string(arg::separator).size()))});
}

void rpartition(Call& c) {
  const std::string& text = c.string(arg::self);
  size_t at = text.rfind(c.string(arg::separator));
  if (at == npos) return c.finish({Value(""), Value(""), Value(text)});
  c.finish({Value(text.substr(0, at)), Value(c.string(arg::separator)),
            Value(text.substr(at + c.string(arg::separator).size()))});
}

void chr(Call& c) {
  int64_t code = c.integer(arg::i);
  base::check(code >= 0 && code < 0x10ffff, "chr() arg not in range(0x110000), found ", code);
  c.finish(Value(std::string(1, static_cast<char>(code))));
}

/// hex, oct, bin: sign, prefix, digits.
template <unsigned base_of_digits>
void in_base(Call& c, std::string_view prefix) {
  int64_t value = c.integer(arg::i);
  auto rest = static_cast<uint64_t>(value);
  if (value < 0) rest = -rest;
  std::string digits;
  do {
    digits += "0123456789abcdef"[rest % base_of_digits];
    rest /= base_of_digits;
  } while (rest != 0);
  std::reverse(digits.begin(), digits.end());
  c.finish(Value((value < 0 ? "-" : "") + std::string(prefix) + digits));
}

void hex(Call& c) { in_base<16>(c, "0x"); }
void oct(Call& c) { in_base<8>(c, "0o"); }
void bin(Call& c) { in_base<2>(c, "0b"); }

}  // namespace

std::span<const Kernel> text_edit_builtins() {
  static const auto kernels = host_kernels({
      {"aten::upper", each_character<upper_of>},
      {"aten::lower", each_character<lower_of>},
      {"aten::swapcase", each_character<swapped_case>},
      {"aten::capitalize", capitalize},
      {"aten::title", title},
      {"aten::strip", strip<true, true>},
      {"aten::lstrip", strip<true, false>},
      {"aten::rstrip", strip<false, true>},
      {"aten::ljust", ljust},
      {"aten::rjust", rjust},
      {"aten::center", center},
      {"aten::zfill", zfill},
      {"aten::expandtabs", expandtabs},
      {"aten::replace", replace},
      {"aten::split", split},
      {"aten::rsplit", rsplit},
      {"aten::splitlines", splitlines},
      {"aten::join", join},
      {"aten::partition", partition},
      {"aten::rpartition", rpartition},
      {"aten::chr", chr},
      {"aten::hex", hex},
      {"aten::oct", oct},
      {"aten::bin", bin},
  });
  return kernels;
}

}  // namespace assay::ops::builtin
