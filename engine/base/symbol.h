#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace assay::base {

/// An interned qualified name such as `aten::add` or `prim::If`. Comparing two is comparing two
/// integers. Names live as long as the process; thread-safe.
class Symbol {
 public:
  Symbol() = default;
  Symbol(std::string_view qualified);  // NOLINT: a name is a symbol.
  Symbol(const char* qualified) : Symbol(std::string_view(qualified)) {}
  Symbol(const std::string& qualified) : Symbol(std::string_view(qualified)) {}

  const std::string& text() const;
  /// "aten" of `aten::add`; empty where there is no `::`.
  std::string_view space() const;
  /// "add" of `aten::add`.
  std::string_view name() const;
  uint32_t id() const { return id_; }

  friend bool operator==(Symbol a, Symbol b) { return a.id_ == b.id_; }
  friend auto operator<=>(Symbol a, Symbol b) { return a.text() <=> b.text(); }

 private:
  uint32_t id_ = 0;  // 0 is the empty name.
};

}  // namespace assay::base

template <>
struct std::hash<assay::base::Symbol> {
  size_t operator()(assay::base::Symbol s) const noexcept { return s.id(); }
};
