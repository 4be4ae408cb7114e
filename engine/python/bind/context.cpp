#include "engine/python/bind/context.h"

#include <cstdlib>
#include <string_view>

namespace assay::python {

api::Engine& engine() {
  // Outlives the interpreter, whose last objects are tensors.
  static api::Engine& instance = *new api::Engine([] {
    api::EngineOptions options;
    const char* fake = std::getenv("ASSAY_FAKE_CUDA");
    options.fake_cuda = fake && std::string_view(fake) == "1";
    return options;
  }());
  return instance;
}

}  // namespace assay::python
