#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "verify/spec/spec.h"

namespace assay::verify::detail {

/// Reads the notation of one piece of a spec, character by character; every error has its place.
class Notation {
 public:
  /// `name` says where the text stands: "--input", "spec.json: inputs[0]".
  Notation(std::string_view text, std::string name);

  bool at_end();
  /// Skips white space; the next character, or 0 at the end.
  char peek();
  /// Takes the character or text if it comes next.
  bool take(std::string_view wanted);
  void expect(std::string_view wanted, std::string_view why);
  void expect_end();
  [[noreturn]] void fail(std::string_view message) const;
  [[noreturn]] void fail_from(size_t begin, std::string_view message) const;
  size_t position();

  /// A name: letters, digits and `_`, not starting with a digit.
  std::string name(std::string_view what);
  /// A name with dots between (an input's path), or `*`.
  std::string path();
  /// A word of letters, digits, `_`, `:`, `-`, `.`: a device, a mode.
  std::string word(std::string_view what);
  std::string quoted();
  int64_t integer(std::string_view what);
  double number(std::string_view what);
  SizeExpr size();
  Interval interval();
  std::vector<Interval> domain();
  InputTree tree();

  /// Where each letter was first used, for errors that need the whole spec.
  const std::map<std::string, base::SourceRange>& letters() const { return letters_; }

 private:
  SizeExpr product();
  SizeExpr atom();
  ValueBound bound();
  ValueRange range();
  InputTree leaf();
  /// A number, a text, True or False: what every case is given.
  std::optional<InputTree> given();
  InputTree record(std::string class_name);
  std::string key();
  InputTree tensor(core::DType dtype);
  InputTree dict();
  InputTree list();
  InputTree tuple();
  ShapeItem shape_item();
  void text_choices(InputTree& tree);
  base::SourceRange range_of(size_t begin, size_t end) const;

  std::shared_ptr<const base::Source> source_;
  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::map<std::string, base::SourceRange> letters_;
};

}  // namespace assay::verify::detail
