#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ci/cli/files.h"
#include "ci/cli/inputs.h"
#include "ci/cli/interruption.h"
#include "ci/cli/proposal.h"
#include "ci/cli/subject.h"
#include "ci/cli/tolerances.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "fuzz/database.h"
#include "fuzz/session.h"
#include "reports/console.h"
#include "reports/formats.h"
#include "reports/json.h"
#include "verify/compare/growth.h"
#include "verify/findings/gate.h"
#include "verify/lint/lint.h"
#include "verify/run/host_runner.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

namespace {

std::string now() {
  std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string flag_of(const reports::Format& format) { return fmt::format("--{}", format.name); }

/// The files that the user asked for, made from one document, also when the gate fails.
class Files {
 public:
  explicit Files(const Arguments& arguments) : times_(!arguments.has("--no-times")) {
    for (const reports::Format& format : reports::formats()) {
      auto path = arguments.value(flag_of(format));
      if (!path) continue;
      for (const auto& [other, taken] : files_) {
        base::check(taken != *path, flag_of(*other), " and ", flag_of(format), " would both write ",
                    *path, "; name two files");
      }
      check_file_writable(*path);
      files_.emplace_back(&format, *path);
    }
  }

  bool take_standard_output() const {
    return std::ranges::any_of(files_, [](const auto& file) { return file.second == "-"; });
  }

  void write(const RunReport& report) const {
    if (files_.empty()) return;
    // By way of the text, in which what models say is UTF-8.
    auto document = nlohmann::json::parse(reports::json_text(report, times_));
    for (const auto& [format, path] : files_)
      write_file(path, reports::rendered(*format, document));
  }

 private:
  std::vector<std::pair<const reports::Format*, std::string>> files_;
  bool times_;
};

GatePolicy policy_of(const Arguments& arguments) {
  GatePolicy policy;
  if (auto words = arguments.value("--fail-on")) {
    policy.fail_on.clear();
    for (const std::string& word : base::split(*words, ',')) {
      bool known = false;
      for (auto v :
           {Visibility::silent, Visibility::loud, Visibility::lenient, Visibility::latent}) {
        if (visibility_name(v) == word) policy.fail_on.insert(v), known = true;
      }
      base::check(known, "--fail-on takes silent, loud, lenient and latent, not '", word, "'");
    }
  }
  if (auto classes = arguments.value("--fail-class")) {
    for (std::string word : base::split(*classes, ',')) {
      std::string prefix = word.substr(0, word.find_last_not_of('x') + 1);
      std::ranges::transform(prefix, prefix.begin(),
                             [](unsigned char c) { return std::toupper(c); });
      const auto& all = failure_classes();
      bool known = std::any_of(all.begin(), all.end(), [&](const FailureClass& c) {
        return !prefix.empty() && c.id.starts_with(prefix);
      });
      base::check(known, "there is no failure class ", word, "; assay explain lists all");
      policy.fail_classes.push_back(prefix);
    }
  }
  policy.min_valid = arguments.integer("--min-valid", 1, 0, INT64_MAX);
  policy.allow_uncompared = arguments.integer("--allow-uncompared", 0, 0, INT64_MAX);
  return policy;
}

fuzz::Budget budget_of(const Arguments& arguments) {
  fuzz::Budget budget;
  constexpr int64_t many = int64_t{1} << 40;
  auto seconds = arguments.duration("--time");
  budget.max_examples =
      arguments.integer("--max-examples", seconds ? fuzz::unlimited : 100, 1, many);
  budget.max_seconds = seconds.value_or(0);
  budget.max_shrinks = arguments.integer("--max-shrinks", 200, 0, many);
  budget.max_shrink_seconds = arguments.duration("--max-shrink-seconds").value_or(60);
  budget.fail_fast = arguments.has("--fail-fast");
  return budget;
}

std::string names_of(const std::vector<std::shared_ptr<const Property>>& properties) {
  std::vector<std::string> names;
  for (const auto& p : properties) names.emplace_back(p->id());
  return base::join(names, ", ");
}

bool takes_gradients(const Spec& spec) {
  auto declared = spec.choices.find(CategoricalAxis::grad);
  return declared != spec.choices.end() && std::ranges::count(declared->second, "on") > 0;
}

std::vector<std::shared_ptr<const Property>> properties_of(const Spec& spec) {
  auto all = all_properties();
  if (spec.properties.empty()) {
    // Without a wish: what needs no further assumption about the model.
    std::erase_if(all, [&](const auto& p) {
      return p->id() == "batch_independent" || (p->id() == "gradients" && !takes_gradients(spec));
    });
    return all;
  }
  std::vector<std::shared_ptr<const Property>> chosen;
  for (const std::string& id : spec.properties) {
    bool known = false;
    for (const auto& p : all) {
      if (p->id() == id) chosen.push_back(p), known = true;
    }
    base::check(known, "there is no property '", id, "'; there are ", names_of(all));
  }
  return chosen;
}

fuzz::Hints hints_of(const Target& target) {
  std::set<int64_t> literals;
  for (const Step& step : target.exported->program().steps) {
    for (const Operand& o : step.operands) {
      bool number = o.kind == Operand::Kind::literal && o.literal.is_int();
      if (number && o.literal.to_int() > 0) literals.insert(o.literal.to_int());
    }
  }
  fuzz::Hints hints;
  hints.literals.assign(literals.begin(), literals.end());
  if (target.subject.example) hints.example = target.subject.example->point;
  return hints;
}

std::string profile_of(const Arguments& arguments) {
  const char* named = std::getenv("ASSAY_PROFILE");
  std::string profile = arguments.value_or("--profile", named               ? named
                                                        : std::getenv("CI") ? "ci"
                                                                            : "dev");
  base::check(profile == "dev" || profile == "ci", "--profile is dev or ci, not '", profile, "'");
  return profile;
}

/// Remembers failing cases from run to run: in .assay, or where the user says. A ci run remembers
/// nothing, and reads only what it is told to.
std::unique_ptr<fuzz::DatabaseListener> use_database(const Arguments& arguments,
                                                     const std::string& profile,
                                                     const std::string& model,
                                                     reports::Console& console,
                                                     fuzz::SessionRequest& request) {
  bool ci = profile == "ci";
  if (arguments.has("--no-database") || (ci && !arguments.has("--database"))) return nullptr;
  fuzz::Database database(arguments.value_or("--database", ".assay"));
  auto complain = [&console](const std::string& text) { console.message(text); };
  auto remembered = database.load(model, complain);
  // A recording's own cases are all that it can be asked for.
  const verify::Runner* reference = request.reference.runner.get();
  bool closed = reference && reference->only_cases();
  if (!closed) remembered = fuzz::fit_to(request.spec, std::move(remembered), complain);
  std::vector<Case>& first = request.campaign.first;
  for (const fuzz::Remembered& one : remembered) {
    if (std::find(first.begin(), first.end(), one.smallest) == first.end()) {
      first.push_back(one.smallest);
    }
  }
  if (ci) return nullptr;
  return std::make_unique<fuzz::DatabaseListener>(database, model, std::move(remembered),
                                                  request.campaign.key, complain);
}

void add_header(const Target& target, const std::string& model, const Arguments& arguments,
                RunReport& r) {
  r.tool.version = ASSAY_VERSION;
  r.run.seed = seed_of(arguments);
  r.run.command = command_line();
  r.run.host = target.host_text;
  r.run.second_opinion = target.second_opinion;
  r.run.engine = fmt::format("assay {} (cpu)", ASSAY_VERSION);
  for (core::Device d : target.spec.devices) r.run.devices.push_back(d.text());
  r.model.name = model;
  r.model.path = target.subject.path;
  r.model.sha256 = target.subject.sha256;
  r.model.weights = hash_of(weight_hashes(target.exported->parameters()));
  r.model.methods = target.subject.methods;
  r.model.exported_by = target.subject.exported_by;
  if (target.subject.example) r.model.example = describe(*target.subject.example);
  // A repro string never decides which program to start: the user's command has to.
  if (auto python = arguments.value("--python"))
    r.run.repro_flags = " --python " + shell_word(*python);
  if (arguments.value_or("--host", "auto") == "engine") r.run.repro_flags += " --host engine";
  for (const Flag& flag : subject_flags()) {
    for (const std::string& value : arguments.all(flag.name)) {
      r.run.subject_flags.push_back(fmt::format("{}={}", flag.name, value));
    }
  }
}

/// Faults that the user's files accept.
std::vector<Accepted> accepted_by(const Arguments& arguments) {
  std::vector<Accepted> all;
  for (const std::string& path : arguments.all("--xfail"))
    for (Accepted& one : accepted_by_list(read_file(path), path)) all.push_back(std::move(one));
  for (const std::string& path : arguments.all("--baseline"))
    for (Accepted& one : accepted_by_report(read_file(path), path)) all.push_back(std::move(one));
  return all;
}

/// What the flags alone say.
fuzz::SessionRequest request_of(const Arguments& arguments) {
  fuzz::SessionRequest request;
  request.accepted = accepted_by(arguments);
  request.today = now().substr(0, 10);
  request.gate = policy_of(arguments);
  request.header.run.start = now();
  request.header.run.profile = profile_of(arguments);
  request.campaign.budget = budget_of(arguments);
  request.campaign.shrink = !arguments.has("--no-shrink");
  request.campaign.interrupted = [] { return interrupted_by() != 0; };
  return request;
}

/// What an archive shows of its faults, where nothing else can be asked: what speaks for one
/// strongly leaves the gate undecided.
void add_signs(const Target& target, RunReport& report) {
  using lint::Strength;
  api::Module module = target.exported->load();
  lint::Report found = lint::lint(module, {target.exported->method()});
  report.alone.signs = found.count(Strength::likely) + found.count(Strength::possible);
  for (const lint::Sign& sign : found.signs) {
    if (sign.strength != Strength::likely) continue;
    std::string place = sign.file.empty() ? "" : fmt::format(" at {}:{}", sign.file, sign.line);
    report.alone.doubts.push_back(
        fmt::format("assay lint sees what is likely {}{}: {}; --against a recording or a scripted "
                    "archive decides it",
                    lint::rule_of(sign.rule).title(), place, sign.why));
  }
}

/// What the model under test says.
void add_target(const Target& target, fuzz::SessionRequest& request) {
  request.spec = target.spec;
  request.subject = target.subject;
  request.exported = target.exported;
  request.reference = target.reference;
  request.exporter = target.exporter.get();
  request.properties = properties_of(target.spec);
  request.source_line = source_text(target);
  request.compare.bounds.atol = target.spec.atol;
  request.compare.bounds.rtol = target.spec.rtol;
  request.compare.bounds.growth = growth_of(*target.exported);
  request.campaign.hints = hints_of(target);
  request.campaign.key = fuzz::failure_key_by(
      std::make_shared<fuzz::PlaceNames>(target.exported->program(), request.source_line));
}

/// Not where the reference is a recording: its own cases are all that it can be asked for.
void add_calls_and_seeds(Target& target, const Arguments& arguments) {
  const verify::Runner* reference = target.reference.runner.get();
  if (!target.host || !reference || reference->only_cases()) return;
  HostRunner model(target.host, target.subject.methods.at(0));
  propose_second_call(target.spec, model, seed_of(arguments));
  propose_seeds(target.spec, model, seed_of(arguments));
}

int run_check(const Arguments& arguments) {
  const std::string& model = arguments.only_operand(
      "one model", "assay check model.py:Net or assay check model.pt --against ...");
  auto start = std::chrono::steady_clock::now();
  // What is wrong with the flags is told before a host is started.
  Files files(arguments);
  fuzz::SessionRequest request = request_of(arguments);
  int64_t jobs = arguments.integer("--jobs", 1, 1, 256);
  end_at_once_on_signals();
  Target target = make_target(model, arguments);
  add_calls_and_seeds(target, arguments);
  end_in_order_on_signals();

  reports::Console console(files.take_standard_output() ? stderr : stdout, stderr,
                           {arguments.has("--quiet"), isatty(STDERR_FILENO) == 1});
  for (const std::string& told : {target.host_note, target.second_opinion}) {
    if (!told.empty()) console.message(told);
  }
  add_target(target, request);
  add_header(target, model, arguments, request.header);
  if (!target.reference.runner) add_signs(target, request.header);
  request.campaign.seed = request.header.run.seed;
  auto keeper = use_database(arguments, request.header.run.profile, model, console, request);
  for (int64_t k = 1; k < jobs; ++k) {
    request.campaign.helpers.push_back(make_helper(target, model, arguments));
  }
  Tolerances tolerances(target.spec);
  request.gate.misused = [&] { return tolerances.without_output(); };
  request.campaign.listeners = {&console, &tolerances};
  if (keeper) request.campaign.listeners.push_back(keeper.get());
  request.seconds_spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RunReport report = fuzz::run_session(request);
  report.run.end = now();
  report.run.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  files.write(report);
  if (int signal = interrupted_by()) return 128 + signal;
  if (report.gate.exit_code == exit_usage) base::fail(base::join(report.gate.rules, "\n"));
  return report.gate.exit_code;
}

}  // namespace

Verb check_verb() {
  std::vector<Flag> flags = subject_flags();
  std::vector<Flag> own{
      {"--max-examples", "N", "cases at most (100; with --time no limit)"},
      {"--time", "TIME", "end a few seconds after this time, with half of it for causes: 30s, 10m"},
      {"--jobs,-j", "N", "threads that run cases; the report is the same (1)"},
      {"--max-shrinks", "N", "steps of shrinking for each failure (200)"},
      {"--max-shrink-seconds", "TIME", "time of shrinking for each failure (60s)"},
      {"--no-shrink", "", "report failures as they were met"},
      {"--fail-fast", "", "stop at the first failure"},
      {"--fail-on", "WORDS", "visibilities that fail the gate (silent,loud,lenient)"},
      {"--fail-class", "AS1xx,...", "only these classes fail the gate"},
      {"--baseline", "FILE",
       "an earlier report (--json): the faults that it has do not fail the gate", true},
      {"--xfail", "FILE",
       "accepted faults: [{\"fingerprint\": ..., \"reason\": ..., \"owner\": ..., \"expires\": "
       "...}]; one that is "
       "gone, or has expired, fails the gate",
       true},
      {"--min-valid", "N", "fewest comparisons of each property, letter and word for a pass (1)"},
      {"--allow-uncompared", "N", "cases that may go uncompared in a pass (0)"},
      {"--profile", "NAME", "dev, or ci: remembers nothing (ci where CI is set; ASSAY_PROFILE)"},
      {"--database", "DIR", "where failing cases stay, which later runs try first (.assay)"},
      {"--no-database", "", "neither remember failing cases nor try remembered ones"},
      {"--no-times", "", "leave times out, so that equal runs give equal bytes"},
      {"--quiet,-q", "", "no progress"},
  };
  flags.insert(flags.end(), own.begin(), own.end());
  for (const reports::Format& format : reports::formats()) {
    flags.push_back({flag_of(format), "FILE",
                     fmt::format("write the report {}; - is standard output", format.what)});
  }
  return {
      "check",
      "The gate: generates inputs, exports, compares, explains, and decides.",
      "model.py:Net | model.pt",
      "assay check model.py:Net --input 'x: f32[b, 3, h, w]' --dim b=1..4 --dim h=32..96:32 --dim "
      "w=h --html report.html\nassay check model.pt --against scripted.pt --spec spec.json",
      flags,
      true,
      run_check};
}

}  // namespace assay::cli
