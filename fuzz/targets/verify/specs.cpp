#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/base/error.h"
#include "fuzz/targets/verify/targets.h"
#include "verify/cases/detail/base64.h"
#include "verify/cases/reproduce.h"
#include "verify/run/recording.h"
#include "verify/spec/parser.h"

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
  std::string path() const { return fmt::format("/proc/self/fd/{}", fd_); }

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
  return fmt::format("ASSAY1:{}", verify::detail::base64url(out));
}

}  // namespace

void parse_spec_lines(std::string_view bytes) {
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

void parse_spec_file(std::string_view bytes) {
  verify::Spec spec = verify::parse_spec_json(bytes, "spec.json");
  bool same = verify::parse_spec_json(verify::spec_json(spec), "spec.json") == spec;
  base::invariant(same, "a spec does not read back: ", verify::spec_text(spec));
}

void parse_repro(std::string_view bytes) {
  if (bytes.starts_with('{')) {
    verify::decode_repro(packed_repro(bytes));
  } else {
    verify::decode_repro(bytes);
  }
}

void parse_recording(std::string_view bytes) {
  MemoryFile file(bytes);
  verify::read_recording(file.path());
}

}  // namespace assay::fuzz
