#pragma once

#include "fuzz/targets/byte_target.h"

namespace assay::fuzz {

/// The parsers below the kernels: zip, NumPy's files and their arrays, pickle, whole archives,
/// source maps, TorchScript source, graphs, schemas, and the frames of a host.
const ByteTargets& engine_targets();

void parse_zip(std::string_view bytes);
void parse_npz(std::string_view bytes);
void parse_npy(std::string_view bytes);
void parse_pickle(std::string_view bytes);
void parse_archive(std::string_view bytes);
void parse_source_map(std::string_view bytes);
void parse_script(std::string_view bytes);
void parse_graph(std::string_view bytes);
void parse_schema(std::string_view bytes);
void parse_frames(std::string_view bytes);

}  // namespace assay::fuzz
