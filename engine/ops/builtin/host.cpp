#include "engine/ops/builtin/host.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/ops/infer/computed.h"

namespace assay::ops::builtin {

std::vector<Kernel> host_kernels(std::initializer_list<HostOperator> operators) {
  std::unordered_map<std::string_view, void (*)(Call&)> by_name;
  for (const HostOperator& op : operators) by_name.emplace(op.name, op.run);
  std::vector<Kernel> kernels;
  for (const Row& row : catalog_rows()) {
    if (row.rule != &infer::host_value) continue;
    std::string_view qualified = row.schema.substr(0, row.schema.find('('));
    auto found = by_name.find(qualified.substr(0, qualified.find('.')));
    if (found != by_name.end()) kernels.push_back({qualified, found->second});
  }
  return kernels;
}

size_t list_position(int64_t index, size_t length) {
  auto n = static_cast<int64_t>(length);
  if (index < 0) index += n;
  base::check(index >= 0 && index < n, "list index out of range");
  return static_cast<size_t>(index);
}

void check_length(int64_t count, size_t item_length) {
  constexpr int64_t limit = int64_t{1} << 28;
  int64_t total = 0;
  bool fits = !__builtin_mul_overflow(count, static_cast<int64_t>(item_length), &total);
  base::check(fits && total <= limit, "a list or text of ", count, " times ", item_length,
              " elements is too long");
}

core::Values repeated(const core::Values& items, int64_t times) {
  core::Values all;
  if (times <= 0 || items.empty()) return all;
  check_length(times, items.size());
  all.reserve(items.size() * static_cast<size_t>(times));
  base::DeadlineTicker ticker;
  for (int64_t i = 0; i < times; ++i) {
    ticker.tick(static_cast<int64_t>(items.size()));
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
}

SliceRange slice_range(const Call& call, size_t length) {
  auto n = static_cast<int64_t>(length);
  int64_t step = call.integer_or(arg::step, 1);
  base::check(step != 0, "slice step cannot be zero");
  base::check(step != INT64_MIN, "slice step ", step, " is out of bounds");  // As in PyTorch.
  bool back = step < 0;
  // An open end lies just outside of the sequence, on the side that the step starts or ends at.
  auto position = [&](ArgName argument, int64_t open) {
    if (call.is_none(argument)) return open;
    int64_t at = call.integer(argument);
    // A script's `[:]` arrives with PyTorch's largest int as its end.
    if (at < 0) at += n;
    return std::clamp<int64_t>(at, back ? -1 : 0, back ? n - 1 : n);
  };
  int64_t start = position(arg::start, back ? n - 1 : 0);
  int64_t end = position(arg::end, back ? -1 : n);
  int64_t distance = back ? start - end : end - start;
  int64_t count = distance <= 0 ? 0 : 1 + (distance - 1) / std::abs(step);
  return {start, step, count};
}

bool same_element(const Call& call, const core::Value& a, const core::Value& b) {
  if (!a.is_tensor() || !b.is_tensor()) return a.equals(b);
  core::Value equal = call.call("aten::eq.Tensor", {a, b});
  return call.call("aten::is_nonzero", {equal}).to_bool();
}

}  // namespace assay::ops::builtin
