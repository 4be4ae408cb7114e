#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "verify/findings/gate.h"
#include "verify/host/engine_package.h"

namespace assay::cli {
namespace {

/// `--python PATH` before everything else; the other words are the script's.
std::string take_interpreter(std::vector<std::string>& words) {
  std::string interpreter = verify::host::engine_python();
  constexpr std::string_view flag = "--python";
  if (words.empty() || !words[0].starts_with(flag)) return interpreter;
  if (words[0] == flag) {
    base::check(words.size() > 1, "flag --python needs a value: the interpreter");
    interpreter = words[1];
    words.erase(words.begin(), words.begin() + 2);
  } else {
    base::check(words[0][flag.size()] == '=', "unknown flag ", words[0], "; known: --python");
    interpreter = words[0].substr(flag.size() + 1);
    words.erase(words.begin());
  }
  return interpreter;
}

/// This process becomes Python, so that signals, standard streams and the exit code are the
/// script's.
int run_words(const std::vector<std::string>& given) {
  std::vector<std::string> words = given;
  std::string interpreter = take_interpreter(words);
  base::check(!words.empty(), "no script is named; example: assay python train.py --epochs 3");
  std::string package = verify::host::engine_package();
  base::check(!package.empty(),
              "the Python package is not beside this program: there is no folder "
              "python/assay; build it with the rest, or use `python -m assay` of an installed one");
  const char* path = std::getenv("PYTHONPATH");
  std::string searched = path && *path ? package + ":" + path : package;
  ::setenv("PYTHONPATH", searched.c_str(), 1);
  std::vector<std::string> command{interpreter, "-m", "assay"};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(interpreter.c_str(), arguments.data());
  base::fail("cannot start ", interpreter, ": ", std::strerror(errno));
}

}  // namespace

Verb python_verb() {
  Verb verb{"python",
            "Runs a Python script to which `torch` is assay's own; no PyTorch is needed.",
            "[--python PATH] (SCRIPT | -m MODULE | -c TEXT) [ARGS]",
            "assay python script.py --size 3",
            {{"--python", "PATH", "the interpreter; one that the package was built for"}},
            false,
            nullptr};
  verb.run_words = run_words;
  return verb;
}

}  // namespace assay::cli
