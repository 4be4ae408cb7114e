#include "ci/cli/methods.h"

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::cli {

void check_method(const api::Module& module, const std::string& method, const std::string& path) {
  if (module.has_method(method)) return;
  std::vector<std::string> known = module.methods();
  base::check(!known.empty(), path, " has no method '", method,
              "': its module holds parameters and state, and no code to run");
  constexpr size_t most = 24;
  bool more = known.size() > most;
  if (more) known.resize(most);
  base::fail(path, " has no method '", method, "'; it has ", base::join(known, ", "),
             more ? ", ..." : "", ": name one with --method ", known[0]);
}

}  // namespace assay::cli
