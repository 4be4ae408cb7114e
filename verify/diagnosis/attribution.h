#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/diagnosis/escapes.h"
#include "verify/findings/finding.h"
#include "verify/graph/align.h"
#include "verify/graph/fit.h"
#include "verify/graph/written.h"
#include "verify/run/export.h"

namespace assay::verify::diagnosis {

/// An export beside the feature that was varied for it.
struct Variant {
  std::shared_ptr<const Export> exported;
  Case at;
  Alignment to_subject;  ///< Subject as `a`, this export as `b`.
};

/// How often each step key occurs.
using KeyCounts = std::map<std::string, int64_t>;
/// 0 where there is none.
int64_t count_of(const KeyCounts& counts, const std::string& key);

/// What the classes look at: the subject's program, the export at the failing case, and exports at
/// further values of the deciding axis.
struct ExportDiff {
  const Program* subject = nullptr;
  const Program* probe = nullptr;
  const Alignment* alignment = nullptr;  ///< Subject as `a`, probe as `b`.
  FeatureAxis axis;
  const Case* failing = nullptr;  ///< Where the probe was exported.
  const std::vector<Variant>* variants = nullptr;
  Bindings example_sizes;  ///< Of the subject's example; empty where unknown.
  /// What left the graph while the subject was traced; null where unknown.
  const std::vector<Escape>* subject_escapes = nullptr;
  /// What the traces of the subject and of the probe tell of themselves; null where they do not.
  const Origins* origins = nullptr;
  const Origins* probe_origins = nullptr;
  /// Whether the subject keeps between calls all that the model keeps: what a later call has
  /// otherwise was read from that, and not lost.
  bool keeps_state = false;

  // What `attribute` works out once for all classes.
  std::vector<size_t> owners = {};             ///< See owners_of.
  KeyCounts counts = {};                       ///< Of the subject.
  std::vector<KeyCounts> variant_counts = {};  ///< Of each variant.
};

/// Fills the view's counts.
void count_keys(ExportDiff& view);

/// The steps that each difference belongs to, as a position in ExportDiff::alignment->differences:
/// itself; for a wiring the later of those it follows from, which stands nearer to what reads it;
/// for steps that only carry sizes the next steps that do more.
std::vector<size_t> owners_of(const ExportDiff& view);

/// A literal as the subject's trace tells what it was.
struct TracedOrigin {
  Written expression;
  SourceLocation place;  ///< Where its numbers had left the graph.
  std::string how;       ///< "int", "len", "item", ...
};

/// A kind of fault within a class, of which more can be said than of the class.
struct FaultKind {
  const char* title;
  const char* hint;  ///< Empty: the class's.
};

/// AS102 of a number that follows values, not sizes.
inline constexpr FaultKind captured_value{
    "captured value",
    "keep it a tensor: go on with the tensor itself in place of int(x), item() or tolist(), so "
    "that tracing records it"};
/// AS111 of `n += 1`.
inline constexpr FaultKind changed_size{
    "size changed in place",
    "write n = n + 1 in place of n += 1: while tracing a size is a tensor, which += changes under "
    "every name that it has"};
/// AS115 of a trace that has fixed the order of an input's entries.
inline constexpr FaultKind pinned_input_keys{
    "pinned keys of an input",
    "take the entries by name in an order of the model's own, [batch[name] for name in names], in "
    "place of the order in which the caller put them in"};
/// AS115 of outputs alone.
inline constexpr FaultKind swapped_order{"outputs in another order", ""};

/// What a class makes of a difference between exports.
struct Attribution {
  std::string class_id;
  std::vector<size_t> differences;  ///< Positions in ExportDiff::alignment->differences.
  size_t step = 0;                  ///< The step of the subject (or of the probe, see in_probe).
  bool in_probe = false;            ///< The subject lacks the step: `step` counts the probe's.
  std::string role;
  std::string literal;
  std::optional<SizeFit> fit;
  std::vector<SizeFit> other_fits;                           ///< That explain the exports as well.
  size_t fitted = 0;                                         ///< Exports that the fit explains.
  std::vector<std::pair<std::string, std::string>> exports;  ///< Evidence::exports
  std::string fit_text;
  std::optional<EscapeFit> escape;      ///< What the literal follows that left the graph.
  std::optional<TracedOrigin> origin;   ///< What the trace says that the literal was.
  std::optional<SourceLocation> place;  ///< Where the trace says that it was decided.
  const FaultKind* kind = nullptr;      ///< Null: nothing beyond its class.
};

/// One failure class: says whether a difference is of its kind.
///
/// An implementation must look at the view alone, claim a difference only by a sign of its class
/// (failure classes, "told apart by"), and leave proof to the driver.
using Classifier = std::optional<Attribution> (*)(const ExportDiff& view, size_t difference);

std::optional<Attribution> frozen_mode(const ExportDiff& view, size_t difference);      // AS108
std::optional<Attribution> lost_write(const ExportDiff& view, size_t difference);       // AS109
std::optional<Attribution> pinned_layout(const ExportDiff& view, size_t difference);    // AS112
std::optional<Attribution> pinned_device(const ExportDiff& view, size_t difference);    // AS106
std::optional<Attribution> moved_to_device(const ExportDiff& view, size_t difference);  // AS106
std::optional<Attribution> pinned_dtype(const ExportDiff& view, size_t difference);     // AS107
std::optional<Attribution> inserted_casts(const ExportDiff& view, size_t difference);   // AS107
std::optional<Attribution> pinned_keys(const ExportDiff& view, size_t difference);      // AS115
std::optional<Attribution> result_for_argument(const ExportDiff& view,
                                               size_t difference);                        // AS111
std::optional<Attribution> swapped_outputs(const ExportDiff& view, size_t difference);    // AS115
std::optional<Attribution> captured_constant(const ExportDiff& view, size_t difference);  // AS101
std::optional<Attribution> remembered_table(const ExportDiff& view, size_t difference);   // AS101
std::optional<Attribution> captured_size(const ExportDiff& view, size_t difference);      // AS102
std::optional<Attribution> repeated_entries(const ExportDiff& view, size_t difference);   // AS102
std::optional<Attribution> fixed_arity(const ExportDiff& view, size_t difference);        // AS105
std::optional<Attribution> unrolled_loop(const ExportDiff& view, size_t difference);      // AS104
std::optional<Attribution> frozen_branch(const ExportDiff& view, size_t difference);      // AS103

/// The classes in the order in which they are asked: what names its cause most exactly first.
const std::vector<Classifier>& classifiers();

/// The view's alignment with each run of steps that only one program has cut where neighbours come
/// and go apart from each other in the variants: branches that follow upon each other.
Alignment split_unrelated(ExportDiff view);

/// Each difference with the first class that claims it; differences claimed together (all the steps
/// of a branch) are one attribution.
std::vector<Attribution> attribute(const ExportDiff& view);

/// A literal attribution of `class_id` for a literal difference.
Attribution literal_attribution(const ExportDiff& view, size_t difference, std::string class_id);
/// "7 = t over 4 exports".
std::string fit_sentence(const Attribution& a, const SizeFit& fit);
/// The literal at the counterpart of a step in a variant; null if that variant has none.
const core::Value* literal_in(const Variant& variant, size_t step, size_t operand);
/// What the subject and every variant have there, with what left the graph in each.
std::vector<EscapeSample> escape_samples(const ExportDiff& view, const GraphDifference& d);
SourceLocation place_of(const Step& step);
/// Notes what an export gave where the feature was `feature`, unless it is noted already.
void add_export(Attribution& a, std::string feature, std::string literal);
/// The value of the feature `axis` at a case, as text: "7", "train".
std::string feature_text(const Case& c, const FeatureAxis& axis);

}  // namespace assay::verify::diagnosis
