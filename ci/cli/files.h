#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

/// Reads a whole file; input error that names it. At most `limit` bytes.
std::string read_file(const std::string& path, size_t limit = size_t{1} << 30);

/// Writes a whole file ("-" is standard output), by way of a temporary one, so that a reader never
/// sees half of it and none stays where writing fails.
void write_file(const std::string& path, std::string_view text);
/// Makes a folder and those above it, where they are not there.
void make_folder(const std::string& path);

/// Input error if `write_file` or `make_folder` could not write there: asked before a long run, by
/// trying. What exists stays as it is.
void check_file_writable(const std::string& path);
void check_folder_writable(const std::string& path);

/// Writes out what standard output still holds back. Input error if any of it was lost.
void finish_output();

}  // namespace assay::cli
