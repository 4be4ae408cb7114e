#pragma once

#include <cstddef>

namespace assay::core {

/// Gives back to the system the whole pages in [data, data + nbytes) that show a file as it is. The
/// next read of them fetches them from the file again, so nothing is lost: a page that was written
/// to, and memory that shows no file, stays as it is. For whoever copied a mapped file's bytes into
/// another form and will hardly read them again. Nobody may write to the bytes meanwhile.
///
/// Only advice: does nothing where the system does not tell which pages were written to.
void release_file_pages(const void* data, size_t nbytes);

}  // namespace assay::core
