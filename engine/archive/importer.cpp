#include "engine/archive/importer.h"

#include <fmt/core.h>

#include "engine/archive/reader.h"
#include "engine/base/text.h"

namespace assay::archive {
namespace {

bool is_torchscript(const FileContents& file) {
  return file.has_member("data.pkl") || file.has_member("constants.pkl") ||
         file.has_member("model.json");
}

bool is_exported_program(const FileContents& file) {
  return file.has_member("archive_format") || file.has_member("models/model.json") ||
         file.has_member("serialized_exported_program.json") ||
         (file.zip() && file.zip()->find("serialized_exported_program.json"));
}

/// A protobuf that begins with `ir_version` and then names its producer, opset or graph.
bool is_onnx(const FileContents& file) {
  std::string_view bytes = file.bytes();
  return bytes.size() > 3 && bytes[0] == '\x08' && bytes[1] > 0 && bytes[1] < 32 &&
         (bytes[2] == '\x12' || bytes[2] == '\x3a' || bytes[2] == '\x42');
}

/// The length of a JSON header, then the header.
bool is_safetensors(const FileContents& file) {
  std::string_view bytes = file.bytes();
  return bytes.size() > 9 && bytes[8] == '{' && bytes[9] == '"' && bytes[6] == 0 && bytes[7] == 0;
}

bool is_pickle(const FileContents& file) { return file.starts_with("\x80\x02"); }

std::unique_ptr<Importer> open_torchscript(const FileContents& file) {
  return std::make_unique<Reader>(file.zip());
}

constexpr Format all_formats[] = {
    {"a TorchScript archive (torch.jit.save)", "a member data.pkl", is_torchscript,
     open_torchscript},
    {"an exported program (torch.export.save)", "a member archive_format", is_exported_program,
     nullptr},
    {"an ONNX model", "a protobuf with a version first", is_onnx, nullptr},
    {"a safetensors file, which holds weights without a program", "a length and a JSON header",
     is_safetensors, nullptr, false},
    {"a pickle (torch.save before PyTorch 1.6), not a zip archive, and holds no program",
     "the pickle opcode PROTO", is_pickle, nullptr, false},
};

[[noreturn]] void refuse_unknown(const FileContents& file) {
  std::string message = "the file is in no format that can be read: it is not ";
  for (const Format& format : formats()) {
    if (!format.open) continue;
    if (&format != formats().data()) message += ", nor ";
    message += fmt::format("{}, which has {}", format.name, format.mark);
  }
  if (file.zip_error()) message += fmt::format(" ({})", file.zip_error()->message());
  base::fail(message);
}

}  // namespace

FileContents::FileContents(FileBytes bytes) : bytes_(std::move(bytes)) {
  try {
    zip_ = std::make_shared<const ZipReader>(bytes_);
  } catch (const base::Error& error) {
    zip_error_ = error;
  }
}

std::string_view FileContents::bytes() const {
  return {reinterpret_cast<const char*>(bytes_.bytes().data()), bytes_.bytes().size()};
}

bool FileContents::starts_with(std::string_view magic) const { return bytes().starts_with(magic); }

bool FileContents::has_member(std::string_view name) const {
  if (!zip_ || zip_->records().empty()) return false;
  const std::string& first = zip_->records()[0].name;
  size_t slash = first.find('/');
  if (slash == std::string::npos) return false;
  return zip_->find(fmt::format("{}{}", std::string_view(first).substr(0, slash + 1), name)) !=
         nullptr;
}

std::span<const Format> formats() { return all_formats; }

std::unique_ptr<Importer> open_importer(FileBytes bytes) {
  FileContents file(std::move(bytes));
  for (const Format& format : formats()) {
    if (!format.recognizes(file)) continue;
    if (format.open) return format.open(file);
    auto kind = format.holds_program ? base::ErrorKind::unsupported : base::ErrorKind::input;
    throw base::Error(
        kind, fmt::format("the file is {}; trace or script the model and save it by torch.jit.save",
                          format.name));
  }
  // A damaged zip file is told by what is wrong with it.
  if (file.zip_error() && file.starts_with("PK")) throw base::Error(*file.zip_error());
  refuse_unknown(file);
}

}  // namespace assay::archive
