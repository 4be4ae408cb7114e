#include "verify/run/weights.h"

#include <openssl/evp.h>

#include "engine/base/text.h"
#include "engine/core/host_access.h"
#include "verify/host/value_tree.h"

namespace assay::verify {

std::string sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr);
  std::string text;
  for (unsigned int i = 0; i < length; ++i) {
    constexpr char digits[] = "0123456789abcdef";
    text += digits[digest[i] >> 4];
    text += digits[digest[i] & 15];
  }
  return text;
}

WeightHashes weight_hashes(const std::vector<std::pair<std::string, core::Value>>& parameters) {
  WeightHashes out;
  for (const auto& [path, value] : parameters) {
    if (!value.is_tensor() || !value.to_tensor().defined()) continue;
    out[path] = sha256(host::row_major_bytes(value.to_tensor()));
  }
  return out;
}

std::string hash_of(const WeightHashes& hashes) {
  std::string all;
  for (const auto& [path, hash] : hashes) all += path + " " + hash + "\n";
  return hashes.empty() ? "" : sha256(all);
}

std::vector<std::string> unlike(const WeightHashes& a, const WeightHashes& b) {
  std::vector<std::string> out;
  for (const auto& [path, hash] : a) {
    auto other = b.find(path);
    if (other != b.end() && other->second != hash) out.push_back(path);
  }
  return out;
}

std::vector<std::string> unlike(const std::vector<std::pair<std::string, core::Value>>& a,
                                const std::vector<std::pair<std::string, core::Value>>& b) {
  std::map<std::string, core::Value> others(b.begin(), b.end());
  std::vector<std::string> out;
  for (const auto& [path, value] : a) {
    auto other = others.find(path);
    if (other == others.end() || !value.is_tensor() || !other->second.is_tensor()) continue;
    core::Tensor x = value.to_tensor(), y = other->second.to_tensor();
    bool alike = x.dtype() == y.dtype() && x.sizes() == y.sizes() && x.strides() == y.strides();
    if (alike && !core::same_bytes(x, y)) out.push_back(path);
  }
  return out;
}

std::string first_few(std::vector<std::string> names) {
  constexpr size_t most = 5;
  bool more = names.size() > most;
  if (more) names.resize(most);
  return base::join(names, ", ") + (more ? ", ..." : "");
}

}  // namespace assay::verify
