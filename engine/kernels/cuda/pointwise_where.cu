// Choosing between elements of one type, which are moved and not computed with.

#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/words.h"

namespace assay::kernels::cuda {
namespace {

using core::DType;
using core::Tensor;
using ops::Call;

template <typename Word>
struct ChoosingBody {
  Operand condition;
  const std::byte* in[2];
  bool known[2];
  Word number[2];
  std::byte* out;
  Layout<4> layout;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<4> at = layout.offsets(i);
    bool first = condition.known
                     ? condition.number[0] != std::byte{}
                     : *reinterpret_cast<const uint8_t*>(condition.data + at.of[1]) != 0;
    bool is_known = first ? known[0] : known[1];
    Word chosen = first ? number[0] : number[1];
    const std::byte* from = first ? in[0] + at.of[2] : in[1] + at.of[3];
    if (!is_known) chosen = *reinterpret_cast<const Word*>(from);
    *reinterpret_cast<Word*>(out + at.of[0]) = chosen;
  }
};

/// What the host knows, as an element of the type.
Operand as_element(const Operand& given, DType dtype) {
  Operand made = given;
  made.dtype = dtype;
  if (core::is_integral(dtype, true))
    store(made.number, dtype, load<int64_t>(given.number, given.dtype));
  else
    store(made.number, dtype, load<Complex<double>>(given.number, given.dtype));
  return made;
}

template <typename Word>
void choose(Call& c) {
  Tensor out = c.out();
  std::array<Tensor, 3> in = common::operands_of<3>(c);
  auto layout = Layout<4>::of(out.sizes(), {out, in[0], in[1], in[2]});
  if (layout.count == 0) return;
  ChoosingBody<Word> body{Operand(in[0]), {}, {}, {}, out.device_address(), layout};
  for (size_t k = 0; k < 2; ++k) {
    Operand from(in[k + 1]);
    body.in[k] = from.data;
    body.known[k] = from.known;
    if (!from.known) continue;
    Operand element = as_element(from, out.dtype());
    std::memcpy(&body.number[k], element.number, sizeof(Word));
  }
  for_each(queue_of(c), layout.count, body);
}

void where(Call& c) {
  over_words(c.out().item_size(), [&](auto word) { choose<decltype(word)>(c); });
}

bool are_alike(const Call& c) {
  std::array<Tensor, 3> in = common::operands_of<3>(c);
  bool alike = in[0].dtype() == DType::boolean || in[0].dtype() == DType::uint8;
  for (size_t k = 1; k < 3; ++k)
    alike = alike && (Operand(in[k]).known || in[k].dtype() == c.out().dtype());
  return alike;
}

constexpr ops::Kernel choice_table[] = {{"aten::where.self", where, are_alike}};

}  // namespace

std::span<const ops::Kernel> choice_kernels() { return choice_table; }

}  // namespace assay::kernels::cuda
