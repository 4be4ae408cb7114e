#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "ci/cli/guards.h"
#include "ci/cli/inputs.h"
#include "ci/cli/methods.h"
#include "ci/cli/subject.h"
#include "ci/cli/verb.h"
#include "engine/api/load.h"
#include "engine/archive/importer.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ir/constant.h"
#include "engine/ir/passes/inline.h"
#include "verify/findings/gate.h"
#include "verify/graph/origins.h"
#include "verify/graph/program.h"
#include "verify/graph/written.h"

namespace assay::cli {
namespace {

std::string method_of(const Arguments& arguments) {
  return arguments.value_or("--method", "forward");
}

/// The archive's own text of the files, where it cannot be compiled here.
void show_sources(const archive::Importer& importer, const std::vector<std::string>& files,
                  const base::Error& why) {
  std::fprintf(stderr, "assay: this is the archive's own text, which cannot be run here: %s\n",
               why.message().c_str());
  for (const std::string& file : files) {
    if (files.size() > 1) std::printf("# code/%s\n", file.c_str());
    std::printf("%s\n", importer.source_text(file).c_str());
  }
}

/// "__torch__/model.py" of "__torch__.model.Net".
std::string file_of_class(const std::string& name) {
  std::string file = name.substr(0, name.rfind('.'));
  std::replace(file.begin(), file.end(), '.', '/');
  return file + ".py";
}

void show_code(api::Module& module, const Arguments& arguments) {
  const std::string method = method_of(arguments);
  try {
    std::printf("%s\n", module.code(method).c_str());
  } catch (const base::Error& e) {
    std::string file = file_of_class(module.class_name());
    bool has_text = module.importer() && !module.importer()->source_text(file).empty();
    if (e.kind() == base::ErrorKind::internal || !has_text) throw;
    show_sources(*module.importer(), {file}, e);
  }
}

/// The text of an archive that cannot be loaded, because it needs what assay does not have.
void show_unloaded_code(const std::string& path, const base::Error& why) {
  auto importer = archive::open_importer(archive::FileBytes::map(path));
  show_sources(*importer, importer->source_files(), why);
}

void show_graph(api::Module& module, const Arguments& arguments) {
  std::printf("%s\n", module.graph(method_of(arguments)).str().c_str());
}

verify::Program inlined(api::Module& module, const std::string& method) {
  auto graph = module.graph(method).copy();
  ir::inline_calls(*graph, module.unit());
  return verify::flatten(std::move(graph));
}

/// Every literal that an operator reads, with its role and source line.
void show_literals(api::Module& module, const Arguments& arguments,
                   bool (*wanted)(const core::Value&)) {
  verify::Program program = inlined(module, method_of(arguments));
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const verify::Step& step = program.steps[s];
    for (size_t o = 0; o < step.operands.size(); ++o) {
      const verify::Operand& operand = step.operands[o];
      bool literal = operand.kind == verify::Operand::Kind::literal;
      if (!literal || step.op == "}" || !wanted(operand.literal)) continue;
      std::string place = step.file.empty() ? "" : fmt::format("  # {}:{}", step.file, step.line);
      std::printf("%s  %s %s%s\n", verify::literal_text(operand.literal).c_str(), step.op.c_str(),
                  verify::role_of(program, s, o).c_str(), place.c_str());
    }
  }
}

void show_constants(api::Module& module, const Arguments& arguments) {
  show_literals(module, arguments, [](const core::Value& v) { return !v.is_none(); });
}

void show_devices(api::Module& module, const Arguments& arguments) {
  show_literals(module, arguments, [](const core::Value& v) { return v.is_device(); });
}

void show_parameters(api::Module& module, const Arguments&) {
  auto show = [](const char* kind, const api::Module::Named& named) {
    for (const auto& [name, value] : named) {
      std::printf("%s %s: %s\n", kind, name.c_str(), verify::literal_text(value).c_str());
    }
  };
  show("parameter", module.parameters());
  show("buffer", module.buffers());
  show("attribute", module.attributes());
}

void show_methods(api::Module& module, const Arguments&) {
  for (const std::string& name : module.methods()) {
    std::printf("%s\n", module.schema(name).str().c_str());
  }
}

/// Over the letters of the spec, where the user gave one.
std::string guards_of(api::Module& module, const std::string& json, const Arguments& arguments) {
  verify::Program program = inlined(module, "forward");
  verify::Origins origins = verify::read_origins(json, verify::input_names(*program.graph));
  if (!arguments.has("--input") && !arguments.has("--spec")) return guards_text(origins);
  verify::Spec spec = spec_of(arguments);
  auto names = verify::guards::input_names(program);
  return guards_text(verify::guards::validity(spec, origins, names, plainest_case(spec, 0).point));
}

void show_guards(api::Module& module, const Arguments& arguments) {
  std::vector<std::string> files;
  if (module.importer()) files = module.importer()->extra_files();
  if (std::find(files.begin(), files.end(), verify::Origins::file) == files.end()) {
    std::printf("no guards: the archive was not traced by assay\n");
    return;
  }
  std::string text =
      guards_of(module, module.importer()->extra_file(verify::Origins::file), arguments);
  std::printf("%s", text.empty() ? "no guards: no number left the trace\n" : text.c_str());
}

struct View {
  const char* name;
  void (*show)(api::Module& module, const Arguments& arguments);
  bool of_method;  ///< Of the one that --method names.
};

constexpr View views[] = {
    {"methods", show_methods, false}, {"code", show_code, true},
    {"graph", show_graph, true},      {"constants", show_constants, true},
    {"devices", show_devices, true},  {"parameters", show_parameters, false},
    {"guards", show_guards, false},
};

const View* view_named(const std::string& name) {
  std::vector<std::string> known;
  for (const View& v : views) {
    known.emplace_back(v.name);
    if (name == v.name) return &v;
  }
  base::fail("nothing to show is called '", name, "'; known: ", base::join(known, ", "));
}

/// Nothing where only the code is wanted and had to be shown without loading the archive.
std::optional<api::Module> load(const std::string& path, const std::vector<std::string>& wanted) {
  try {
    return api::load(api::Engine(), path);
  } catch (const base::Error& e) {
    bool only_code = wanted == std::vector<std::string>{"code"};
    if (e.kind() != base::ErrorKind::unsupported || !only_code) throw;
    show_unloaded_code(path, e);
    return std::nullopt;
  }
}

int run_inspect(const Arguments& arguments) {
  const std::string& path =
      arguments.only_operand("one archive", "assay inspect model.pt --show graph");
  refuse_python_model(path, "inspect");
  std::string method = method_of(arguments);
  auto wanted = base::split(arguments.value_or("--show", "methods"), ',');
  for (const std::string& name : wanted) view_named(name);
  auto module = load(path, wanted);
  if (!module) return verify::exit_passed;
  for (const std::string& name : wanted) {
    const View* found = view_named(name);
    if (wanted.size() > 1) std::printf("== %s\n", name.c_str());
    if (found->of_method) check_method(*module, method, path);
    try {
      found->show(*module, arguments);
    } catch (base::Error& e) {
      e.add_context(fmt::format("reading {}", path));
      throw;
    }
  }
  return verify::exit_passed;
}

}  // namespace

Verb inspect_verb() {
  return {
      "inspect",
      "Shows what an archive holds.",
      "model.pt",
      "assay inspect model.pt --show code,graph,constants\nassay inspect model.pt --show guards "
      "--input 'x: f32[b, 4]' --dim b=1..8",
      {{"--show", "WHAT,...",
        "methods, code, graph, constants, devices, parameters, guards (methods); guards over the "
        "letters of a spec, where one is given"},
       {"--method", "NAME", "whose code, graph and constants (forward)"}},
      true,
      run_inspect};
}

}  // namespace assay::cli
