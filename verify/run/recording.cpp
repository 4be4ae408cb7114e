#include "verify/run/recording.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/base/error.h"
#include "verify/host/fields.h"
#include "verify/host/observation_tree.h"
#include "verify/host/value_tree.h"

namespace assay::verify {

using host::TreeReader;
using host::TreeWriter;
using nlohmann::json;
namespace detail = host::detail;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kFormat = 1;

json call_tree(const RecordedCall& call, TreeWriter& writer) {
  json out = {{"args", writer.trees(call.args)},
              {"kwargs", host::named_trees(call.kwargs, writer)},
              {"method", call.method},
              {"mode", call.mode},
              {"grad", call.grad},
              {"seed", call.seed},
              {"device", call.device},
              {"keep", call.keep}};
  if (!call.case_json.empty()) out["case"] = call.case_json;
  // Inputs that the call left alone need not be stored twice.
  Observation seen = call.observation;
  if (!seen.inputs_changed) {
    seen.args_after.clear();
    seen.kwargs_after.clear();
  }
  return {{"call", out}, {"observation", host::observation_tree(seen, writer)}};
}

RecordedCall read_call(const json& message, TreeReader& reader) {
  const json& call = detail::field(message, "call");
  RecordedCall out;
  out.args = reader.values(detail::field(call, "args"));
  out.kwargs = host::read_named_values(detail::field(call, "kwargs"), reader);
  out.method = detail::text_field(call, "method", "forward");
  out.mode = detail::text_field(call, "mode", "eval");
  out.grad = detail::as_bool(detail::field(call, "grad"), "grad");
  out.seed = detail::as_unsigned(detail::field(call, "seed"), "seed");
  out.device = detail::text_field(call, "device", "cpu");
  out.keep = detail::as_bool(detail::field(call, "keep"), "keep");
  out.case_json = detail::text_field(call, "case", "");
  out.observation = host::read_observation(detail::field(message, "observation"), reader);
  if (!out.observation.inputs_changed) {
    out.observation.args_after = out.args;
    out.observation.kwargs_after = out.kwargs;
  }
  return out;
}

RecordedExport read_export(const json& message, const host::Frame& frame) {
  TreeReader reader(frame);
  RecordedExport out;
  out.args = reader.values(detail::field(message, "args"));
  out.kwargs = host::read_named_values(detail::field(message, "kwargs"), reader);
  out.mode = detail::text_field(message, "mode", "eval");
  if (const json* number = detail::optional_field(message, "call"))
    out.call = detail::as_int(*number, "call");
  out.meta = detail::as_bool(detail::field(message, "meta"), "meta");
  out.state = detail::text_field(message, "state", "kept");
  if (const json* seed = detail::optional_field(message, "seed"))
    out.seed = detail::as_unsigned(*seed, "seed");
  if (const json* taken = detail::optional_field(message, "taken")) {
    out.taken = host::read_taken(*taken);
  } else if (!out.args.empty() && out.args.back().is_none()) {  // Of a recording made without.
    out.taken = host::TakenArguments::without_last_none(out.args);
  }
  if (const json* escapes = detail::optional_field(message, "escapes"))
    out.escapes = host::read_escapes(*escapes);
  auto archive = frame.tensors.find("archive");
  base::check(archive != frame.tensors.end() && archive->second.dtype == core::DType::uint8,
              "an export has no archive");
  std::span<const std::byte> bytes = archive->second.bytes;
  out.archive.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return out;
}

WeightHashes read_weights(const json& header) {
  WeightHashes out;
  const json* weights = detail::optional_field(header, "weights");
  if (!weights) return out;
  base::check(weights->is_object(), "its weights are no object");
  for (const auto& [path, hash] : weights->items()) out[path] = detail::as_text(hash, "weights");
  return out;
}

/// Where a recording is written before it gets its name.
std::string written_at(const std::string& path) {
  std::error_code error;
  bool in_place = fs::exists(path, error) && !fs::is_regular_file(path, error);
  return in_place ? path : path + ".partial";
}

}  // namespace

RecordingWriter::RecordingWriter(const std::string& path, const RecordingHeader& header)
    : path_(path), written_(written_at(path)), file_(written_, std::ios::binary | std::ios::trunc) {
  base::check(file_.is_open(), "cannot write ", path, ": ", std::strerror(errno));
  put(host::frame_bytes({{"assay_recording", kFormat},
                         {"model", header.model},
                         {"model_sha256", header.model_sha256},
                         {"torch", header.torch},
                         {"python", header.python},
                         {"weights", header.weights},
                         {"spec", header.spec}}));
}

void RecordingWriter::put(const std::string& bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file_.flush();
  base::check(file_.good(), "cannot write ", path_, ": ", std::strerror(errno));
}

RecordingWriter::~RecordingWriter() {
  std::error_code ignored;
  if (!written_.empty() && written_ != path_) fs::remove(written_, ignored);
}

void RecordingWriter::add(const RecordedCall& call) {
  TreeWriter writer;
  json message = call_tree(call, writer);
  put(host::frame_bytes(message, writer.tensors()));
  ++calls_;
}

void RecordingWriter::add(const RecordedExport& exported) {
  TreeWriter writer;
  json message = {{"export",
                   {{"args", writer.trees(exported.args)},
                    {"kwargs", host::named_trees(exported.kwargs, writer)},
                    {"mode", exported.mode},
                    {"call", exported.call},
                    {"meta", exported.meta},
                    {"state", exported.state},
                    {"seed", exported.seed},
                    {"escapes", host::escapes_tree(exported.escapes)}}}};
  if (exported.taken) message["export"]["taken"] = host::taken_tree(*exported.taken);
  auto tensors = writer.tensors();
  auto size = static_cast<int64_t>(exported.archive.size());
  tensors.push_back({"archive", core::DType::uint8, {size}, exported.archive});
  put(host::frame_bytes(message, tensors));
}

void RecordingWriter::finish() {
  put(host::frame_bytes({{"calls", calls_}}));
  file_.close();
  base::check(file_.good(), "cannot write ", path_, ": ", std::strerror(errno));
  std::error_code error;
  if (written_ != path_) fs::rename(written_, path_, error);
  base::check(!error, "cannot write ", path_, ": ", error.message());
  written_.clear();
}

class RecordingReader::FileSource final : public host::ByteSource {
 public:
  explicit FileSource(const std::string& path) : file_(path, std::ios::binary) {
    base::check(file_.is_open(), "cannot open ", path, ": ", std::strerror(errno));
  }
  size_t read_some(std::span<std::byte> into) override {
    file_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
    return static_cast<size_t>(file_.gcount());
  }

 private:
  std::ifstream file_;
};

RecordingReader::~RecordingReader() = default;

RecordingReader::RecordingReader(const std::string& path)
    : path_(path), source_(std::make_unique<FileSource>(path)) {
  try {
    std::optional<host::Frame> frame = host::read_frame(*source_, {size_t{16} << 20, 0});
    base::check(frame.has_value(), "the file is empty");
    const json& message = *frame->message;
    int64_t format = detail::as_int(detail::field(message, "assay_recording"), "assay_recording");
    base::check(format == kFormat, "its format is ", format, "; this program reads ", kFormat);
    header_ = {
        detail::text_field(message, "model"),     detail::text_field(message, "model_sha256", ""),
        detail::text_field(message, "torch", ""), detail::text_field(message, "python", ""),
        detail::text_field(message, "spec", ""),  read_weights(message)};
  } catch (base::Error& error) {
    base::fail(path, " is no recording: ", error.message());
  }
}

std::optional<RecordedCall> RecordingReader::next() {
  try {
    while (!ended_) {
      std::optional<host::Frame> frame = host::read_frame(*source_);
      base::check(frame.has_value(), "the recording was cut off");
      if (const json* count = detail::optional_field(*frame->message, "calls")) {
        base::check(detail::as_size(*count, "calls") == calls_, "calls are missing");
        ended_ = true;
      } else if (const json* exported = detail::optional_field(*frame->message, "export")) {
        exports_.push_back(read_export(*exported, *frame));
      } else {
        TreeReader reader(*frame);
        RecordedCall call = read_call(*frame->message, reader);
        ++calls_;
        return call;
      }
    }
    return std::nullopt;
  } catch (base::Error& error) {
    base::fail(path_, ", after call ", calls_, ": ", error.message());
  }
}

Recording read_recording(const std::string& path) {
  RecordingReader reader(path);
  Recording out{reader.header(), {}, {}};
  while (std::optional<RecordedCall> call = reader.next()) out.calls.push_back(*std::move(call));
  out.exports = reader.exports();
  return out;
}

}  // namespace assay::verify
