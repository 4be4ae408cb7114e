#include <cstdio>

#include "ci/cli/files.h"
#include "ci/cli/inputs.h"
#include "ci/cli/subject.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "verify/findings/gate.h"

namespace assay::cli {

namespace {

int run_export(const Arguments& arguments) {
  constexpr std::string_view example = "assay export model.py:Net --input ... -o net.pt";
  const std::string& model = arguments.only_operand("one Python model", example);
  base::check(is_python_model(model), model, " is no Python model; name one: ", example);
  auto out = arguments.value("--output");
  base::check(out.has_value(), "say where to: -o net.pt");
  check_file_writable(*out);
  Target target = make_target(model, arguments);
  write_file(*out, target.exported->bytes());
  if (!target.host_note.empty()) std::fprintf(stderr, "%s\n", target.host_note.c_str());
  if (!target.second_opinion.empty()) std::printf("%s\n", target.second_opinion.c_str());
  std::printf("%s: %s of %s by %s\n", out->c_str(),
              arguments.has("--script") ? "the script" : "a trace", model.c_str(),
              target.host_text.c_str());
  return verify::exit_passed;
}

}  // namespace

Verb export_verb() {
  std::vector<Flag> flags = model_flags();
  flags.push_back({"--script", "", "compile the model's source in place of tracing it"});
  flags.push_back({"--output,-o", "FILE", "the archive"});
  return {"export",
          "Makes an archive of a Python model, which PyTorch and assay run.",
          "model.py:Net",
          "assay export model.py:Net --input 'x: f32[b, 3, h, w]' --dim b=1..8 --dim h=64..224 "
          "--dim w=h -o net.pt\n"
          "assay export model.py:Net --input 'x: f32[n]' --dim n=1..9 --script -o net.pt",
          flags,
          true,
          run_export};
}

}  // namespace assay::cli
