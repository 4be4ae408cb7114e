#pragma once

#include <memory>
#include <string>

#include "ci/cli/arguments.h"
#include "fuzz/session.h"
#include "verify/diagnosis/origin.h"
#include "verify/host/pytorch_host.h"
#include "verify/run/engine_export.h"

namespace assay::cli {

/// The flags that say how a Python model is built and run.
std::vector<Flag> model_flags();
/// Those, and the ones that say how it is exported and what it is held against.
std::vector<Flag> subject_flags();

/// Subject, reference and exporter of a check, made from the command line. Keeps alive what they
/// use.
struct Target {
  verify::Spec spec;
  verify::Subject subject;
  std::shared_ptr<verify::EngineExport> exported;
  verify::Reference reference;
  std::unique_ptr<verify::Exporter> exporter;
  std::shared_ptr<verify::host::PytorchHost> host;  ///< Null without a PyTorch host.
  std::string host_text;                            ///< For the report.
  std::string host_note;       ///< For the user: which host took the place of PyTorch, and why.
  std::string second_opinion;  ///< With --host both.
  std::string source;          ///< File of the Python model; empty where there is none.
  std::shared_ptr<verify::EngineExport> against;  ///< The archive that is the reference, if one is.
};

/// `model` is an archive (.pt) or a Python model (file.py:name, package.module:name). An archive
/// needs --against; a Python model is exported by tracing (--export script: by scripting) beside
/// PyTorch, which is its reference too unless --against names another.
/// Input errors: no such file, no interpreter, an interpreter without torch, a model that cannot
/// be loaded or exported.
Target make_target(const std::string& model, const Arguments& arguments);

/// Another runner of the subject and another reference, for a thread of its own: archives are
/// loaded and hosts are started anew.
fuzz::Helper make_helper(const Target& target, const std::string& model,
                         const Arguments& arguments);

/// Lines of the files beside a Python model, and of its whole package; without a Python model those
/// that the archives of a check carry of what was scripted. An archive's own word for a file opens
/// none. Null where no line is known.
verify::diagnosis::SourceText source_text(const Target& target);

/// Whether the name means a Python model rather than an archive.
bool is_python_model(const std::string& model);
/// Input error that tells what to do, for a verb that takes archives only.
void refuse_python_model(const std::string& path, std::string_view verb);
/// The file that the name means: "model.py" of "model.py:Net(8)"; where a module is named rather
/// than a file, the one that the loaded model is written in.
std::string source_file(const std::string& model, const verify::host::Loaded& loaded);
std::string sha256_of_file(const std::string& path);

}  // namespace assay::cli
