#include "engine/kernels/cuda/ordering.h"

#ifndef ASSAY_CUDA_ON_HOST
#include <cub/device/device_radix_sort.cuh>
#endif

namespace assay::kernels::cuda {
namespace {

#ifdef ASSAY_CUDA_ON_HOST

template <typename Key>
void sort_by_bits(const ops::Call&, const Queue&, const KeyedNumbers<Key>& pairs, int64_t count,
                  int bits) {
  Key mask = bits >= static_cast<int>(8 * sizeof(Key)) ? static_cast<Key>(~Key{0})
                                                       : static_cast<Key>((Key{1} << bits) - 1);
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return (pairs.keys[0][a] & mask) < (pairs.keys[0][b] & mask);
  });
  for (int64_t i = 0; i < count; ++i) {
    pairs.keys[1][i] = pairs.keys[0][order[static_cast<size_t>(i)]];
    pairs.numbers[1][i] = pairs.numbers[0][order[static_cast<size_t>(i)]];
  }
}

#else

template <typename Key>
void sort_by_bits(const ops::Call& call, const Queue& queue, const KeyedNumbers<Key>& pairs,
                  int64_t count, int bits) {
  size_t nbytes = 0;
  auto run = [&](void* room) {
    check(cub::DeviceRadixSort::SortPairs(room, nbytes, pairs.keys[0], pairs.keys[1],
                                          pairs.numbers[0], pairs.numbers[1], count, 0, bits,
                                          queue.stream),
          "sorting");
  };
  run(nullptr);
  core::Tensor room = scratch(call, std::max<int64_t>(1, static_cast<int64_t>(nbytes)));
  run(room.device_address());
}

#endif

}  // namespace

void sort_pairs(const ops::Call& call, const Queue& queue, const KeyedNumbers<uint32_t>& pairs,
                int64_t count, int bits) {
  sort_by_bits(call, queue, pairs, count, bits);
}
void sort_pairs(const ops::Call& call, const Queue& queue, const KeyedNumbers<uint64_t>& pairs,
                int64_t count, int bits) {
  sort_by_bits(call, queue, pairs, count, bits);
}

}  // namespace assay::kernels::cuda
