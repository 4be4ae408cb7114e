#include "engine/archive/npz.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>

#include "engine/archive/zip_reader.h"
#include "engine/archive/zip_writer.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::archive {

using core::DType;
using core::Tensor;

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr uint64_t max_array = uint64_t{16} << 30;
constexpr size_t max_header = 1 << 16;
constexpr size_t max_rank = 64;

struct Code {
  DType dtype;
  std::string_view name;  ///< NumPy's, without the byte order.
};
constexpr std::array<Code, 11> codes{{{DType::float64, "f8"},
                                      {DType::float32, "f4"},
                                      {DType::float16, "f2"},
                                      {DType::int64, "i8"},
                                      {DType::int32, "i4"},
                                      {DType::int16, "i2"},
                                      {DType::int8, "i1"},
                                      {DType::uint8, "u1"},
                                      {DType::boolean, "b1"},
                                      {DType::complex64, "c8"},
                                      {DType::complex128, "c16"}}};

/// What the header of an array says.
struct Header {
  std::string descr;
  bool fortran = false;
  core::Dims shape;
};

/// Reads the header: a Python dict with the keys descr, fortran_order and shape.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  Header read() {
    Header out;
    expect('{');
    while (!take('}')) {
      std::string key = quoted();
      expect(':');
      if (key == "descr") {
        base::check(peek() != '[', "it is an array of records");
        out.descr = quoted();
      } else if (key == "fortran_order") {
        out.fortran = truth();
      } else if (key == "shape") {
        out.shape = sizes();
      } else {
        bad();
      }
      if (!take(',')) base::check(peek() == '}', "its header cannot be read");
    }
    base::check(!out.descr.empty(), "its header names no element type");
    return out;
  }

 private:
  [[noreturn]] static void bad() { base::fail("its header cannot be read"); }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) bad();
  }

  std::string quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"') bad();
    size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) bad();
    std::string out(text_.substr(at_, end - at_));
    at_ = end + 1;
    return out;
  }

  bool truth() {
    for (std::string_view word : {"True", "False"}) {
      peek();
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    bad();
  }

  core::Dims sizes() {
    core::Dims out;
    expect('(');
    while (!take(')')) {
      peek();
      size_t begin = at_;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
      int64_t size = 0;
      if (!base::parse_int(text_.substr(begin, at_ - begin), size)) bad();
      base::check(out.size() < max_rank, "it has more than ", max_rank, " dimensions");
      out.push_back(size);
      if (!take(',') && peek() != ')') bad();
    }
    return out;
  }

  std::string_view text_;
  size_t at_ = 0;
};

DType dtype_of(const std::string& descr) {
  std::string_view code = descr;
  bool has_order = !code.empty() && std::string_view("<>|=").find(code[0]) != std::string::npos;
  char order = has_order ? code[0] : '=';
  if (has_order) code.remove_prefix(1);
  for (const Code& row : codes) {
    if (row.name != code) continue;
    base::check(order != '>' || core::size_of(row.dtype) == 1,
                "its elements have the other byte order (", descr, "); save it as array.astype('<",
                code, "')");
    return row.dtype;
  }
  base::fail("no tensor can hold its elements, of NumPy's type ", descr.substr(0, 40),
             "; convert it with array.astype");
}

/// Strides of elements whose first index runs fastest.
core::Dims fortran_strides(const core::Dims& shape) {
  core::Dims strides;
  int64_t step = 1;
  for (int64_t size : shape) {
    strides.push_back(step);
    step *= std::max<int64_t>(size, 1);
  }
  return strides;
}

Tensor read_array(std::string_view bytes) {
  base::check(bytes.size() >= magic.size() + 4 && bytes.starts_with(magic), "it is no .npy file");
  auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(bytes[at])); };
  size_t wide = byte(magic.size()) >= 2 ? 4 : 2, start = magic.size() + 2 + wide;
  base::check(bytes.size() >= start, "it is cut short");
  size_t length = 0;
  for (size_t i = wide; i-- > 0;) length = length << 8 | byte(magic.size() + 2 + i);
  base::check(length <= max_header && length <= bytes.size() - start, "its header is cut short");
  Header header = HeaderReader(bytes.substr(start, length)).read();
  DType dtype = dtype_of(header.descr);
  std::string_view data = bytes.substr(start + length);
  int64_t count = 1, spread = 1;  // Strides must fit, too, where a size is 0.
  bool fits = true;
  for (int64_t size : header.shape) {
    fits = fits && !__builtin_mul_overflow(spread, std::max<int64_t>(size, 1), &spread);
    count = fits ? count * size : 0;
  }
  size_t item = core::size_of(dtype);
  base::check(fits && data.size() / item == static_cast<size_t>(count) && data.size() % item == 0,
              "it has ", data.size(), " bytes, which is not what its shape and type ask for");
  Tensor flat = Tensor::empty(core::Dims{count}, dtype);
  if (!data.empty()) std::memcpy(flat.device_address(), data.data(), data.size());
  core::Dims strides =
      header.fortran ? fortran_strides(header.shape) : core::contiguous_strides(header.shape);
  return flat.view(header.shape, strides, 0);
}

std::string file_of(const NamedArray& array) {
  std::optional<std::string_view> code;
  for (const Code& row : codes) {
    if (row.dtype == array.dtype) code = row.name;
  }
  base::check(code.has_value(), "NumPy has no ", core::python_name(array.dtype));
  std::vector<std::string> sizes;
  for (int64_t size : array.shape) sizes.push_back(std::to_string(size));
  std::string shape = base::join(sizes, ", ") + (sizes.size() == 1 ? "," : "");
  bool ordered = core::size_of(array.dtype) > 1;
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   ordered ? '<' : '|', *code, shape);
  constexpr size_t alignment = 64;
  size_t used = magic.size() + 4 + header.size() + 1;
  header.append((alignment - used % alignment) % alignment, ' ');
  header += '\n';
  std::string out(magic);
  out += {'\x01', '\x00', static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  return out + header + array.bytes;
}

}  // namespace

NamedTensors read_npz(FileBytes file) {
  ZipReader zip(std::move(file));
  NamedTensors out;
  for (const ZipRecord& record : zip.records()) {
    std::string_view name = record.name;
    base::check(name.ends_with(".npy"), "member ", name, " is no array (.npy)");
    name.remove_suffix(std::string_view(".npy").size());
    try {
      out.emplace_back(name, read_array(zip.read(record, max_array)));
    } catch (base::Error& e) {
      e.add_context(fmt::format("in array {}", name));
      throw;
    }
  }
  return out;
}

std::string npz_bytes(const std::vector<NamedArray>& arrays) {
  ZipWriter zip("");
  for (const NamedArray& array : arrays) {
    try {
      zip.add(array.name + ".npy", file_of(array));
    } catch (base::Error& e) {
      e.add_context(fmt::format("in array {}", array.name));
      throw;
    }
  }
  return zip.finish();
}

}  // namespace assay::archive
