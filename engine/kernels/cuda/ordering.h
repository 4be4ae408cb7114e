#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "engine/base/error.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/parallel.h"

#ifndef ASSAY_CUDA_ON_HOST
#include <cub/block/block_radix_sort.cuh>
#endif

// Rows in order. Elements are sorted as unsigned numbers, keys, that are
// ordered as they are: NaN last, the zeros of either sign alike.
namespace assay::kernels::cuda {

/// How many low bits of a type's keys say something.
inline int key_bits(core::DType dtype) {
  return dtype == core::DType::boolean ? 1 : static_cast<int>(8 * core::size_of(dtype));
}

/// A number of so many bits, the highest of which is the sign of a float.
template <typename Bits>
ASSAY_ANYWHERE Bits key_of_float(Bits bits, Bits infinity) {
  constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  Bits magnitude = Bits(bits & Bits(~sign));
  if (magnitude > infinity) return Bits(~Bits(0));
  if (magnitude == 0) return sign;
  return (bits & sign) != 0 ? Bits(~bits) : Bits(bits | sign);
}

template <typename Bits>
ASSAY_ANYWHERE Bits bits_at(const std::byte* at) {
  return *reinterpret_cast<const Bits*>(at);
}

/// The key of an element that is not complex.
ASSAY_ANYWHERE inline uint64_t key_at(const std::byte* at, core::DType dtype) {
  switch (dtype) {
    case core::DType::float32:
      return key_of_float<uint32_t>(bits_at<uint32_t>(at), 0x7f800000u);
    case core::DType::float64:
      return key_of_float<uint64_t>(bits_at<uint64_t>(at), 0x7ff0000000000000u);
    case core::DType::float16:
      return key_of_float<uint16_t>(bits_at<uint16_t>(at), 0x7c00u);
    case core::DType::bfloat16:
      return key_of_float<uint16_t>(bits_at<uint16_t>(at), 0x7f80u);
    case core::DType::int64:
      return bits_at<uint64_t>(at) ^ (uint64_t{1} << 63);
    case core::DType::int32:
      return bits_at<uint32_t>(at) ^ 0x80000000u;
    case core::DType::int16:
      return bits_at<uint16_t>(at) ^ 0x8000u;
    case core::DType::int8:
      return bits_at<uint8_t>(at) ^ 0x80u;
    case core::DType::boolean:
      return bits_at<uint8_t>(at) != 0;
    default:
      return bits_at<uint8_t>(at);
  }
}

/// Sorts keys by their lowest bits, each with a number that goes along; equal
/// ones stay in order. The results are in the second of each.
template <typename Key>
struct KeyedNumbers {
  Key* keys[2];
  uint32_t* numbers[2];
};
void sort_pairs(const ops::Call& call, const Queue& queue, const KeyedNumbers<uint32_t>& pairs,
                int64_t count, int bits);
void sort_pairs(const ops::Call& call, const Queue& queue, const KeyedNumbers<uint64_t>& pairs,
                int64_t count, int bits);

/// In how many bits numbers below `count` are written.
inline int bits_below(int64_t count) {
  int bits = 0;
  while (bits < 62 && (int64_t{1} << bits) < count) ++bits;
  return bits;
}

/// The key of element `i % length` of row `i / length`, with the row's number
/// above it if there is room for it.
template <typename Key, typename Source>
struct MakeKeys {
  Source source;
  int64_t length;
  int row_shift;  ///< 0: without the row.
  KeyedNumbers<Key> pairs;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / length;
    auto key = static_cast<Key>(source.key(row, i - row * length));
    if (row_shift > 0) key |= static_cast<Key>(row) << row_shift;
    pairs.keys[0][i] = key;
    pairs.numbers[0][i] = static_cast<uint32_t>(i);
  }
};

/// Keys anew for a second sort, by rows.
struct KeysOfRows {
  int64_t length;
  const uint32_t* numbers;
  uint32_t* keys;
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    keys[i] = static_cast<uint32_t>(numbers[i] / length);
  }
};

template <typename Sink>
struct WriteOrder {
  Sink sink;
  int64_t length;
  const uint32_t* numbers;
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t row = i / length;
    sink.write(row, i - row * length, static_cast<int64_t>(numbers[i]) - row * length);
  }
};

/// Elements of all rows sorted at once.
template <typename Key, typename Source, typename Sink>
void order_together(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length,
                    const Source& source, const Sink& sink) {
  int64_t count = rows * length;
  if (count >= (int64_t{1} << 32)) base::unsupported("sorting ", count, " elements on a device");
  bool with_row = rows > 1 && sizeof(Key) == 8 && source.bits() <= 32;
  core::Tensor room = scratch(call, count * 2 * int64_t(sizeof(Key) + sizeof(uint32_t)));
  Key* keys = reinterpret_cast<Key*>(room.device_address());
  auto* numbers = reinterpret_cast<uint32_t*>(keys + 2 * count);
  KeyedNumbers<Key> pairs{{keys, keys + count}, {numbers, numbers + count}};
  for_each(queue, count,
           MakeKeys<Key, Source>{source, length, with_row ? source.bits() : 0, pairs});
  sort_pairs(call, queue, pairs, count, source.bits() + (with_row ? bits_below(rows) : 0));
  if (rows > 1 && !with_row) {
    auto* rows_as_keys = reinterpret_cast<uint32_t*>(keys);
    for_each(queue, count, KeysOfRows{length, pairs.numbers[1], rows_as_keys});
    KeyedNumbers<uint32_t> by_row{{rows_as_keys, rows_as_keys + count},
                                  {pairs.numbers[1], pairs.numbers[0]}};
    sort_pairs(call, queue, by_row, count, bits_below(rows));
    pairs.numbers[1] = by_row.numbers[1];
  }
  for_each(queue, count, WriteOrder<Sink>{sink, length, pairs.numbers[1]});
}

#ifdef ASSAY_CUDA_ON_HOST

/// So that tests reach both ways.
constexpr int64_t short_row = 12;

template <typename Key, typename Source, typename Sink>
void order_each(const Queue&, int64_t rows, int64_t length, const Source& source,
                const Sink& sink) {
  std::vector<int64_t> order(static_cast<size_t>(length));
  for (int64_t row = 0; row < rows; ++row) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return source.key(row, a) < source.key(row, b); });
    for (int64_t j = 0; j < length; ++j) sink.write(row, j, order[static_cast<size_t>(j)]);
  }
}

#else

constexpr int64_t short_row = 4096;

/// A block sorts a row.
template <typename Key, int threads, int items, typename Source, typename Sink>
__global__ void __launch_bounds__(threads)
    order_by_blocks(int64_t rows, int length, Source source, Sink sink) {
  using Sort = cub::BlockRadixSort<Key, threads, items, int>;
  __shared__ typename Sort::TempStorage room;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    Key keys[items];
    int indices[items];
    for (int k = 0; k < items; ++k) {
      int i = static_cast<int>(threadIdx.x) * items + k;
      indices[k] = i;
      keys[k] = i < length ? static_cast<Key>(source.key(row, i)) : static_cast<Key>(~Key{0});
    }
    Sort(room).SortBlockedToStriped(keys, indices, 0, source.bits());
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int j = k * threads + static_cast<int>(threadIdx.x);
      if (j < length) sink.write(row, j, indices[k]);
    }
    __syncthreads();
  }
}

template <typename Key, typename Source, typename Sink>
void order_each(const Queue& queue, int64_t rows, int64_t length, const Source& source,
                const Sink& sink) {
  auto n = static_cast<int>(length);
  unsigned blocks = blocks_for(rows, 1);
  if (n <= 128)
    launch(queue, blocks, 32, order_by_blocks<Key, 32, 4, Source, Sink>, rows, n, source, sink);
  else if (n <= 1024)
    launch(queue, blocks, 128, order_by_blocks<Key, 128, 8, Source, Sink>, rows, n, source, sink);
  else
    launch(queue, blocks, 256, order_by_blocks<Key, 256, 16, Source, Sink>, rows, n, source, sink);
}

#endif

/// Sorts rows, equal elements in their own order. Both are function objects for
/// device code:
///   Source: uint64_t key(int64_t row, int64_t i) const; int bits() const;
///   Sink: void write(int64_t row, int64_t place, int64_t index) const;
/// The sink is told which element of a row comes to each place.
template <typename Source, typename Sink>
void order_rows(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length,
                const Source& source, const Sink& sink) {
  if (rows <= 0 || length <= 0) return;
  bool narrow = source.bits() <= 32;
  if (length <= short_row) {
    narrow ? order_each<uint32_t>(queue, rows, length, source, sink)
           : order_each<uint64_t>(queue, rows, length, source, sink);
  } else if (narrow && rows == 1) {
    order_together<uint32_t>(call, queue, rows, length, source, sink);
  } else {
    order_together<uint64_t>(call, queue, rows, length, source, sink);
  }
}

}  // namespace assay::kernels::cuda
