#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/findings/finding.h"
#include "verify/findings/outcome.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// One feature that the spec declares, and what the run did with it.
struct AxisReport {
  FeatureAxis axis;
  std::string declared;   ///< "1..8", "eval,train"
  std::string exercised;  ///< "1, 2, 5, 8" or "eval"; empty: not tested.
  /// "right", "wrong", "not tested", "not varied" (the spec allows one value only).
  std::string verdict;
  std::string boundary;  ///< Boundary::text(), where one was measured.
  int64_t comparisons = 0;
  int64_t sizes_tried = 0;  ///< Of a letter: different ones that cases were drawn with.
  /// What the user declared and how it came out; empty for letters and for what nobody asked for.
  struct Word {
    std::string word;  ///< "f64", "train"
    int64_t comparisons = 0;
    std::string reason;  ///< Why there are none.
  };
  std::vector<Word> words;
};

/// What the gate decided.
struct GateResult {
  bool passed = false;
  int exit_code = 0;
  /// Why, one sentence each; the first decided.
  std::vector<std::string> rules;
  /// The ids of the findings that fail it.
  std::vector<std::string> failing;
  /// Faults that the policy was told to let pass, and by what.
  std::vector<std::string> not_gated;
};

/// A point that was judged, for the picture of where the export is right.
struct JudgedPoint {
  Bindings sizes;
  base::FlatMap<std::string> choices;
  std::string property;
  std::string verdict;  ///< Judgement::Verdict's name.
  std::string finding;  ///< Id of the finding it belongs to; empty where it holds.
  Visibility visibility = Visibility::none;  ///< Of a violation.
};

/// Everything that one run of `assay check` or `assay fuzz` found: what every report is made from.
struct RunReport {
  struct Tool {
    std::string name = "assay", version, commit;
  } tool;
  struct Run {
    std::string start, end;  ///< ISO 8601; left out with --no-times.
    double seconds = 0;
    uint64_t seed = 0;
    std::string profile, command, host, engine, config_hash;
    std::string second_opinion;  ///< Of another host on the export; empty where none was asked for.
    std::vector<std::string> devices;
    /// Flags that make subject and reference again; repro strings carry them, reports do not.
    std::vector<std::string> subject_flags;
    std::string repro_flags;  ///< Finding::repro_flags of all findings.
  } run;
  struct Model {
    std::string name, path, sha256;
    std::string weights;  ///< Hash of its parameters' elements; empty where it has none.
    std::vector<std::string> methods;
    std::string exported_by, example;
  } model;
  std::string reference;  ///< "host: PyTorch 1.13.1", "recording: calls.rec".
  Spec spec;
  std::vector<AxisReport> axes;
  std::vector<Outcome> outcomes;
  std::vector<Finding> findings;
  /// Findings that need no action, by class: AS901 -> 12.
  std::map<std::string, int64_t> benign;
  /// What was not tested and why.
  std::vector<std::string> not_tested;
  /// An archive without a model and without a recording: it is held against nothing but itself.
  struct Alone {
    bool is = false;
    size_t signs = 0;  ///< That `assay lint` sees, notes left out.
    /// What speaks against it and cannot be decided so: it has not passed then.
    std::vector<std::string> doubts;
  } alone;
  /// Passing cases that the host's own PyTorch ran as well: assay's engine may take what PyTorch
  /// refuses. A case passes where parity finds no difference.
  struct InPytorch {
    std::string host;  ///< "PyTorch 1.13.1 (/usr/bin/python3)"; empty where none was asked.
    int64_t passing = 0;
    int64_t run = 0;     ///< Of these; all of them agree with the model there, too.
    std::string reason;  ///< Why it did not run all that it was asked to; empty if it did.
  } in_pytorch;
  /// A condition that the trace under test went by.
  struct Guard {
    std::string condition;  ///< As it held: "h*w <= 64", over the spec's letters where it can be.
    std::string written;    ///< As the trace noted it: "(x.size(2) * x.size(3)) > 64".
    std::string place;      ///< "net.py:3"
    std::string kind;       ///< "always true in the spec", "false at some sizes of the spec", ...
    std::string otherwise;  ///< A case in which it is false; empty where none was found.
    std::string outcome;    ///< What came of that case: a verdict, or why there is none.
    std::optional<size_t> point;  ///< Of that case among the campaign's; not reported.
  };
  /// A number that is fixed in the trace and that other sizes or values would change.
  struct FixedNumber {
    std::string expression, value, what, place;
  };
  /// Under which conditions the trace is right, as far as it knows itself.
  struct Guards {
    bool traced = false;  ///< By assay's engine: else nothing is known, and the rest is empty.
    bool for_all_sizes = false;
    std::string sentence;  ///< "valid where h*w <= 64"
    std::string rests_on;  ///< What the sentence takes for granted; may be empty.
    std::vector<Guard> conditions;
    std::vector<FixedNumber> fixed;
  } guards;
  /// Why cases were not compared -> how many.
  std::map<std::string, int64_t> uncompared;
  /// What was compared and says little: elements that are NaN on both sides, outputs that do not
  /// follow the inputs. A sentence each.
  std::vector<std::string> vacuous;
  /// The largest adjudicated difference, and what rounding moves that element by.
  double adjudicated_difference = 0, adjudicated_spread = 0;
  std::vector<JudgedPoint> points;
  /// Over all cases: the largest errors of outputs, also where they agree.
  std::vector<std::pair<std::string, ValueError>> errors;
  struct Totals {
    int64_t cases = 0;       ///< `valid` + `discarded` + `uncompared`.
    int64_t valid = 0;       ///< Subject and reference both ran, and were compared.
    int64_t discarded = 0;   ///< Both reject the case.
    int64_t uncompared = 0;  ///< One of them could not be asked, died, or ran out of something.
    int64_t failed = 0;
    int64_t comparisons = 0, elements = 0;  ///< Of the valid cases, each place and element once.
    int64_t shrinks = 0;
    int64_t remembered = 0;  ///< Of the cases: what earlier runs had found, rerun first.
    std::string stopped_by;  ///< "examples", "time", "findings", "interrupt"; empty: finished.
  } totals;
  GateResult gate;
};

}  // namespace assay::verify
