#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "ci/cli/files.h"
#include "ci/cli/verb.h"
#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/base/text.h"
#include "engine/core/memory_budget.h"
#include "verify/findings/gate.h"
#include "verify/spec/parser.h"

namespace assay::cli {
namespace {

std::string the_command_line;

std::string general_help() {
  std::string text =
      "assay tests exported neural-network graphs: on which inputs does the export still compute\n"
      "what the model computes, and where it does not, why?\n\nusage: assay VERB ...\n\nverbs:\n";
  for (const Verb& v : verbs()) {
    std::string left = fmt::format("  {}", v.name);
    left.resize(12, ' ');
    text += fmt::format("{}{}\n", left, v.summary);
  }
  return text +
         "\n`assay VERB --help` tells the rest, `assay help spec` how to say what a model takes.\n"
         "Exit codes: 0 passed, 1 failed, 2 usage or input error, 3 internal error, 4 undecided,\n"
         "5 nothing collected.\n";
}

const Verb& find_verb(const std::string& name) {
  std::vector<std::string> known;
  for (const Verb& v : verbs()) {
    if (v.name == name) return v;
    known.emplace_back(v.name);
  }
  base::check(!name.starts_with("-"), "the verb comes first: assay check ... ", name,
              " ...; verbs: ", base::join(known, ", "));
  bool model = name.ends_with(".pt") || name.find(':') != std::string::npos;
  std::string meant =
      model ? "; did you mean assay check " + name + "?" : did_you_mean(name, known);
  base::fail("unknown verb '", name, "'",
             meant.empty() ? "; known: " + base::join(known, ", ") : meant);
}

/// What `assay help WORD` tells.
std::string help_about(const std::string& topic) {
  if (topic == "spec") return verify::spec_help();
  std::vector<std::string> known{"spec"};
  for (const Verb& v : verbs()) {
    if (v.name == topic) return help_of(v);
    known.emplace_back(v.name);
  }
  base::fail("there is no help about '", topic, "'; there is about ", base::join(known, ", "));
}

int dispatch(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "help") {
    std::fputs(help_about(words[1]).c_str(), stdout);
    return verify::exit_passed;
  }
  bool general = words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help";
  if (general) {
    std::fputs(general_help().c_str(), words.empty() ? stderr : stdout);
    return words.empty() ? verify::exit_usage : verify::exit_passed;
  }
  if (words[0] == "--version") {
    std::puts("assay " ASSAY_VERSION);
    return verify::exit_passed;
  }
  const Verb& verb = find_verb(words[0]);
  std::vector<std::string> rest(words.begin() + 1, words.end());
  for (const std::string& word : rest) {
    if (verb.run_words && &word != &rest.front()) break;  // Behind the first, another program's.
    if (word != "--help" && word != "-h") continue;
    std::fputs(help_of(verb).c_str(), stdout);
    return verify::exit_passed;
  }
  if (verb.run_words) return verb.run_words(rest);
  return verb.run(Arguments(flags_of(verb), rest));
}

/// Archives are checked before each use, but a file can be shortened between that and a read.
void on_lost_bytes(int) {
  constexpr const char* text = "assay: a file was shortened while it was read\n";
  (void)!::write(STDERR_FILENO, text, std::strlen(text));
  ::_exit(verify::exit_usage);
}

}  // namespace

std::string shell_word(const std::string& word) {
  const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

const std::string& command_line() { return the_command_line; }

}  // namespace assay::cli

int main(int argc, char** argv) {
  using namespace assay;
  std::vector<std::string> words(argv + 1, argv + argc);
  cli::the_command_line = "assay";
  for (const auto& word : words) cli::the_command_line += " " + cli::shell_word(word);
  // Cases, hosts and recordings speak of devices; fakes stand in for those that are not here.
  api::register_devices(true);
  // What an archive or a spec asks for beyond that can only end badly.
  size_t bytes =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
  core::MemoryScope memory(base::make_ref<core::MemoryBudget>(bytes));
  base::HeapLimit heap(bytes);
  ::signal(SIGBUS, cli::on_lost_bytes);
  try {
    int code = cli::dispatch(words);
    cli::finish_output();
    return code;
  } catch (const base::Error& e) {
    std::fprintf(stderr, "assay: %s%s\n",
                 e.kind() == base::ErrorKind::internal ? "internal error: " : "",
                 e.describe().c_str());
    return e.kind() == base::ErrorKind::internal ? verify::exit_internal : verify::exit_usage;
  } catch (const std::bad_alloc&) {
    std::fputs("assay: not enough memory\n", stderr);
    return verify::exit_usage;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "assay: internal error: %s\n", e.what());
    return verify::exit_internal;
  }
}
