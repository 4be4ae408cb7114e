#include "verify/run/archive_host_runner.h"

#include <fmt/core.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"
#include "engine/base/temporary_folder.h"
#include "verify/run/host_runner.h"

namespace assay::verify {

ArchiveHostRunner::~ArchiveHostRunner() {
  if (!bytes_ || path_.empty()) return;
  if (host_->archive() == path_) host_->forget_archive();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void ArchiveHostRunner::write_file() {
  static const base::TemporaryFolder folder;
  static std::atomic<int> files;
  std::string bytes = bytes_();
  path_ = (folder.path() / fmt::format("export{}.pt", ++files)).string();
  std::ofstream(path_, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

std::string ArchiveHostRunner::load() {
  if (!trouble_.empty()) return trouble_;
  try {
    if (path_.empty()) write_file();
    if (host_->archive() != path_) host_->load_archive(path_);
  } catch (const std::exception& e) {
    trouble_ = e.what();
  }
  return trouble_;
}

Observation ArchiveHostRunner::run(const Case& c) {
  Observation o;
  if (std::string why = load(); !why.empty()) {
    o.failure = Failure{"not_run", why, "load", {}, {}};
    return o;
  }
  o = run_calls(c);
  // PyTorch's executor may break on what it learnt from a call that was refused before (None for a
  // tensor): only what an archive that was loaded anew does, too, is the archive's.
  constexpr std::string_view broken = "INTERNAL ASSERT FAILED";
  if (o.failure && o.failure->message.find(broken) != std::string::npos) {
    host_->load_archive(path_);
    o = run_calls(c);
  }
  return o;
}

host::CallRequest ArchiveHostRunner::request_of(const Case& c, int64_t number) const {
  host::CallRequest request = call_request(c, method_, number);
  request.taken = taken_;
  request.of_archive = true;
  request.keep = number > 0;
  return request;
}

Observation ArchiveHostRunner::run_calls(const Case& c) {
  Observation o;
  for (int64_t i = 0; i < c.calls(); ++i) o = host_->run(request_of(c, i));
  return o;
}

GradientFlow ArchiveHostRunner::gradient_flow(const Case& c, const FlowWish& wish) {
  if (std::string why = load(); !why.empty()) return GradientFlow::unknown(why);
  for (int64_t i = 0; i + 1 < c.calls(); ++i) host_->run(request_of(c, i));
  return host_->gradient_flow(request_of(c, c.calls() - 1), wish);
}

std::string ArchiveHostRunner::name() const { return HostRunner(host_).name(); }

std::string ArchiveHostRunner::cannot_run(const Case& c) const {
  // It is loaded once, which is what a reload would do to it.
  return HostRunner(host_).cannot_run(c);
}

}  // namespace assay::verify
