#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/stack.h"
#include "fuzz/targets/targets.h"
#include "verify/detail/base64.h"
#include "verify/host/frame.h"
#include "verify/host/observation_tree.h"
#include "verify/host/value_tree.h"
#include "verify/recording.h"
#include "verify/reproduce.h"
#include "verify/spec_parser.h"

namespace assay::fuzz {
namespace {

/// A file without a name that holds the bytes while it lives.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("bytes", MFD_CLOEXEC)) {
    base::invariant(fd_ >= 0, "no file in memory");
    while (!bytes.empty()) {
      ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      base::invariant(written > 0, "a file in memory takes no bytes");
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  std::string path() const { return base::cat("/proc/self/fd/", fd_); }

 private:
  int fd_;
};

/// The bytes as what a repro string carries, so that its checks of damage do not stop them.
std::string packed_repro(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 1);
  out.resize(size);
  return base::cat("ASSAY1:", verify::detail::base64url(out));
}

/// Every value tree in a message, at whatever place.
void read_trees(verify::host::TreeReader& reader, const nlohmann::json& message) {
  if (message.is_object() && message.contains("t")) {
    reader.value(message);
    return;
  }
  base::check_stack("a message");
  for (const auto& [key, part] : message.items()) {
    if (part.is_structured()) read_trees(reader, part);
  }
}

}  // namespace

void feed_spec(std::string_view bytes) {
  // Lines "flag text".
  std::vector<verify::SpecPiece> pieces;
  for (const std::string& line : base::split(bytes, '\n')) {
    size_t space = std::min(line.find(' '), line.size());
    std::string flag = line.substr(0, space);
    bool known = false;
    for (const auto& f : verify::spec_flags()) known = known || f.flag == flag;
    if (known) pieces.push_back({flag, line.substr(std::min(space + 1, line.size()))});
  }
  verify::Spec spec = verify::parse_spec(pieces);
  bool same = verify::parse_spec(verify::spec_pieces(spec)) == spec;
  base::invariant(same, "a spec does not read back: ", verify::spec_text(spec));
}

void feed_spec_file(std::string_view bytes) {
  verify::Spec spec = verify::parse_spec_json(bytes, "spec.json");
  bool same = verify::parse_spec_json(verify::spec_json(spec), "spec.json") == spec;
  base::invariant(same, "a spec does not read back: ", verify::spec_text(spec));
}

void feed_repro(std::string_view bytes) {
  if (bytes.starts_with('{')) {
    verify::decode_repro(packed_repro(bytes));
  } else {
    verify::decode_repro(bytes);
  }
}

void feed_frames(std::string_view bytes) {
  verify::host::MemorySource source(bytes);
  while (auto frame = verify::host::read_frame(source)) {
    verify::host::TreeReader reader(*frame);
    read_trees(reader, *frame->message);
  }
}

void feed_recording(std::string_view bytes) {
  MemoryFile file(bytes);
  verify::read_recording(file.path());
}

}  // namespace assay::fuzz
