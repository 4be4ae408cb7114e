#include "verify/run/backed_runner.h"

#include <fmt/core.h>

namespace assay::verify {

Observation BackedRunner::run(const Case& c) {
  if (uses_second()) return second_->run(c);
  Observation o = first_->run(c);
  bool lacks = o.ending == Ending::not_run && o.failure && o.failure->type == "unsupported";
  if (!lacks || !second_->cannot_run(c).empty()) return o;
  Observation other = second_->run(c);
  if (other.ending == Ending::not_run) return o;  // It lacks that, too, or cannot load the archive.
  lacking_ = o.failure->message;
  return other;
}

std::optional<RoundedRun> BackedRunner::run_rounded(const Case& c, uint64_t draw) {
  std::optional<RoundedRun> moved = used().run_rounded(c, draw);
  if (moved || !handed_over() || !lacking_.empty()) return moved;
  moved = first_->run_rounded(c, draw);
  if (moved && !moved->plain) moved->plain = first_->run(c);
  return moved;
}

std::string BackedRunner::remark() const {
  if (!uses_second()) return {};
  std::string first_line = lacking_.substr(0, lacking_.find('\n'));
  std::string why =
      lacking_.empty() ? handover_->why() : first_line + ", which assay's engine lacks";
  return fmt::format("{}: {} runs the archive instead", why, second_->name());
}

std::shared_ptr<Runner> handed_over(std::shared_ptr<Runner> first, std::shared_ptr<Runner> second) {
  auto handover = std::make_shared<Handover>();
  handover->hand_over("all cases are the second one's");
  return std::make_shared<BackedRunner>(std::move(first), std::move(second), std::move(handover));
}

}  // namespace assay::verify
