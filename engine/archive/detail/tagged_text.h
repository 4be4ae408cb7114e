#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/source_range.h"

namespace assay::archive::detail {

/// Generated source text that knows which part came from which range of the program.
struct TaggedText {
  std::string text;
  std::vector<std::pair<size_t, base::SourceRange>> tags;  ///< From this offset on; ascending.

  TaggedText() = default;
  TaggedText(std::string plain) : text(std::move(plain)) {}  // NOLINT: text is text.
  TaggedText(std::string_view plain) : text(plain) {}        // NOLINT
  TaggedText(const char* plain) : text(plain) {}             // NOLINT

  /// What is appended from here on comes from this range.
  void tag(const base::SourceRange& range) {
    if (!tags.empty() && tags.back().first == text.size()) tags.pop_back();
    tags.emplace_back(text.size(), range);
  }
  TaggedText& operator+=(const TaggedText& more) {
    base::SourceRange outer = tags.empty() ? base::SourceRange() : tags.back().second;
    for (const auto& [offset, range] : more.tags) {
      tags.emplace_back(text.size() + offset, range);
    }
    text += more.text;
    // Behind the inner text, the outer range goes on.
    if (!more.tags.empty()) tags.emplace_back(text.size(), outer);
    return *this;
  }
};

}  // namespace assay::archive::detail
