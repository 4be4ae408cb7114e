#pragma once

#include <string_view>
#include <vector>

namespace assay::fuzz {

/// A parser as a function of bytes that nobody vouches for. It may raise base::Error of kind input
/// or unsupported; anything else that it does is a fault.
struct ByteTarget {
  std::string_view name;
  void (*parse)(std::string_view bytes);
};
using ByteTargets = std::vector<ByteTarget>;

/// Null if there is none of this name.
const ByteTarget* find_target(const ByteTargets& targets, std::string_view name);

/// Feeds the bytes and swallows the errors that are allowed. What else is thrown goes through.
void feed(const ByteTarget& target, std::string_view bytes);

}  // namespace assay::fuzz
