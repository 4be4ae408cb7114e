#include "verify/guards/solver.h"

#include <dlfcn.h>
#include <z3.h>

namespace assay::verify::guards {
namespace {

/// Z3's functions of these names, as far as a program in text needs them.
class Library {
 public:
  Library() {
    void* opened = dlopen(ASSAY_Z3_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!opened) return;
    auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(opened, name));
      return function != nullptr;
    };
    complete_ = find(make_config, "Z3_mk_config") && find(drop_config, "Z3_del_config") &&
                find(make_context, "Z3_mk_context") && find(drop_context, "Z3_del_context") &&
                find(on_error, "Z3_set_error_handler") && find(evaluate, "Z3_eval_smtlib2_string");
  }

  explicit operator bool() const { return complete_; }

  decltype(&Z3_mk_config) make_config = nullptr;
  decltype(&Z3_del_config) drop_config = nullptr;
  decltype(&Z3_mk_context) make_context = nullptr;
  decltype(&Z3_del_context) drop_context = nullptr;
  decltype(&Z3_set_error_handler) on_error = nullptr;
  decltype(&Z3_eval_smtlib2_string) evaluate = nullptr;

 private:
  bool complete_ = false;
};

}  // namespace

std::string ask_solver(const std::string& program) {
  static const Library z3;
  if (!z3) return "";
  Z3_config config = z3.make_config();
  Z3_context context = z3.make_context(config);
  z3.drop_config(config);
  // It would end the process else; the text says what was wrong.
  z3.on_error(context, [](Z3_context, Z3_error_code) {});
  Z3_string answer = z3.evaluate(context, program.c_str());
  std::string text = answer ? answer : "";
  z3.drop_context(context);
  return text;
}

}  // namespace assay::verify::guards
