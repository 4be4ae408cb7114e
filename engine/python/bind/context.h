#pragma once

#include "engine/api/engine.h"

namespace assay::python {

/// The engine of the process, whose context every call from Python uses; Python's lock guards it.
/// `cuda` devices are fakes where the environment asks for them (ASSAY_FAKE_CUDA=1), and otherwise
/// not there.
api::Engine& engine();
inline ops::Context& context() {
  static ops::Context& of_engine = engine().context();
  return of_engine;
}

}  // namespace assay::python
