#include "tests/conformance/tensor_file.h"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"

namespace assay::conformance {
namespace {

core::DType dtype_of_name(const std::string& name) {
  static const std::map<std::string, core::DType> names{
      {"F64", core::DType::float64},   {"F32", core::DType::float32},
      {"F16", core::DType::float16},   {"BF16", core::DType::bfloat16},
      {"I64", core::DType::int64},     {"I32", core::DType::int32},
      {"I16", core::DType::int16},     {"I8", core::DType::int8},
      {"U8", core::DType::uint8},      {"BOOL", core::DType::boolean},
      {"C64", core::DType::complex64}, {"C128", core::DType::complex128}};
  auto found = names.find(name);
  base::check(found != names.end(), "unknown dtype in a tensor file: ", name);
  return found->second;
}

}  // namespace

std::map<std::string, core::Tensor> read_tensor_file(const std::filesystem::path& path) {
  std::map<std::string, core::Tensor> tensors;
  std::ifstream file(path, std::ios::binary);
  if (!file) return tensors;
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  uint64_t header_size = 0;
  base::check(bytes.size() >= 8, path.string(), " is cut short");
  std::memcpy(&header_size, bytes.data(), 8);
  base::check(header_size <= bytes.size() - 8, path.string(), " is cut short");
  auto header = nlohmann::json::parse(bytes.substr(8, header_size));
  const char* data = bytes.data() + 8 + header_size;
  size_t data_size = bytes.size() - 8 - header_size;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    auto sizes = entry["shape"].get<std::vector<int64_t>>();
    size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
    auto tensor = core::Tensor::empty(sizes, dtype_of_name(entry["dtype"]));
    auto wanted = static_cast<size_t>(tensor.numel()) * tensor.item_size();
    base::check(begin <= end && end <= data_size && end - begin == wanted, path.string(),
                ": tensor ", name, " does not fit its data");
    if (wanted) std::memcpy(tensor.device_address(), data + begin, wanted);
    tensors.emplace(name, tensor);
  }
  return tensors;
}

}  // namespace assay::conformance
