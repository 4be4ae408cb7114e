// The extension module: what each file of this folder adds to it.
#include <pybind11/pybind11.h>

#include "engine/python/bind/buffer.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/data.h"
#include "engine/python/bind/dlpack.h"
#include "engine/python/bind/exchange.h"
#include "engine/python/bind/files.h"
#include "engine/python/bind/generator.h"
#include "engine/python/bind/modes.h"
#include "engine/python/bind/operator.h"
#include "engine/python/bind/plain_attributes.h"
#include "engine/python/bind/script.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/torch_function.h"
#include "engine/python/bind/trace.h"

PYBIND11_MODULE(_engine, module) {
  using namespace assay::python;
  pybind11::register_exception_translator([](std::exception_ptr thrown) {
    if (!thrown) return;
    try {
      std::rethrow_exception(thrown);
    } catch (const Raised&) {  // Python has it already.
    } catch (const assay::base::Error&) {
      set_caught_error();
    }
  });
  module.attr("__version__") = ASSAY_VERSION;
  PyObject* plain = module.ptr();
  module.attr("_LinAlgError") = pybind11::handle(linear_algebra_error());
  try {
    add_tags(plain);
    add_tensor(plain);
    add_convert(plain);
    add_generator(plain);
    add_data(plain);
    add_buffer(plain);
    add_dlpack(plain);
    add_files(plain);
    add_torch_function(plain);
    add_operators(plain);
    add_modes(plain);
    add_script(plain);
    add_trace(plain);
    add_plain_attributes(plain);
    add_exchange(plain);
  } catch (const Raised&) {
    throw pybind11::error_already_set();
  }
}
