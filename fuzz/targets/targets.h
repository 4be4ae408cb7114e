#pragma once

#include <string_view>
#include <vector>

namespace assay::fuzz {

/// A parser as a function of bytes that nobody vouches for. It may raise base::Error of kind input
/// or unsupported; anything else that it does is a fault.
struct ByteTarget {
  std::string_view name;
  void (*feed)(std::string_view bytes);
};

/// One for each parser of assay: zip, pickle, whole archives, source maps, TorchScript source,
/// graphs, schemas, specs, repro strings, frames of a host and recordings.
const std::vector<ByteTarget>& byte_targets();
/// Null if there is none of this name.
const ByteTarget* find_byte_target(std::string_view name);

/// Feeds the bytes and swallows the errors that are allowed. What else is thrown goes through.
void feed(const ByteTarget& target, std::string_view bytes);

void feed_zip(std::string_view bytes);
void feed_pickle(std::string_view bytes);
void feed_archive(std::string_view bytes);
void feed_source_map(std::string_view bytes);
void feed_script(std::string_view bytes);
void feed_graph(std::string_view bytes);
void feed_schema(std::string_view bytes);
void feed_spec(std::string_view bytes);
void feed_spec_file(std::string_view bytes);
void feed_repro(std::string_view bytes);
void feed_frames(std::string_view bytes);
void feed_recording(std::string_view bytes);

}  // namespace assay::fuzz
