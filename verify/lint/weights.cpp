#include "verify/lint/weights.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "engine/core/dtype.h"
#include "engine/core/host_access.h"
#include "engine/core/print.h"
#include "verify/graph/program.h"

namespace assay::verify::lint {
namespace {

/// What is wrong with the elements of a tensor.
struct Broken {
  int64_t nan = 0, infinite = 0;
};

/// Counts elements whose exponent bits are all set: infinities, and NaN where a bit of the fraction
/// is set, too. The sign is the word's highest bit.
template <typename Word>
Broken count_broken(const std::byte* bytes, size_t count, Word exponent) {
  constexpr Word sign = static_cast<Word>(Word{1} << (sizeof(Word) * 8 - 1));
  Broken out;
  for (size_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, bytes + i * sizeof(Word), sizeof(Word));
    auto magnitude = static_cast<Word>(word & static_cast<Word>(~sign));
    out.infinite += magnitude == exponent;
    out.nan += magnitude > exponent;
  }
  return out;
}

/// Whether the elements lie one after the other, so that they can be read as words.
bool is_dense(const core::Tensor& t) {
  return core::has_bytes(t) &&
         (t.is_contiguous() || t.is_contiguous(core::MemoryFormat::channels_last));
}

Broken broken_of(const core::Tensor& tensor) {
  core::Tensor t = core::to_host(tensor);
  const std::byte* bytes = t.device_address();
  auto count = static_cast<size_t>(t.numel());
  switch (t.dtype()) {
    case core::DType::float16:
      return count_broken<uint16_t>(bytes, count, 0x7c00);
    case core::DType::bfloat16:
      return count_broken<uint16_t>(bytes, count, 0x7f80);
    case core::DType::float32:
      return count_broken<uint32_t>(bytes, count, 0x7f800000u);
    case core::DType::float64:
      return count_broken<uint64_t>(bytes, count, 0x7ff0000000000000u);
    default:
      return {};
  }
}

std::string shape_text(const core::Tensor& t) { return literal_text(core::Value(t)); }

Sign weight_sign(RuleId rule, Strength strength, const std::string& path, const core::Tensor& t) {
  Sign sign;
  sign.rule = rule;
  sign.strength = strength;
  sign.role = path;
  sign.literal = shape_text(t);
  return sign;
}

void find_broken(const Weights& weights, std::vector<Sign>& signs) {
  auto look = [&](const auto& named, bool infinity_is_meant) {
    for (const auto& [path, t] : named) {
      if (!is_dense(t)) continue;
      Broken broken = broken_of(t);
      // Masks are made of infinities.
      if (broken.nan == 0 && (infinity_is_meant || broken.infinite == 0)) continue;
      Sign sign = weight_sign(RuleId::broken_weights, Strength::likely, path, t);
      sign.why = fmt::format("{} of its {} numbers are NaN, {} infinite", broken.nan, t.numel(),
                             broken.infinite);
      signs.push_back(std::move(sign));
    }
  };
  look(weights.parameters, false);
  look(weights.buffers, true);
}

/// Sizes and strides of a tensor, to be compared.
using Form = std::pair<std::vector<int64_t>, std::vector<int64_t>>;

Form form_of(const core::Tensor& t) {
  return {{t.sizes().begin(), t.sizes().end()}, {t.strides().begin(), t.strides().end()}};
}

/// Where a tensor's elements lie, and how.
using Memory = std::tuple<const core::Storage*, int64_t, Form>;

Memory memory_of(const core::Tensor& t) { return {t.storage().get(), t.offset(), form_of(t)}; }

/// Parameters that have the same of something: which one each is like, by name.
using Likes = std::vector<std::pair<std::string, std::string>>;

/// One sign for all of them: where layers were copied, every parameter has its like.
void tell(const Weights& weights, RuleId rule, Strength strength, const char* relation,
          const Likes& likes, std::vector<Sign>& signs) {
  if (likes.empty()) return;
  const auto& [path, like] = likes[0];
  Sign sign = weight_sign(rule, strength, path, weights.parameters.at(path));
  sign.why = fmt::format("it {} {}", relation, like);
  sign.count = static_cast<int64_t>(likes.size());
  signs.push_back(std::move(sign));
}

/// Parameters that are one in memory; the first of each by name remains in `apart`.
void find_shared(const Weights& weights, std::vector<Sign>& signs,
                 std::vector<std::pair<std::string, core::Tensor>>& apart) {
  std::map<Memory, std::string> first;
  Likes likes;
  for (const auto& [path, t] : weights.parameters) {
    auto [known, fresh] = first.try_emplace(memory_of(t), path);
    if (fresh) {
      apart.emplace_back(path, t);
    } else if (t.numel() > 0) {
      likes.emplace_back(path, known->second);
    }
  }
  tell(weights, RuleId::shared_weights, Strength::note, "is", likes, signs);
}

/// Whether the elements tell where they come from: zeros and ones do not.
bool is_telling(const core::Tensor& t) {
  constexpr int64_t fewest = 16;
  if (t.numel() < fewest || !is_dense(t)) return false;
  core::Tensor host = core::to_host(t);
  const std::byte* bytes = host.device_address();
  size_t item = host.item_size();
  return std::memcmp(bytes, bytes + item, static_cast<size_t>(t.numel() - 1) * item) != 0;
}

size_t hash_of(const core::Tensor& t) {
  core::Tensor host = core::to_host(t);
  const char* bytes = reinterpret_cast<const char*>(host.device_address());
  std::string_view view(bytes, static_cast<size_t>(host.numel()) * host.item_size());
  return std::hash<std::string_view>()(view);
}

void find_equal(const Weights& weights,
                const std::vector<std::pair<std::string, core::Tensor>>& apart,
                std::vector<Sign>& signs) {
  std::map<std::pair<core::DType, Form>, std::vector<size_t>> by_kind;
  for (size_t i = 0; i < apart.size(); ++i) {
    const core::Tensor& t = apart[i].second;
    if (is_telling(t)) by_kind[{t.dtype(), form_of(t)}].push_back(i);
  }
  Likes likes;
  for (const auto& [kind, members] : by_kind) {
    if (members.size() < 2) continue;
    std::unordered_map<size_t, size_t> first;
    for (size_t i : members) {
      auto [known, fresh] = first.try_emplace(hash_of(apart[i].second), i);
      const auto& [path, t] = apart[i];
      if (fresh || !core::same_bytes(apart[known->second].second, t)) continue;
      likes.emplace_back(path, apart[known->second].first);
    }
  }
  tell(weights, RuleId::equal_weights, Strength::possible, "holds the numbers of", likes, signs);
}

}  // namespace

core::Tensor Weights::find(const std::string& path) const {
  if (auto p = parameters.find(path); p != parameters.end()) return p->second;
  if (auto b = buffers.find(path); b != buffers.end()) return b->second;
  auto a = attributes.find(path);
  return a != attributes.end() && a->second.is_tensor() ? a->second.to_tensor() : core::Tensor();
}

bool Weights::all_on(core::Device device) const {
  auto there = [&](const auto& named) { return named.second.device() == device; };
  return std::ranges::all_of(parameters, there) && std::ranges::all_of(buffers, there);
}

std::vector<Sign> weight_signs(const Weights& weights) {
  std::vector<Sign> signs;
  std::vector<std::pair<std::string, core::Tensor>> apart;
  find_broken(weights, signs);
  find_shared(weights, signs, apart);
  find_equal(weights, apart, signs);
  return signs;
}

}  // namespace assay::verify::lint
