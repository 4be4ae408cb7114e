#pragma once

#include "engine/base/source_range.h"
#include "engine/core/device_backend.h"
#include "engine/core/generator.h"
#include "engine/ops/handler.h"
#include "engine/ops/kernel_table.h"

namespace assay::ops {

class AutocastRegion;

/// What a call of an operator depends on besides its arguments. One per engine; not thread-safe.
struct Context {
  const KernelTable* kernels = nullptr;
  /// Run only reference kernels (and composites over them).
  bool reference_only = false;
  /// `cuda` devices are fakes in host memory that obey every rule of a separate device.
  bool fake_cuda = true;
  core::DType default_dtype = core::DType::float32;
  bool grad_enabled = true;
  base::Ref<core::Generator> generator = base::make_ref<core::Generator>();
  /// The streams that calls are issued to, by StreamScopes; the default one where a device has
  /// none.
  std::vector<core::Stream> streams;
  core::Stream stream_of(core::Device device) const {
    for (size_t i = streams.size(); i-- > 0;)
      if (streams[i].device == device) return streams[i];
    return {device};
  }
  /// What calls pass on their way to the kernels.
  HandlerStack handlers;
  /// The innermost autocast region that calls are made in (autocast.h); null outside of any.
  AutocastRegion* autocast = nullptr;
  /// Where the call that runs now stands, for handlers; null outside of a program. The interpreter
  /// keeps it up to date.
  const base::SourceRange* location = nullptr;
  /// How many composites are at work, one calling the other.
  int depth = 0;
};

/// While it lives, calls on the stream's device are issued to the stream.
class StreamScope {
 public:
  StreamScope(Context& context, const core::Stream& stream) : context_(context) {
    context_.streams.push_back(stream);
  }
  ~StreamScope() { context_.streams.pop_back(); }
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  Context& context_;
};

}  // namespace assay::ops
