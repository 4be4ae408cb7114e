#include "engine/base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/base/error.h"

namespace assay::base {

TemporaryFolder::TemporaryFolder() {
  std::filesystem::path among = std::filesystem::temp_directory_path();
  std::string pattern = (among / "assay-XXXXXX").string();
  check(::mkdtemp(pattern.data()) != nullptr, "cannot make a folder in ", among.string(), ": ",
        std::strerror(errno), "; TMPDIR names another place");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace assay::base
