#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "engine/base/text.h"

namespace assay::base {

// How the error helpers (error.h) put their messages together. All other text is fmt's.

inline void append(std::string& out, std::string_view value) { out += value; }
inline void append(std::string& out, const char* value) { out += value; }
inline void append(std::string& out, const std::string& value) { out += value; }
inline void append(std::string& out, char value) { out += value; }
inline void append(std::string& out, bool value) { out += value ? "true" : "false"; }
inline void append(std::string& out, double value) { out += number(value); }
template <typename T>
requires(std::is_integral_v<T>) void append(std::string& out, T value) {
  out += std::to_string(value);
}
template <typename T>
requires requires(const T& v) {
  v.begin();
  v.end();
} &&(!std::is_convertible_v<T, std::string_view>)void append(std::string& out, const T& list) {
  out += '[';
  bool first = true;
  for (const auto& item : list) {
    if (!first) out += ", ";
    first = false;
    append(out, item);
  }
  out += ']';
}

/// The arguments' texts, one after the other. Lists print as `[1, 2]`.
template <typename... Args>
std::string message(const Args&... args) {
  std::string out;
  (append(out, args), ...);
  return out;
}

}  // namespace assay::base
