#pragma once

#include <atomic>
#include <string>

namespace assay::verify {

/// Hands the runs of an archive, of its edited graphs and of the model's further exports over from
/// assay's engine to the host's PyTorch: all runners that share it follow at once, on whatever
/// thread they run. It happens once and for good.
class Handover {
 public:
  /// `why`: "assay's engine runs the archive otherwise than PyTorch at x f32[3], eval, cpu".
  /// No runner may be at work.
  void hand_over(std::string why) {
    why_ = std::move(why);
    done_ = true;
  }
  bool done() const { return done_; }
  /// Empty as long as it is not done.
  const std::string& why() const { return why_; }

 private:
  std::atomic<bool> done_ = false;
  std::string why_;
};

}  // namespace assay::verify
