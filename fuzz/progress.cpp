#include "fuzz/progress.h"

namespace assay::fuzz {

void ProgressReporter::tell(const std::string& activity, bool now) {
  double seconds = account_.seconds();
  if (!now && seconds - last_ < every_) return;
  last_ = seconds;
  verify::Progress progress;
  progress.cases = account_.cases();
  progress.planned = planned_;
  progress.failures = account_.failures();
  progress.seconds = seconds;
  progress.seconds_left = account_.seconds_left();
  progress.activity = activity;
  for (verify::Listener* listener : listeners_) listener->progress(progress);
}

}  // namespace assay::fuzz
