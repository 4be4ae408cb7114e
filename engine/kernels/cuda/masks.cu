// Elements that masks or their own values choose.

#include "engine/base/error.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/cuda/compact.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/nonzero.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/words.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

void check_mask(const Tensor& mask, const char* message) {
  base::check(mask.dtype() == DType::boolean || mask.dtype() == DType::uint8, message);
}
constexpr const char* no_mask = "expected BoolTensor or ByteTensor for mask";

/// Whether the second operand, a mask, is set.
struct IsChosen {
  Operand mask;
  Layout<2> layout;

  ASSAY_ANYWHERE bool at(const Offsets<2>& offsets) const {
    return *reinterpret_cast<const uint8_t*>(mask.at(offsets.of[1])) != 0;
  }
  ASSAY_ANYWHERE bool operator()(int64_t i) const { return at(layout.offsets(i)); }
};

template <typename Word>
struct FillChosen {
  std::byte* out;
  Operand self, mask, value;
  Layout<3> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    bool chosen = *reinterpret_cast<const uint8_t*>(mask.at(at.of[2])) != 0;
    *reinterpret_cast<Word*>(out + at.of[0]) =
        *reinterpret_cast<const Word*>(chosen ? value.at(0) : self.at(at.of[1]));
  }
};

/// A number as another type, where it is.
Tensor cast_number(const Call& c, const Tensor& number, DType dtype) {
  if (number.dtype() == dtype) return number;
  Tensor cast = Tensor::empty({}, dtype, number.device());
  if (number.device().type == core::DeviceType::cpu)
    common::copy_elements(cast, number);
  else
    copy_elements(c, cast, number);
  return cast;
}

template <typename Word>
void run_masked_fill(const Queue& queue, const Tensor& out, const Operand& self,
                     const Operand& mask, const Operand& value, const Layout<3>& layout) {
  for_each(queue, layout.count, FillChosen<Word>{out.device_address(), self, mask, value, layout});
}

void masked_fill(Call& c) {
  Tensor out = c.out(), self = c.tensor(arg::self), mask = c.tensor(arg::mask);
  check_mask(mask, no_mask);
  Tensor number = cast_number(c, c.tensor(arg::value), out.dtype());  // Lives as long as its use.
  Operand value(number);
  auto layout = Layout<3>::of(out.sizes(), {out, self, mask});
  Queue queue = queue_of(c);
  over_words(static_cast<int64_t>(out.item_size()), [&](auto zero) {
    run_masked_fill<decltype(zero)>(queue, out, Operand(self), Operand(mask), value, layout);
  });
}

template <typename Word>
struct TakeChosen {
  std::byte* out;
  Operand self;
  Layout<2> layout;

  ASSAY_ANYWHERE void operator()(int64_t rank, int64_t i) const {
    reinterpret_cast<Word*>(out)[rank] =
        *reinterpret_cast<const Word*>(self.at(layout.offsets(i).of[0]));
  }
};

template <typename Word>
void run_masked_select(const Queue& queue, const Ranks& ranks, const IsChosen& chosen,
                       const Tensor& out, const Tensor& self) {
  for_each_true(queue, ranks, chosen,
                TakeChosen<Word>{out.device_address(), Operand(self), chosen.layout});
}

void masked_select(Call& c) {
  Tensor self = c.tensor(arg::self), mask = c.tensor(arg::mask);
  check_mask(mask, "masked_select: expected BoolTensor or ByteTensor for mask");
  Dims shape = core::broadcast(self.sizes(), mask.sizes());
  IsChosen chosen{Operand(mask), Layout<2>::of(shape, {self, mask}, true)};
  Queue queue = queue_of(c);
  Ranks ranks = rank_true(c, queue, chosen.layout.count, chosen);
  Tensor out = c.new_empty(Dims{ranks.total(c)}, self.dtype());
  if (out.numel() > 0) {
    over_words(static_cast<int64_t>(out.item_size()), [&](auto zero) {
      run_masked_select<decltype(zero)>(queue, ranks, chosen, out, self);
    });
  }
  c.finish(out);
}

template <typename Word>
struct PutChosen {
  std::byte* out;
  const std::byte* source;
  int64_t there;
  Layout<2> layout;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t rank, int64_t i) const {
    if (!report.within(rank, there)) return;
    *reinterpret_cast<Word*>(out + layout.offsets(i).of[0]) =
        reinterpret_cast<const Word*>(source)[rank];
  }
};

template <typename Word>
void run_masked_scatter(const Queue& queue, const Ranks& ranks, const IsChosen& chosen,
                        const Tensor& out, const Tensor& source) {
  for_each_true(queue, ranks, chosen,
                PutChosen<Word>{out.device_address(), source.device_address(), source.numel(),
                                chosen.layout, queue.report});
}

void masked_scatter(Call& c) {
  Tensor out = c.out(), mask = c.tensor(arg::mask), source = contiguous(c, c.tensor(arg::source));
  check_mask(mask, no_mask);
  copy_elements(c, out, c.tensor(arg::self));
  if (out.numel() == 0) return;
  IsChosen chosen{Operand(mask), Layout<2>::of(out.sizes(), {out, mask}, true)};
  Queue queue = queue_of(c);
  Ranks ranks = rank_true(c, queue, chosen.layout.count, chosen);
  over_words(static_cast<int64_t>(out.item_size()), [&](auto zero) {
    run_masked_scatter<decltype(zero)>(queue, ranks, chosen, out, source);
  });
}

struct IsNonzero {
  Operand self;
  Layout<1> layout;

  ASSAY_ANYWHERE bool operator()(int64_t i) const {
    const std::byte* at = self.at(layout.offsets(i).of[0]);
    if (self.dtype == DType::boolean) return *reinterpret_cast<const uint8_t*>(at) != 0;
    if (self.dtype == DType::complex64 || self.dtype == DType::complex128) {
      auto number = load<Complex<double>>(at, self.dtype);
      return number.real() != 0 || number.imag() != 0;
    }
    return load<double>(at, self.dtype) != 0;
  }
};

/// An element's position along each dimension.
struct StorePosition {
  static constexpr int max_rank = 16;

  int64_t* out;
  int64_t total;
  int rank;
  bool narrow;
  Divider sizes[max_rank];  ///< From the innermost dimension on.

  StorePosition(const Tensor& result, const Tensor& self)
      : out(result.device_data<int64_t>()),
        total(result.size(0)),
        rank(static_cast<int>(self.dim())),
        narrow(self.numel() < (int64_t{1} << 31)) {
    for (int d = 0; d < rank; ++d) sizes[d] = Divider(self.size(static_cast<size_t>(rank - 1 - d)));
  }
  ASSAY_ANYWHERE void operator()(int64_t at, int64_t i) const {
    for (int d = 0; d < rank; ++d) {
      int64_t rest = sizes[d].divide(i, narrow);
      out[(rank - 1 - d) * total + at] = i - rest * sizes[d].divisor();
      i = rest;
    }
  }
};

void nonzero(Call& c) { c.finish(nonzero_positions(c, c.tensor(arg::self))); }

/// The largest of the positions; 0 where there is none.
struct LargestPosition {
  const int64_t* positions;
  int64_t* out;

  ASSAY_ANYWHERE int64_t start() const { return -1; }
  ASSAY_ANYWHERE int64_t load(int64_t, int64_t i) const { return positions[i]; }
  ASSAY_ANYWHERE int64_t join(int64_t a, int64_t b) const { return a > b ? a : b; }
  ASSAY_ANYWHERE void finish(int64_t, int64_t total) const { *out = total; }
};

struct PutOnes {
  const int64_t* positions;
  int64_t* out;
  int64_t classes;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    if (report.within(positions[i], classes)) out[i * classes + positions[i]] = 1;
  }
};

/// Ones at (i, self[i]).
void one_hot(Call& c) {
  Tensor self = c.tensor(arg::self);
  int64_t classes = c.integer(arg::num_classes);
  base::check(self.dtype() == DType::int64, "one_hot is only applicable to index tensor.");
  Tensor positions = contiguous(c, self);
  int64_t count = positions.numel();
  base::check(count > 0 || classes > 0, "Can not infer total number of classes from empty tensor.");
  Queue queue = queue_of(c);
  if (classes == -1) {
    Tensor most = Tensor::empty({}, DType::int64, c.device());
    reduce(c, queue, 1, count,
           LargestPosition{positions.device_data<int64_t>(), most.device_data<int64_t>()});
    c.synchronized();
    classes = *core::to_host(most).device_data<int64_t>() + 1;
  }
  base::check(classes >= 0, "Class values must be smaller than num_classes.");
  Dims sizes = self.sizes();
  sizes.push_back(classes);
  Tensor out = c.new_empty(sizes, DType::int64);
  fill_elements(c, out, 0);
  for_each(
      queue, count,
      PutOnes{positions.device_data<int64_t>(), out.device_data<int64_t>(), classes, queue.report});
  c.finish(out);
}

constexpr ops::Kernel mask_table[] = {
    {"aten::masked_fill.Tensor", masked_fill},
    {"aten::masked_scatter", masked_scatter},
    {"aten::masked_select", masked_select},
    {"aten::nonzero", nonzero},
    {"aten::argwhere", nonzero},
    {"aten::one_hot", one_hot},
};

}  // namespace

Tensor nonzero_positions(const Call& call, const Tensor& t) {
  if (t.dim() > StorePosition::max_rank)
    base::unsupported("non-zero elements of a tensor with ", t.dim(), " dimensions on CUDA");
  Queue queue = queue_of(call);
  IsNonzero is_nonzero{Operand(t), Layout<1>::of(t.sizes(), {t}, true)};
  Ranks ranks = rank_true(call, queue, t.numel(), is_nonzero);
  int64_t total = ranks.total(call);
  Tensor out =
      Tensor::empty_strided(Dims{total, t.dim()}, Dims{1, total}, DType::int64, call.device());
  if (total > 0 && t.dim() > 0) for_each_true(queue, ranks, is_nonzero, StorePosition(out, t));
  return out;
}

std::span<const ops::Kernel> mask_kernels() { return mask_table; }

}  // namespace assay::kernels::cuda
