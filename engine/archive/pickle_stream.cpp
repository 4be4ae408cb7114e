#include "engine/archive/pickle_stream.h"

#include <array>
#include <bit>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

enum class Argument : uint8_t {
  unknown,
  none,
  u8,
  u16,
  i32,
  u32,
  u64,
  f64,
  line,
  two_lines,
  text8,
  text32,
  text64
};

struct Row {
  std::string_view name;
  Argument argument = Argument::unknown;
};

constexpr std::array<Row, 256> make_rows() {
  std::array<Row, 256> rows{};
#define PICKLE_OP(name, byte, argument) rows[byte] = {#name, Argument::argument};
#include "engine/archive/pickle.def"
#undef PICKLE_OP
  return rows;
}

constexpr std::array<Row, 256> rows = make_rows();

}  // namespace

std::string_view name_of(PickleOp op) { return rows[static_cast<uint8_t>(op)].name; }

std::string_view PickleStream::take(uint64_t count) {
  base::check(count <= bytes_.size() - at_, "broken pickle: ", count,
              " bytes are announced at byte ", at_, " and ", bytes_.size() - at_, " are left");
  std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

uint64_t PickleStream::little_endian(size_t count) {
  std::string_view bytes = take(count);
  uint64_t value = 0;
  for (size_t i = count; i-- > 0;) value = (value << 8) | static_cast<uint8_t>(bytes[i]);
  return value;
}

std::string_view PickleStream::line() {
  size_t end = bytes_.find('\n', at_);
  base::check(end != std::string_view::npos, "broken pickle: a line at byte ", at_, " has no end");
  std::string_view text = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return text;
}

PickleInstruction PickleStream::next() {
  base::check(at_ < bytes_.size(), "broken pickle: it ends without a stop opcode");
  auto byte = static_cast<uint8_t>(bytes_[at_++]);
  PickleInstruction out;
  out.op = static_cast<PickleOp>(byte);
  switch (rows[byte].argument) {
    case Argument::unknown:
      base::fail("broken or unsafe pickle: opcode ", static_cast<int>(byte), " at byte ", at_ - 1,
                 " is not accepted");
    case Argument::none:
      break;
    case Argument::u8:
      out.number = static_cast<int64_t>(little_endian(1));
      break;
    case Argument::u16:
      out.number = static_cast<int64_t>(little_endian(2));
      break;
    case Argument::i32:
      out.number = static_cast<int32_t>(little_endian(4));
      break;
    case Argument::u32:
      out.number = static_cast<int64_t>(little_endian(4));
      break;
    case Argument::u64:
      out.number = static_cast<int64_t>(little_endian(8) & INT64_MAX);
      break;
    case Argument::f64:
      out.real = std::bit_cast<double>(__builtin_bswap64(little_endian(8)));
      break;
    case Argument::line:
      out.text = line();
      break;
    case Argument::two_lines:
      out.text = line();
      out.second = line();
      break;
    case Argument::text8:
      out.text = take(little_endian(1));
      break;
    case Argument::text32:
      out.text = take(little_endian(4));
      break;
    case Argument::text64:
      out.text = take(little_endian(8));
      break;
  }
  return out;
}

}  // namespace assay::archive
