#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::fuzz::testing {

/// Real inputs of a byte target: archives and recordings of the corpus, golden texts, their parts.
std::vector<std::string> seeds_of(std::string_view target);

}  // namespace assay::fuzz::testing
