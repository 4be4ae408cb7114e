#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::archive {

/// The opcodes of pickle.def.
enum class PickleOp : uint8_t {
#define PICKLE_OP(name, byte, argument) name = byte,
#include "engine/archive/pickle.def"
#undef PICKLE_OP
};

std::string_view name_of(PickleOp op);

/// One instruction with its argument; text is a view of the pickle's bytes.
struct PickleInstruction {
  PickleOp op = PickleOp::stop;
  int64_t number = 0;       ///< u8, u16, i32, u32; u64 up to the maximum of int64.
  double real = 0;          ///< f64.
  std::string_view text;    ///< line, first of two_lines, text8 to text64.
  std::string_view second;  ///< second of two_lines.
};

/// Reads instructions off a pickle's bytes; every length is checked against the bytes that are
/// left.
class PickleStream {
 public:
  explicit PickleStream(std::string_view bytes) : bytes_(bytes) {}

  /// Input error at the end of the bytes, for a cut argument, or for an unknown opcode.
  PickleInstruction next();
  size_t at() const { return at_; }
  size_t size() const { return bytes_.size(); }

 private:
  std::string_view take(uint64_t count);
  uint64_t little_endian(size_t count);
  std::string_view line();

  std::string_view bytes_;
  size_t at_ = 0;
};

}  // namespace assay::archive
