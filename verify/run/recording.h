#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/value.h"
#include "verify/host/taken_arguments.h"
#include "verify/observation/observation.h"
#include "verify/run/weights.h"

namespace assay::verify {

/// A recording: calls with their observations, captured where PyTorch is available and checked
/// where it is not. A file of frames (verify/host/README.md): a header, one frame per call, and a
/// last one with their number, so that a file that was cut off is told from a whole one.
struct RecordingHeader {
  std::string model;         ///< What was run: "model.py:Net".
  std::string model_sha256;  ///< Of the file it came from; empty where unknown.
  std::string torch;         ///< Version.
  std::string python;        ///< Version.
  std::string spec;      ///< The JSON text of the spec that the calls were drawn from, or empty.
  WeightHashes weights;  ///< Of the model that was run; empty where unknown.
};

/// One call as it was made, and what it gave.
struct RecordedCall {
  core::Values args;
  std::vector<std::pair<std::string, core::Value>> kwargs;
  std::string method = "forward";
  std::string mode = "eval";
  bool grad = false;
  uint64_t seed = 0;
  std::string device = "cpu";
  bool keep = false;      ///< The call went on with the state that the one before it left.
  std::string case_json;  ///< The case it was materialized from (case_from_json), or empty.
  Observation observation;
};

/// An export of the model that was made beside PyTorch, so that diagnosis needs none.
struct RecordedExport {
  core::Values args;  ///< What it was exported with.
  std::vector<std::pair<std::string, core::Value>> kwargs;
  std::string mode = "eval";
  int64_t call = 1;            ///< Which of several calls in a row, state kept, was exported.
  bool meta = false;           ///< Exported under PyTorch's meta device.
  std::string state = "kept";  ///< "changed": with other parameters, as the axis of that name has.
  uint64_t seed = 0;           ///< Of the model's own generator.
  std::optional<host::TakenArguments> taken;  ///< What it takes, where that is not all of a call.
  std::vector<Escape> escapes;                ///< What left the graph while it was traced.
  std::string archive;                        ///< Its bytes.
};

/// Writes a recording call by call, beside `path`; it takes that name when it is finished, and
/// vanishes where it is not. A device or pipe is written to as it is.
class RecordingWriter {
 public:
  /// Input error, as from every part, if the file cannot be written.
  RecordingWriter(const std::string& path, const RecordingHeader& header);
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;
  void add(const RecordedCall& call);
  void add(const RecordedExport& exported);
  void finish();

 private:
  void put(const std::string& bytes);

  std::string path_;
  std::string written_;  // The file until it is finished; then empty.
  std::ofstream file_;
  int64_t calls_ = 0;
};

/// Reads a recording call by call. Everything in the file is checked; input error, naming the file
/// and the call, on anything that is no recording.
class RecordingReader {
 public:
  explicit RecordingReader(const std::string& path);
  ~RecordingReader();

  const RecordingHeader& header() const { return header_; }
  /// The next call; nothing after the last. Input error if the file was cut off. Exports that are
  /// met on the way are added to `exports`.
  std::optional<RecordedCall> next();
  const std::vector<RecordedExport>& exports() const { return exports_; }

 private:
  class FileSource;

  std::string path_;
  std::unique_ptr<FileSource> source_;
  RecordingHeader header_;
  std::vector<RecordedExport> exports_;
  int64_t calls_ = 0;
  bool ended_ = false;
};

/// A whole recording in memory.
struct Recording {
  RecordingHeader header;
  std::vector<RecordedCall> calls;
  std::vector<RecordedExport> exports;
};
Recording read_recording(const std::string& path);

}  // namespace assay::verify
