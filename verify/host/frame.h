#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"

namespace assay::verify::host {

/// Where frames come from. An implementation must give at least one byte per call, or 0 at the end;
/// it throws base::Error where neither is possible.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual size_t read_some(std::span<std::byte> into) = 0;
};

/// Frames of a text in memory.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : rest_(bytes) {}
  explicit MemorySource(std::string_view bytes)
      : MemorySource(std::as_bytes(std::span(bytes.data(), bytes.size()))) {}
  size_t read_some(std::span<std::byte> into) override;

 private:
  std::span<const std::byte> rest_;
};

/// A tensor as it travels: elements row-major, little-endian, of exactly numel * item size bytes.
struct RawTensor {
  core::DType dtype;
  core::Dims shape;
  std::span<const std::byte> bytes;
};

/// A message and the tensors it speaks of by name.
struct Frame {
  std::shared_ptr<const nlohmann::json> message;  ///< Never null; an object.
  std::map<std::string, RawTensor> tensors;
  std::shared_ptr<const std::vector<std::byte>> payload;  ///< What the tensors' bytes lie in.
};

struct FrameLimits {
  size_t header = size_t{64} << 20;
  size_t payload = size_t{16} << 30;
};

/// The next frame; nothing at the end of the source. Input error on anything that is no frame:
/// a header over its limit or not JSON, unknown dtypes, sizes that do not fit shapes, tensors that
/// overlap or leave holes, an end in the middle. Memory grows only with the bytes that arrive.
std::optional<Frame> read_frame(ByteSource& source, const FrameLimits& limits = {});

/// A tensor to send: a name and its row-major bytes.
struct NamedBytes {
  std::string name;
  core::DType dtype;
  core::Dims shape;
  std::string bytes;
};

/// The bytes of a frame.
std::string frame_bytes(const nlohmann::json& message, const std::vector<NamedBytes>& tensors = {});

/// "F32": the safetensors name of an element type, and back (input error on unknown names).
std::string_view dtype_code(core::DType dtype);
core::DType dtype_from_code(std::string_view code);

}  // namespace assay::verify::host
