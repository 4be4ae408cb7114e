#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/cases/case.h"
#include "verify/compare/compare.h"

namespace assay::verify {

/// How serious a class is by default: fails the gate, is a note, or is only counted.
enum class Level { fail, note, quiet };

/// One row of failure_class.def.
struct FailureClass {
  std::string_view id;       ///< "AS102"
  std::string_view name;     ///< "pinned size"
  std::string_view meaning;  ///< One sentence.
  Level level;
  std::string_view hint;  ///< What a user can do.
};
std::string_view level_name(Level level);
const std::vector<FailureClass>& failure_classes();
/// Null for an id that is not in the table.
const FailureClass* find_failure_class(std::string_view id);

/// What a user of the export sees.
enum class Visibility {
  none,
  silent,   ///< The export returns something else.
  loud,     ///< The export raises where the model returns.
  lenient,  ///< The export returns where the model raises.
  latent,   ///< Graphs differ; every tested output agrees.
};
std::string_view visibility_name(Visibility visibility);
/// Lower for what users should know first: what goes wrong unseen.
int urgency(Visibility visibility);
/// What a comparison of subject (the export) and reference (the model) shows.
Visibility visibility_of(const Comparison& comparison);

/// An input feature that has to change for a fault to show.
struct FeatureAxis {
  /// "dim", "rank", "dtype", "device", "layout", "alias", "mode", "grad", "autocast", "option",
  /// "value", "call", "seed", "reload", "state", "strict".
  std::string kind;
  std::string path;    ///< Of the input, where the axis belongs to one: "ids", "batch.mask".
  int dim = -1;        ///< Of kind "dim".
  std::string letter;  ///< Name of the size at a point: of kind "dim" where it has one; "*rest".

  /// Whether the feature is a size of a point rather than a choice.
  bool is_size() const { return kind == "dim" || kind == "rank"; }
  /// "dim ids.1 (t)", "rank x (*rest)", "mode", "layout x".
  std::string text() const;
  friend bool operator==(const FeatureAxis&, const FeatureAxis&) = default;
};

/// What was measured along one axis, all else as in the smallest case.
struct Boundary {
  FeatureAxis axis;
  struct Region {
    enum class Verdict { right, wrong, error, lenient, rejected, untested };
    Verdict verdict = Verdict::untested;
    /// Closed intervals for a size ({7, 7}); empty where the axis takes choices.
    std::vector<std::pair<int64_t, int64_t>> sizes;
    std::vector<std::string> choices;
    /// "wrong shape", "error: ...": how it is wrong; empty for right.
    std::string how;
  };
  std::vector<Region> regions;
  bool exact = false;  ///< Every member of the domain was measured; else ends were bisected.
  /// How many members of the domain were judged, and how many there are; 0: not counted.
  int64_t measured = 0, possible = 0;
  /// The sizes of the other letters that vary, at which this was measured.
  std::vector<std::pair<std::string, int64_t>> held;
  /// Where the property fails, if that depends on further letters: "h*w > 64".
  std::string joint;
  /// Cases with other sizes of the other letters came out otherwise, and no condition explains it.
  bool otherwise_elsewhere = false;

  /// Whether nothing that was measured is wrong.
  bool is_right_everywhere() const;
  /// "right only at t = 7; wrong shape without an error at t = 1; error at t in 2..6, 8..64"; says
  /// so where only part of the domain was measured, and what the others were held at.
  std::string text() const;
};
std::string_view verdict_name(Boundary::Region::Verdict verdict);

/// How sure a cause is.
enum class Proof {
  none,
  suspected,  ///< Signs in the graph only.
  /// Exports at other inputs differ there in the expected way, or a patch cures some cases only.
  supported,
  proven,  ///< The graph patched at that place agrees again, at every case that was tried.
};
std::string_view proof_name(Proof proof);

/// How far the repair that proves a cause was seen to reach.
struct Reach {
  int64_t cured = 0, failing = 0;  ///< Of the failing cases with this cause that were tried.
  int64_t broken = 0, right = 0;   ///< Of the cases tried that hold without the repair.

  bool complete() const { return cured == failing && broken == 0; }
  /// "cures 74 of 74 failing cases, breaks none of 32 that hold"; empty where nothing was tried.
  std::string text() const;
  /// Adds what a repair of the same cause reached among failures of another kind.
  void add(const Reach& other);
};

/// The place in graph and source that makes the fault.
struct Cause {
  std::string node;  ///< Text of the node: "%5 : Tensor = aten::arange(%4, ...)".
  std::string op;    ///< "aten::arange"
  /// What the literal is to the operator ("end", "size[1]"): its role, not its value.
  std::string role;
  std::string literal;  ///< "7"
  std::string scope;    ///< Module scope: "model.encoder".
  std::string file;
  int line = 0;
  std::string function;
  std::string source;  ///< The text of that line, where the source is at hand.
  Proof proof = Proof::none;
  std::string proof_text;  ///< "by substitution of the size of dim 1".
  Reach reach;             ///< Of the patched graph.
  /// Of lost state: what the model's calls change, as StateChange::path names it.
  std::vector<std::string> changed = {};
};

struct Evidence {
  /// Exports at other inputs: what the literal (or count) was where the feature was: {"5", "5"}.
  std::vector<std::pair<std::string, std::string>> exports;
  std::string fit;   ///< "7 = t over 4 exports"; empty where nothing was fitted.
  std::string diff;  ///< Normalized graph difference, a screen at most.
  std::string fix;   ///< The patched node or graph that agrees again.
  std::vector<std::string> notes;
};

enum class FindingState { fresh, known, xfail, xpass };
std::string_view state_name(FindingState state);

/// A violated property, explained.
struct Finding {
  std::string id;        ///< Within a run: "F1", in order of the report.
  std::string class_id;  ///< "AS102"
  std::string property;  ///< "parity"
  Visibility visibility = Visibility::none;
  /// How others of its cases show, at other inputs or beside other findings.
  std::set<Visibility> elsewhere;
  FeatureAxis axis;   ///< The one that decides the fault.
  std::string title;  ///< "pinned size"
  std::string method = "forward";
  std::vector<Boundary> boundaries;  ///< Of `axis` first.
  Cause cause;
  Evidence evidence;
  Comparison comparison;                     ///< At the smallest case.
  std::string subject_gave, reference_gave;  ///< "f32[1,7,4]", for the smallest case.
  std::string hint;                          ///< Empty: the class's.
  std::optional<Case> smallest_case;
  std::optional<Case> right_case;  ///< One that holds, which the diagnosis compared with.
  std::optional<Case> first_case;  ///< As first met, before shrinking.
  std::string repro;               ///< "ASSAY1:..."
  /// What the string may not say and its replay needs: " --python /usr/bin/python3".
  std::string repro_flags;
  /// What PyTorch's own run of the archive says of the difference at the smallest case, a sentence;
  /// empty where no PyTorch was asked.
  std::string confirmation;
  int64_t count = 0;  ///< Cases that failed in this way, as far as they were told apart.
  bool flaky = false;
  std::string fingerprint;
  FindingState state = FindingState::fresh;
  std::string state_reason;  ///< Why it is not simply new, a sentence without a point.
  std::string first_seen;    ///< Of a known finding: when the baseline saw it.
};

/// "loud", or "loud, elsewhere silent".
std::string visibility_text(const Finding& finding);

/// Hash of what survives unrelated edits: class, visibility, axis kind, operator and scope, source
/// file's base name and function, role of the literal; no sizes, lines, versions or SSA names.
std::string fingerprint(const Finding& finding);

/// Whether two findings are the same fault: class and source line. Without a line, also the axis,
/// the operator and the property that it shows in.
bool same_cause(const Finding& a, const Finding& b);

}  // namespace assay::verify
