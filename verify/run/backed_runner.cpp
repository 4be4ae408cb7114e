#include "verify/run/backed_runner.h"

#include <fmt/core.h>

namespace assay::verify {

Observation BackedRunner::run(const Case& c) {
  if (!lacking_.empty()) return second_->run(c);
  Observation o = first_->run(c);
  bool lacks = o.ending == Ending::not_run && o.failure && o.failure->type == "unsupported";
  if (!lacks || !second_->cannot_run(c).empty()) return o;
  Observation other = second_->run(c);
  if (other.ending == Ending::not_run) return o;  // It lacks that, too, or cannot load the archive.
  lacking_ = o.failure->message;
  return other;
}

std::optional<Observation> BackedRunner::run_rounded(const Case& c, uint64_t draw) {
  return used().run_rounded(c, draw);
}

std::string BackedRunner::remark() const {
  if (lacking_.empty()) return {};
  std::string first_line = lacking_.substr(0, lacking_.find('\n'));
  return fmt::format("{}, which assay's engine lacks: {} runs the archive instead", first_line,
                     second_->name());
}

}  // namespace assay::verify
