#include "verify/host/frame.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/error.h"
#include "verify/host/fields.h"

namespace assay::verify::host {

using nlohmann::json;

namespace {

constexpr const char* kMessage = "__message__";
constexpr size_t kChunk = size_t{1} << 20;

struct Code {
  core::DType dtype;
  std::string_view code;
};
constexpr std::array kCodes = {
    Code{core::DType::float64, "F64"},   Code{core::DType::float32, "F32"},
    Code{core::DType::float16, "F16"},   Code{core::DType::bfloat16, "BF16"},
    Code{core::DType::int64, "I64"},     Code{core::DType::int32, "I32"},
    Code{core::DType::int16, "I16"},     Code{core::DType::int8, "I8"},
    Code{core::DType::uint8, "U8"},      Code{core::DType::boolean, "BOOL"},
    Code{core::DType::complex64, "C64"}, Code{core::DType::complex128, "C128"},
};

/// Appends `count` bytes, in pieces, so that a false claim costs no more than a piece.
void read_exactly(ByteSource& source, size_t count, std::vector<std::byte>& into) {
  while (count > 0) {
    size_t old = into.size();
    into.resize(old + std::min(count, kChunk));
    size_t got = source.read_some(std::span(into).subspan(old));
    base::check(got > 0, "a frame ends ", count, " bytes early");
    into.resize(old + got);
    count -= got;
  }
}

struct Entry {
  std::string name;
  RawTensor tensor;
  size_t begin;
  size_t end;
};

Entry read_entry(const std::string& name, const json& value, const FrameLimits& limits) {
  Entry entry{name, {dtype_from_code(detail::text_field(value, "dtype")), {}, {}}, 0, 0};
  const json& shape = detail::list_field(value, "shape");
  base::check(shape.size() <= 64, "tensor \"", name, "\" has ", shape.size(), " dimensions");
  for (const json& size : shape) entry.tensor.shape.push_back(detail::as_size(size, "shape"));
  const json& offsets = detail::list_field(value, "data_offsets");
  base::check(offsets.size() == 2, "\"data_offsets\" of \"", name, "\" are not two numbers");
  entry.begin = static_cast<size_t>(detail::as_size(offsets[0], "data_offsets"));
  entry.end = static_cast<size_t>(detail::as_size(offsets[1], "data_offsets"));
  base::check(entry.begin <= entry.end && entry.end <= limits.payload, "tensor \"", name,
              "\" lies outside the ", limits.payload, " bytes that a frame may have");
  size_t items = static_cast<size_t>(core::numel(entry.tensor.shape));
  size_t size = core::size_of(entry.tensor.dtype);
  base::check(items <= limits.payload && items * size == entry.end - entry.begin, "tensor \"", name,
              "\" has ", entry.end - entry.begin, " bytes for ", items, " elements of ", size);
  return entry;
}

std::vector<Entry> read_entries(const json& header, const FrameLimits& limits) {
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    bool text = name == kMessage || name == "__metadata__";
    if (!text) entries.push_back(read_entry(name, value, limits));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  size_t expected = 0;
  for (const Entry& entry : entries) {
    base::check(entry.begin == expected, "tensor \"", entry.name, "\" begins at byte ", entry.begin,
                ", not at ", expected, " where the one before it ends");
    expected = entry.end;
  }
  return entries;
}

}  // namespace

size_t MemorySource::read_some(std::span<std::byte> into) {
  size_t count = std::min(into.size(), rest_.size());
  if (count > 0) std::memcpy(into.data(), rest_.data(), count);
  rest_ = rest_.subspan(count);
  return count;
}

std::string_view dtype_code(core::DType dtype) {
  for (const Code& row : kCodes)
    if (row.dtype == dtype) return row.code;
  base::unreachable("no code for dtype ", core::python_name(dtype));
}

core::DType dtype_from_code(std::string_view code) {
  for (const Code& row : kCodes)
    if (row.code == code) return row.dtype;
  base::fail("unknown dtype \"", code.substr(0, 40), "\"");
}

std::optional<Frame> read_frame(ByteSource& source, const FrameLimits& limits) {
  std::vector<std::byte> bytes(8);
  size_t first = source.read_some(std::span(bytes));
  if (first == 0) return std::nullopt;
  bytes.resize(first);
  read_exactly(source, 8 - first, bytes);
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<uint8_t>(bytes[static_cast<size_t>(i)]);
  base::check(length >= 2 && length <= limits.header, "a frame's header claims ", length,
              " bytes; at most ", limits.header, " are allowed");
  bytes.clear();
  read_exactly(source, length, bytes);
  json header = detail::parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                                   "a frame's header");
  // A plain safetensors file is a frame that says nothing.
  json message = header.is_object() ? header.value(kMessage, json::object()) : json();
  base::check(message.is_object(), "a frame's message is not an object");

  std::vector<Entry> entries = read_entries(header, limits);
  auto payload = std::make_shared<std::vector<std::byte>>();
  read_exactly(source, entries.empty() ? 0 : entries.back().end, *payload);
  Frame frame{std::make_shared<const json>(message), {}, payload};
  for (Entry& entry : entries) {
    entry.tensor.bytes = std::span(*payload).subspan(entry.begin, entry.end - entry.begin);
    frame.tensors.emplace(entry.name, entry.tensor);
  }
  return frame;
}

std::string frame_bytes(const json& message, const std::vector<NamedBytes>& tensors) {
  json header = json::object();
  if (!message.empty()) header[kMessage] = message;  // Else a plain safetensors file.
  size_t offset = 0;
  for (const NamedBytes& tensor : tensors) {
    std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    header[tensor.name] = {{"dtype", dtype_code(tensor.dtype)},
                           {"shape", shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump(-1, ' ', true, json::error_handler_t::replace);
  std::string out;
  out.reserve(8 + text.size() + offset);
  for (uint64_t i = 0, length = text.size(); i < 8; ++i)
    out += static_cast<char>(length >> (8 * i) & 0xff);
  out += text;
  for (const NamedBytes& tensor : tensors) out += tensor.bytes;
  return out;
}

}  // namespace assay::verify::host
