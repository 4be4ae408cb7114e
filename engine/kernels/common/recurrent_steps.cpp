#include "engine/kernels/common/recurrent_steps.h"

#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"

namespace assay::kernels {

namespace {

/// All rows of a state of several see the one row of each step; PyTorch's layers backwards begin
/// with the rows of the last step alone, so that the two directions do not fit each other.
bool are_shared(const ops::infer::Recurrent& r, const std::vector<int64_t>& sizes) {
  bool one_each = std::ranges::all_of(sizes, [](int64_t n) { return n == 1; });
  if (!r.packed() || r.batch() == 1 || !one_each) return false;
  base::check(!r.bidirectional, "Sizes of tensors must match except in dimension 1. Expected size ",
              r.batch(), " but got size 1 for each step of the layer backwards");
  base::check(r.batch() > 0 || r.layers == 1, "start (0) + length (1) exceeds dimension size (0).");
  return true;
}

}  // namespace

RecurrentSteps::RecurrentSteps(const ops::infer::Recurrent& r,
                               const std::vector<int64_t>& batch_sizes) {
  std::vector<int64_t> sizes = batch_sizes;
  if (!r.packed()) sizes.assign(static_cast<size_t>(r.input.size(0)), r.batch());
  shares_rows = are_shared(r, sizes);
  int64_t read = 0, state = r.batch();
  for (int64_t n : sizes) {
    base::check(n >= 0, "a step of a packed sequence has ", n, " rows");
    // After the first step, the state keeps the rows of the sequences that go on.
    if (!rows.empty() && n < state && !shares_rows) state = n;
    base::check(shares_rows || n == state, "The size of tensor a (", state,
                ") must match the size of tensor b (", n, ") at non-singleton dimension 0");
    rows.push_back(state);
    begin.push_back(total);
    total = base::checked_add(total, state);
    read = base::checked_add(read, n);
  }
  if (!r.packed()) return;
  base::check(read <= r.input.size(0) && total == r.packed_rows(), "batch_sizes sum to ", read,
              ", but there are ", r.input.size(0), " rows");
}

}  // namespace assay::kernels
