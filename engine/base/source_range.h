#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace assay::base {

struct Source;

/// A stretch of a source text: bytes [begin, end). Empty (`!range`) where no text is known.
struct SourceRange {
  std::shared_ptr<const Source> source;
  size_t begin = 0;
  size_t end = 0;

  explicit operator bool() const { return source != nullptr; }
  /// Line of `begin`, counted from 1, in the file that the source names.
  int line() const;
  /// Column of `begin`, counted from 0.
  int column() const;
  /// "file:line".
  std::string place() const;
  /// The lines around the range with the range underlined by `~~~ <--- HERE`, as PyTorch shows it.
  std::string picture() const;
  /// The range of the program that this text was generated from (the Python source behind an
  /// archive's code), or this range itself where the archive does not say.
  SourceRange original() const;
};

/// A source text: a file, or a part of one.
struct Source {
  std::string text;
  std::string name;    ///< File name, or "<string>".
  int first_line = 1;  ///< The line number that the first line of `text` has in the file.

  /// Where the text at an offset was generated from, for texts that were; empty where unknown. A
  /// function, since reading an archive's map costs time that only few runs need to spend. It must
  /// be safe to call from several threads.
  std::function<SourceRange(size_t offset)> origin_at;
};

}  // namespace assay::base
