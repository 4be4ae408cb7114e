#include "engine/api/save.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "engine/archive/writer.h"
#include "engine/base/error.h"

namespace assay::api {

std::string save_bytes(Module& module, const std::string& name,
                       const std::map<std::string, std::string>& extra_files) {
  archive::WriteOptions options;
  options.root = name;
  options.extra_files = extra_files;
  return archive::write_module(module.unit(), module.object(), options,
                               [&](ir::Function& method, core::Values args) {
                                 return module.interpreter().run(method, std::move(args));
                               });
}

void save(Module& module, const std::string& path,
          const std::map<std::string, std::string>& extra_files) {
  // As PyTorch does, the root folder is named after the file.
  size_t begin = path.rfind('/') + 1;
  std::string name = path.substr(begin, path.find('.', begin) - begin);
  std::string bytes = save_bytes(module, name.empty() ? "archive" : name, extra_files);
  std::string beside = path + ".part";
  std::ofstream file(beside, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::string why = std::strerror(errno);
    std::remove(beside.c_str());
    base::fail("cannot write ", path, ": ", why);
  }
}

}  // namespace assay::api
