#include "ci/cli/subject.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "ci/cli/files.h"
#include "ci/cli/host.h"
#include "ci/cli/inputs.h"
#include "ci/cli/methods.h"
#include "ci/cli/proposal.h"
#include "ci/cli/second_opinion.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "fuzz/generate/accepted.h"
#include "fuzz/generate/hints.h"
#include "fuzz/generate/reach.h"
#include "verify/cases/binding.h"
#include "verify/graph/align.h"
#include "verify/graph/archived_lines.h"
#include "verify/graph/narrowing.h"
#include "verify/host/observation_tree.h"
#include "verify/observation/places.h"
#include "verify/run/exporter_in_time.h"
#include "verify/run/host_runner.h"
#include "verify/run/recording_runner.h"
#include "verify/run/weights.h"
#include "verify/spec/parser.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

namespace {

bool ends_with_any(const std::string& text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](auto e) { return text.ends_with(e); });
}

/// The case at which a Python model is exported: the user's example, else a point of the spec.
Case example_case(const Arguments& arguments, const Spec& spec,
                  const std::optional<Call>& example) {
  if (example) return bind_case(spec, *example);
  auto point = fuzz::base_point(spec, {}, seed_of(arguments));
  base::check(point.has_value(), "the spec has no point to export at; name one with --example");
  return build_case(spec, *point);
}

/// Where a model refuses the inputs that were drawn to export it with, others that it accepts, if
/// some are found.
std::optional<Case> another_example(Runner& model, const Spec& spec, const Case& refused) {
  if (model.run(refused).ending == Ending::returned) return std::nullopt;
  auto accepted = fuzz::accepted_case(model, spec, refused.point.seed);
  return accepted ? std::optional(std::move(accepted->at)) : std::nullopt;
}

host::ExportRequest::Kind export_kind(const Arguments& arguments) {
  if (arguments.has("--script")) return host::ExportRequest::Kind::script;
  std::string kind = arguments.value_or("--export", "trace");
  if (kind == "trace") return host::ExportRequest::Kind::trace;
  if (kind == "fx") return host::ExportRequest::Kind::fx;
  base::check(kind == "script", "--export is trace, script or fx, not '", kind, "'");
  return host::ExportRequest::Kind::script;
}

/// The exports of a recording serve the diagnosis; the one that is the subject tells its example.
void use_recorded_exports(Target& t, const std::shared_ptr<const Recording>& recording,
                          const std::string& method) {
  t.exporter = std::make_unique<RecordingExporter>(recording, t.spec, method);
  for (const auto& other : t.exporter->known()) {
    if (t.exported->exported_at) break;
    if (!align(t.exported->program(), other->program()).equal()) continue;
    t.exported->exported_at = other->exported_at;
    t.subject.example = other->exported_at;
  }
}

/// What the calls of the recording were drawn from, where that is the reference.
std::optional<Spec> recorded_spec(const Arguments& arguments) {
  auto against = arguments.value("--against");
  if (!against || !against->ends_with(".rec")) return std::nullopt;
  RecordingHeader header = RecordingReader(*against).header();
  if (header.spec.empty()) return std::nullopt;
  return parse_spec_json(header.spec, fmt::format("{}'s spec", *against));
}

/// Gives the subject runners of its own, with an engine and a host that nobody shares.
void use_engine(Target& t) {
  bool pytorch = t.host && !t.host->facts().engine;  // The engine has no second opinion of itself.
  if (pytorch) t.subject.in_pytorch = t.exported->runner_in(t.host);
  t.subject.runner = t.exported->runner(t.subject.in_pytorch, t.subject.handover);
  t.subject.optimized = t.exported->optimized_runner();
}

void add_reference(Target& t, const Arguments& arguments, const std::string& method) {
  if (auto exports = arguments.value("--reexports")) {
    auto recording = std::make_shared<const Recording>(read_recording(*exports));
    use_recorded_exports(t, recording, method);
  }
  auto against = arguments.value("--against");
  if (!against) {
    if (t.host) t.reference = {ReferenceKind::host, std::make_shared<HostRunner>(t.host, method)};
    return;
  }
  if (against->ends_with(".rec")) {
    auto recording = std::make_shared<const Recording>(read_recording(*against));
    t.reference = {ReferenceKind::recording,
                   std::make_shared<RecordingRunner>(recording, *against, t.spec)};
    if (!t.exporter) use_recorded_exports(t, recording, method);
    return;
  }
  auto reference = EngineExport::from_file(*against, method);
  check_method(reference->load(), method, *against);
  t.reference = {ReferenceKind::archive, reference->runner(), *against};
  t.against = std::move(reference);
}

/// One export is under test: what would take several is refused before anything is run.
void check_one_export(const Spec& spec) {
  base::check(!spec.exports || spec.exports->second == 1,
              "exports: a check is of one export, not of ", spec.exports ? spec.exports->second : 0,
              " in a row; write a builder that exports before it gives the model, and check that");
  auto strict = spec.choices.find(CategoricalAxis::strict);
  base::check(strict == spec.choices.end() || strict->second.size() == 1,
              "strict: an export is made with one of them, on or off; check each by itself");
}

/// A trace holds one value of each number and text: what varies is refused before it is taken for a
/// fault of the model.
void check_traceable(const Spec& spec) {
  for (const InputPlace& place : input_places(spec)) {
    using Kind = InputTree::Kind;
    Kind kind = place.tree->kind;
    bool number = kind == Kind::integer || kind == Kind::floating || kind == Kind::boolean;
    if ((!number && kind != Kind::text) || place.tree->is_given()) continue;
    std::string_view value = kind == Kind::integer    ? "3"
                             : kind == Kind::floating ? "0.5"
                             : kind == Kind::boolean  ? "True"
                                                      : "\"sum\"";
    base::fail("input ", place.path, " is declared as ", print(*place.tree),
               ", and tracing fixes a number or text at one value; give it one, as in ", place.path,
               ": ", value, ", and check each by itself, or script the model: --export script");
  }
}

/// Whether an export failed for want of time.
bool is_late(const std::string& failure) {
  return failure.starts_with(host::ending_name(Ending::timed_out));
}

/// What to do about an export that failed, in words of this program; empty where nothing is known.
std::string export_remedy(const std::string& failure, const host::Loaded& loaded) {
  auto says = [&](std::string_view part) { return failure.find(part) != std::string::npos; };
  if (is_late(failure)) return "; --timeout-per-case allows more";
  if (says("strict=False")) return " (here: --strict off)";
  if (says("no argument holds a tensor")) {
    return "; a tensor is declared as f32[2, 4] (assay help spec); a model that takes none can "
           "only "
           "be scripted: --export script";
  }
  if (says("Tracer cannot infer type") || says("cannot be traced") ||
      says("output from traced functions")) {
    return "; let it return tensors, or lists, tuples and dicts of them, or script the model: "
           "--export script";
  }
  if (loaded.model.kind == "function") {
    return "; a function with parameters is taken for the model itself: if it builds the model, "
           "give it its arguments, as in model.py:build(8)";
  }
  return "";
}

/// Numbers that a model was not written for may keep it busy for ever: half of infinity is
/// infinity.
void reach_further(Target& t, Exporter& exporter, double seconds_of_export,
                   std::optional<double> seconds_of_check) {
  auto started = std::chrono::steady_clock::now();
  auto over = [&] {
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    return seconds_of_check && spent.count() + seconds_of_export > *seconds_of_check / 4;
  };
  ExporterInTime in_time(exporter, over);
  double usual = t.host->options().call_seconds;
  t.host->set_call_seconds(std::min(usual, 5 + 10 * seconds_of_export));
  // The engine's trace ends sooner, and leaves the process as it is.
  t.host->set_most_nodes(10'000 + 100 * t.exported->program().steps.size());
  fuzz::reach_further(t.spec, *t.exported, in_time);
  t.host->set_call_seconds(usual);
  t.host->set_most_nodes(0);
}

void export_python_model(Target& t, const std::string& model, const Arguments& arguments) {
  t.host = start_host(arguments, &t.host_note);
  t.subject.handover = std::make_shared<Handover>();
  std::string method = arguments.value_or("--method", "forward");
  auto loaded = load_model(*t.host, model, arguments);
  std::optional<Call> given;
  if (loaded.example) given = Call{*loaded.example, {}};
  if (t.spec.inputs.empty()) {
    HostRunner runner(t.host, method);
    Proposal proposal = propose_for_model(model, loaded, runner, arguments);
    t.spec = std::move(proposal.spec);
    given = std::move(proposal.example);
  }
  check_one_export(t.spec);
  if (export_kind(arguments) == host::ExportRequest::Kind::trace) check_traceable(t.spec);
  Case example = example_case(arguments, t.spec, given);
  HostRunner eager(t.host, method);
  std::string missing = eager.cannot_run(example);
  base::check(missing.empty(), model, " cannot be exported at ", describe(example), ": ", missing);
  auto exporter = std::make_unique<HostExporter>(
      t.host, export_kind(arguments), method, t.subject.handover,
      [host = t.host, model, arguments] { return start_engine_beside(*host, model, arguments); });
  auto started = std::chrono::steady_clock::now();
  ExportResult made = exporter->export_again(example);
  if (!made.exported && !given && !is_late(made.failure)) {
    if (std::optional<Case> other = another_example(eager, t.spec, example)) {
      example = std::move(*other);
      started = std::chrono::steady_clock::now();
      made = exporter->export_again(example);
    }
  }
  double seconds_of_export =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  base::check(made.exported != nullptr, model, " cannot be exported at ", describe(example), ": ",
              made.failure, export_remedy(made.failure, loaded));
  t.exported = std::const_pointer_cast<EngineExport>(
      std::static_pointer_cast<const EngineExport>(made.exported));
  t.subject.example = example;
  t.subject.exported_by = arguments.value_or("--export", "trace");
  t.source = source_file(model, loaded);
  t.subject.sha256 = sha256_of_file(t.source);
  reach_further(t, *exporter, seconds_of_export, arguments.duration("--time"));
  t.exporter = std::move(exporter);
  t.host_text = t.host->name();
  if (auto other = start_second_host(arguments))
    t.second_opinion =
        second_opinion(*t.exported, {model, method, export_kind(arguments)}, other, arguments);
}

void load_archive(Target& t, const std::string& model, const Arguments& arguments) {
  base::check(!model.ends_with(".py"), model, " is a Python file; name a model in it: ", model,
              ":Net");
  std::error_code ignored;
  base::check(model.find('.') != std::string::npos || std::filesystem::exists(model, ignored),
              "there is no file ", model,
              "; a Python model is named model.py:Net or package.module:Net");
  t.exported = EngineExport::from_file(model, arguments.value_or("--method", "forward"));
  // An archive that cannot be read is an error of the call, not a finding.
  api::Module module = t.exported->load();
  check_method(module, t.exported->method(), model);
  // The calls of a recording need no spec.
  bool recorded = arguments.value_or("--against", "").ends_with(".rec");
  if (t.spec.inputs.empty() && !recorded) {
    auto runner = t.exported->runner();
    t.spec = propose_for_archive(model, module, t.exported->method(), *runner, arguments).spec;
  }
  t.subject.path = model;
  t.subject.sha256 = sha256_of_file(model);
  // A model beside the archive can be exported again and is its reference.
  if (auto source = arguments.value("--source")) {
    t.host = start_host(arguments, &t.host_note);
    t.subject.handover = std::make_shared<Handover>();
    auto loaded = load_model(*t.host, *source, arguments);
    t.source = source_file(*source, loaded);
    if (loaded.example) t.exported->exported_at = bind_case(t.spec, Call{*loaded.example, {}});
    t.exporter = std::make_unique<HostExporter>(
        t.host, export_kind(arguments), arguments.value_or("--method", "forward"),
        t.subject.handover, [host = t.host, model = *source, arguments] {
          return start_engine_beside(*host, model, arguments);
        });
    t.host_text = t.host->name();
    if (!t.host->facts().engine) t.exported->put_behind(t.host, t.subject.handover);
  }
  t.subject.example = t.exported->exported_at;
}

}  // namespace

std::vector<Flag> model_flags() {
  return {
      {"--build-args", "JSON", "what the model is built with: '{\"dim\": 8}' or '[8]'"},
      {"--method", "NAME", "method under test (forward)"},
      {"--example", "FILE:NAME", "function that gives the inputs to export with"},
      {"--host", "auto|pytorch|engine|both",
       "what runs Python models: PyTorch, assay's own engine, or both of them with their exports "
       "compared (auto: PyTorch where the interpreter has it, else the engine)"},
      {"--python", "PATH", "the interpreter that has your torch (python3)"},
      {"--seed", "N", "seed of everything drawn (0)"},
      {"--timeout-per-case", "TIME",
       "longest run or export (60s), and longest build of the model (120s)"},
  };
}

std::vector<Flag> subject_flags() {
  std::vector<Flag> flags{
      {"--against", "FILE", "hold it against an archive (.pt) or a recording (.rec)"},
      {"--reexports", "FILE", "a recording (.rec) whose exports serve the diagnosis"},
      {"--source", "MODEL", "of an archive: the Python model it was exported from"},
      {"--export", "trace|script|fx", "how to export a Python model (trace)"},
  };
  for (Flag& flag : model_flags()) flags.push_back(std::move(flag));
  return flags;
}

bool is_python_model(const std::string& model) {
  return !ends_with_any(model, {".pt", ".pth", ".ts", ".jit", ".zip", ".ptl", ".rec"}) &&
         model.find(':') != std::string::npos;
}

void refuse_python_model(const std::string& path, std::string_view verb) {
  bool python = is_python_model(path) || path.ends_with(".py");
  base::check(!python, path, " is Python; assay ", verb,
              " takes an archive, as torch.jit.trace(...).save('model.pt') makes one");
}

std::string source_file(const std::string& model, const host::Loaded& loaded) {
  constexpr std::string_view end = ".py";
  size_t at = model.find(".py:");
  return at == std::string::npos ? loaded.model.file : model.substr(0, at + end.size());
}

std::string sha256_of_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  return sha256(read_file(path, size_t{64} << 30));
}

/// What `--against` cannot be.
void check_against(const Arguments& arguments) {
  auto against = arguments.value("--against");
  base::check(
      !against || !is_python_model(*against),
      "--against takes an archive (.pt) or a recording (.rec); the Python model that an archive "
      "was exported from is named with --source, and is the reference where it is the model under "
      "test");
}

namespace {

/// Whether the subject computes in 16 bits, and the model's other exports do not.
bool is_narrower(const Target& t) {
  if (!narrows(t.exported->program())) return false;
  if (t.against) return !narrows(t.against->program());
  if (!t.exporter) return false;
  std::vector<std::shared_ptr<const Export>> others = t.exporter->known();
  std::erase_if(others, [](const auto& other) {
    return other->exported_at && other->exported_at->setting("autocast") == "on";
  });
  bool archive = t.subject.path == t.subject.name;  // Not exported for this check.
  if (others.empty() && archive && t.subject.example) {
    others.push_back(t.exporter->export_at(*t.subject.example, false).exported);
  }
  return !others.empty() && std::ranges::all_of(others, [](const auto& other) {
    return other && !narrows(other->program());
  });
}

}  // namespace

Target make_target(const std::string& model, const Arguments& arguments) {
  check_against(arguments);
  Target t;
  auto recorded = recorded_spec(arguments);
  if (declares_inputs(arguments)) {
    t.spec = spec_of(arguments);
    check_one_export(t.spec);
  } else if (recorded && !recorded->inputs.empty()) {
    t.spec = propose_recorded(*recorded, *arguments.value("--against"), arguments).spec;
  }
  t.subject.name = model;
  std::string method = arguments.value_or("--method", "forward");
  if (is_python_model(model)) {
    export_python_model(t, model, arguments);
  } else {
    load_archive(t, model, arguments);
  }
  t.subject.methods = {method};
  use_engine(t);
  add_reference(t, arguments, method);
  t.subject.narrower = is_narrower(t);
  return t;
}

fuzz::Helper make_helper(const Target& target, const std::string& model,
                         const Arguments& arguments) {
  Target t;
  t.spec = target.spec;
  t.subject = target.subject;
  t.exported = target.exported;
  if (target.host) {
    t.host = start_host(arguments);
    load_model(*t.host, arguments.value_or("--source", model), arguments);
  }
  use_engine(t);
  std::string method = arguments.value_or("--method", "forward");
  add_reference(t, arguments, method);
  return {std::move(t.subject), std::move(t.reference)};
}

namespace {

diagnosis::SourceText archived_text(const Target& target) {
  auto lines = std::make_shared<ArchivedLines>();
  for (const auto& archive : {target.exported, target.against}) {
    if (archive) lines->add(archive->program());
  }
  if (lines->empty()) return nullptr;
  return [lines](const std::string& file, int line) { return lines->line(file, line); };
}

}  // namespace

diagnosis::SourceText source_text(const Target& target) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path home = fs::canonical(target.source, error).parent_path();
  if (target.source.empty() || error) return archived_text(target);
  auto is_package = [&](const fs::path& folder) {
    return fs::exists(folder / "__init__.py", error);
  };
  while (is_package(home) && is_package(home.parent_path())) home = home.parent_path();
  return [home](const std::string& file, int line) -> std::string {
    if (is_of_library(file)) return {};  // It may be installed below the user's own folder.
    std::error_code missing;
    fs::path path = fs::canonical(file, missing);
    auto [end, same] = std::mismatch(home.begin(), home.end(), path.begin(), path.end());
    if (missing || end != home.end()) return {};
    std::ifstream lines(path);
    std::string text;
    for (int k = 0; k < line; ++k) {
      if (!std::getline(lines, text)) return {};
    }
    constexpr size_t longest = 300;
    return text.substr(0, longest);
  };
}

}  // namespace assay::cli
