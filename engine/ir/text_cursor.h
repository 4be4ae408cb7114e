#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/source_range.h"

namespace assay::ir {

/// A place in a text that is being read, with the few steps that IR text needs. White space between
/// tokens means nothing, line ends included. Every failed step raises an input error with the
/// place.
class TextCursor {
 public:
  explicit TextCursor(std::shared_ptr<const base::Source> source);

  bool at_end();
  /// The next character after white space; '\0' at the end.
  char peek();
  /// Whether `token` comes next; a word must not go on behind it.
  bool sees(std::string_view token);
  bool accept(std::string_view token);
  void expect(std::string_view token);

  /// Letters, digits, `_`, and those in `extra`; at least one.
  std::string word(std::string_view extra = "");
  /// A run of characters of a number: digits, sign, point, exponent, `inf`, `nan`.
  std::string number();
  /// A text in double quotes as core::quoted_text wrote it.
  std::string quoted();
  /// The rest of the line, without its end and surrounding white space.
  std::string rest_of_line();
  /// Skips to the `stop` that lies outside of brackets and quotes, and over it.
  void skip_past(char stop);

  size_t offset() const { return at_; }
  void rewind(size_t offset) { at_ = offset; }
  [[noreturn]] void fail(std::string_view message);

 private:
  void skip_space();
  char escape();

  std::shared_ptr<const base::Source> source_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace assay::ir
