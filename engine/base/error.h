#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/message.h"
#include "engine/base/source_range.h"

namespace assay::base {

/// Who has to act on an error.
enum class ErrorKind {
  input,  ///< The user's input is at fault: an archive, a spec, a shape, a program that raises.
  unsupported,  ///< The input may be right, but assay cannot do it (yet).
  internal,     ///< assay itself is at fault. Untrusted bytes must never cause this kind.
};

/// What of the input is at fault, where callers tell such errors from others: Python has a class of
/// exception for each.
enum class Fault {
  other,
  index,   ///< A dimension or an element that is not there.
  matrix,  ///< It has no such decomposition or inverse, or none was found.
};

/// What the work may have run out of: then nothing is said about the input, which may be right
/// where more is allowed.
enum class Resource {
  none,
  time,  ///< Also counted steps.
  memory,
};

/// The one exception type of assay. Libraries throw it and never print; the program that called
/// them renders it (`describe`).
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, SourceRange range = {});

  ErrorKind kind() const { return kind_; }
  /// The message alone, without place or context.
  const std::string& message() const { return message_; }
  /// Where in a source text the error lies; empty where no text is involved.
  const SourceRange& range() const { return range_; }
  /// What was going on, innermost first ("in aten::view", "reading data.pkl").
  const std::vector<std::string>& context() const { return context_; }
  /// The qualified name of the exception class that a program raised with `raise`, or empty.
  const std::string& raised_class() const { return raised_class_; }
  Fault fault() const { return fault_; }
  /// Set where a limit or the machine ended the work; the kind is `input`.
  Resource ran_out_of() const { return ran_out_of_; }

  /// Adds an outer context line. Returns *this so that it can be rethrown in one expression.
  Error& add_context(std::string line);
  /// Sets the place if none is set yet.
  Error& at(SourceRange range);
  Error& raised_as(std::string class_name);
  Error& for_want_of(Resource resource);
  Error& lies_in(Fault fault);

  /// Message, place with caret picture, and context, as several lines.
  std::string describe() const;
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  SourceRange range_;
  std::vector<std::string> context_;
  std::string raised_class_;
  Resource ran_out_of_ = Resource::none;
  Fault fault_ = Fault::other;
};

/// The exception that a `catch` block has caught, as an Error: an Error stays what it is, lack of
/// memory is an input error, and what a library throws is `unsupported`, in the library's words.
Error caught_error();

/// Throws an Error of kind `input` whose message is the concatenation of the arguments.
template <typename... Args>
[[noreturn]] void fail(const Args&... args) {
  throw Error(ErrorKind::input, message(args...));
}

/// As `fail`, where a resource ran out.
template <typename... Args>
[[noreturn]] void fail_for_want_of(Resource resource, const Args&... args) {
  throw Error(ErrorKind::input, message(args...)).for_want_of(resource);
}

/// As `fail`, with a place in a source text.
template <typename... Args>
[[noreturn]] void fail_at(const SourceRange& range, const Args&... args) {
  throw Error(ErrorKind::input, message(args...), range);
}

/// Throws an Error of kind `unsupported`.
template <typename... Args>
[[noreturn]] void unsupported(const Args&... args) {
  throw Error(ErrorKind::unsupported, message(args...));
}

/// Throws an Error of kind `internal`: a state that assay's own code must not reach.
template <typename... Args>
[[noreturn]] void unreachable(const Args&... args) {
  throw Error(ErrorKind::internal, message(args...));
}

/// `fail(args...)` unless the condition holds.
template <typename... Args>
void check(bool condition, const Args&... args) {
  if (!condition) [[unlikely]]
    fail(args...);
}

/// As `check`, where the error lies in an index, or in a matrix.
template <typename... Args>
void check_index(bool condition, const Args&... args) {
  if (!condition) [[unlikely]]
    throw Error(ErrorKind::input, message(args...)).lies_in(Fault::index);
}
template <typename... Args>
void check_matrix(bool condition, const Args&... args) {
  if (!condition) [[unlikely]]
    throw Error(ErrorKind::input, message(args...)).lies_in(Fault::matrix);
}

/// `unreachable(args...)` unless the condition holds.
template <typename... Args>
void invariant(bool condition, const Args&... args) {
  if (!condition) [[unlikely]]
    unreachable(args...);
}

}  // namespace assay::base
