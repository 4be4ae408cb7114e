#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/core/tensor.h"
#include "engine/ops/handler.h"

/// Where gradients end on the way to a tensor. What was computed from a tensor that needs gradients
/// while none were recorded (`no_grad`), or was detached, has the same elements as without that: no
/// comparison of outputs shows it, but their gradients differ.
namespace assay::trace {

/// While it stands in a context's stack, above the one that marks what needs gradients, each
/// floating result carries the cuts of what it was computed from and its own. Tensors that carry
/// any live until it ends.
class CutFollower final : public ops::Handler {
 public:
  /// A cut may be of no effect: gradients through the largest score of a softmax, which is taken
  /// off all of them, add up to zero. `moving` shows it: what was computed from a tensor that needs
  /// gradients, and unrecorded, is moved by a little and is no cut then; an output that has the
  /// elements that it has without has no gradients to lose.
  explicit CutFollower(bool moving = false) : moving_(moving) {}
  ops::Stage stage() const override { return ops::Stage::record; }
  ops::Results call(const ops::Operator& op, std::span<const core::Value> args,
                    const ops::Next& next) override;

  /// What ends on the way to the tensor, sorted, each kind once: "none recorded", whatever was
  /// computed so, and "detached float32[2, 3]". Where results are moved, what could not be.
  std::vector<std::string> cuts(const core::Tensor& tensor) const;
  /// Where the program stood when none were recorded; nothing of what no program called.
  std::vector<base::SourceRange> places(const core::Tensor& tensor) const;

 private:
  /// Positions among the known ones, sorted.
  using Cuts = std::vector<int>;
  template <typename T>
  struct Of {
    base::Ref<T> what;  // Keeps its address from being used again.
    Cuts cuts;
    bool unrecorded = false;  // Nothing gave it a need for gradients when it was made.
  };

  Cuts cuts_of(const core::TensorImpl& tensor) const;
  Cuts carried_by(std::span<const core::Value> args) const;
  /// Puts moved tensors in the place of results; false where one was written to.
  static bool move(ops::Results& results, std::span<const core::Value> args);
  /// Marks a result, or an argument that was written to.
  void leave(core::TensorImpl& result, bool written, const Cuts& cuts, bool recorded);
  int number_of(const std::string& name, const base::SourceRange& place);

  struct Cut {
    std::string name;
    base::SourceRange place;
  };
  bool moving_;
  std::vector<Cut> known_;
  std::unordered_map<const core::TensorImpl*, Of<core::TensorImpl>> tensors_;
  /// Of what was written to in place: views of it hold the same elements.
  std::unordered_map<const core::Storage*, Of<core::Storage>> written_;
};

}  // namespace assay::trace
