#pragma once

#include <cstdio>
#include <string>

#include "verify/findings/events.h"

namespace assay::reports {

/// A finding in at most 10 lines: class, visibility and place; measured boundary; cause with proof;
/// fit; smallest case with both results; hint; repro.
std::string finding_text(const verify::Finding& finding);

/// One sentence of verdict with its scope, the axes that were and were not tested, and the gate's
/// reason.
std::string summary_text(const verify::RunReport& report);

/// Tells a run on two streams: progress and messages on `err` (rewritten in place on a terminal,
/// a line every few seconds in a log), findings and verdict on `out`.
class Console : public verify::Listener {
 public:
  struct Options {
    bool quiet = false;     ///< No progress.
    bool terminal = false;  ///< `err` is one.
  };
  Console(std::FILE* out, std::FILE* err, Options options)
      : out_(out), err_(err), options_(options) {}

  void run_started(const verify::RunReport& report) override;
  void finding(const verify::Finding& finding) override;
  void progress(const verify::Progress& progress) override;
  void message(const std::string& text) override;
  void run_finished(const verify::RunReport& report) override;

 private:
  void clear_line();

  std::FILE* out_;
  std::FILE* err_;
  Options options_;
  double last_told_ = -1;
  bool line_open_ = false;
};

}  // namespace assay::reports
