#include <fmt/core.h>

#include <cstdio>

#include "ci/cli/verb.h"
#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ir/constant.h"
#include "engine/ir/passes/inline.h"
#include "verify/findings/gate.h"
#include "verify/graph/program.h"

namespace assay::cli {
namespace {

void show_code(api::Module& module, const std::string& method) {
  std::printf("%s\n", module.code(method).c_str());
}

void show_graph(api::Module& module, const std::string& method) {
  std::printf("%s\n", module.graph(method).str().c_str());
}

verify::Program inlined(api::Module& module, const std::string& method) {
  auto graph = module.graph(method).copy();
  ir::inline_calls(*graph, module.unit());
  return verify::flatten(std::move(graph));
}

/// Every literal that an operator reads, with its role and source line.
void show_literals(api::Module& module, const std::string& method,
                   bool (*wanted)(const core::Value&)) {
  verify::Program program = inlined(module, method);
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

void show_constants(api::Module& module, const std::string& method) {
  show_literals(module, method, [](const core::Value& v) { return !v.is_none(); });
}

void show_devices(api::Module& module, const std::string& method) {
  show_literals(module, method, [](const core::Value& v) { return v.is_device(); });
}

void show_parameters(api::Module& module, const std::string&) {
  auto show = [](const char* kind, const api::Module::Named& named) {
    for (const auto& [name, value] : named) {
      std::printf("%s %s: %s\n", kind, name.c_str(), verify::literal_text(value).c_str());
    }
  };
  show("parameter", module.parameters());
  show("buffer", module.buffers());
  show("attribute", module.attributes());
}

void show_methods(api::Module& module, const std::string&) {
  for (const std::string& name : module.methods()) {
    std::printf("%s\n", module.schema(name).str().c_str());
  }
}

struct View {
  const char* name;
  void (*show)(api::Module& module, const std::string& method);
};

constexpr View views[] = {
    {"methods", show_methods},     {"code", show_code},       {"graph", show_graph},
    {"constants", show_constants}, {"devices", show_devices}, {"parameters", show_parameters},
};

int run(const Arguments& arguments) {
  base::check(arguments.operands().size() == 1,
              "name one archive: assay inspect model.pt --show graph");
  api::Module module = api::load(api::Engine(), arguments.operands()[0]);
  std::string method = arguments.value_or("--method", "forward");
  auto wanted = base::split(arguments.value_or("--show", "methods"), ',');
  for (const std::string& name : wanted) {
    const View* found = nullptr;
    std::vector<std::string> known;
    for (const View& v : views) {
      known.emplace_back(v.name);
      if (name == v.name) found = &v;
    }
    base::check(found != nullptr, "nothing to show is called '", name,
                "'; known: ", base::join(known, ", "));
    if (wanted.size() > 1) std::printf("== %s\n", name.c_str());
    try {
      found->show(module, method);
    } catch (base::Error& e) {
      e.add_context(fmt::format("reading {}", arguments.operands()[0]));
      throw;
    }
  }
  return verify::exit_passed;
}

}  // namespace

Verb inspect_verb() {
  return {"inspect",
          "Shows what an archive holds.",
          "model.pt",
          "assay inspect model.pt --show code,graph,constants",
          {{"--show", "WHAT,...", "methods, code, graph, constants, devices, parameters (methods)"},
           {"--method", "NAME", "whose code, graph and constants (forward)"}},
          run};
}

}  // namespace assay::cli
