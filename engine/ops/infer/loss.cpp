#include "engine/ops/infer/loss.h"

#include "engine/ops/dispatch.h"

namespace assay::ops::infer {
namespace {

using core::Tensor;

void check_flat(const Tensor& input, const Tensor& target) {
  base::check(input.dim() > 0 && input.dim() <= 2, "input tensor should be 1D or 2D");
  base::check(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  bool no_batch = input.dim() == 1 && target.dim() == 0;
  base::check(no_batch || (target.dim() == 1 && input.size(0) == target.size(0)),
              "size mismatch (got input: ", input.sizes(), ", target: ", target.sizes(), ")");
}

void check_planes(const Tensor& input, const Tensor& target) {
  base::check(target.dim() == 3,
              "only batches of spatial targets supported (3D tensors) but got targets of "
              "dimension: ",
              target.dim());
  base::check(input.dim() == 4,
              "only batches of spatial inputs supported (4D tensors), but got input of dimension: ",
              input.dim());
  bool same = input.size(0) == target.size(0) && input.size(2) == target.size(1) &&
              input.size(3) == target.size(2);
  base::check(same, "size mismatch (got input: ", input.sizes(), " , target: ", target.sizes());
}

template <bool planes>
void pair(RuleCall& call) {
  Tensor input = call.tensor(arg::self), target = call.tensor(arg::target),
         weight = call.tensor(arg::weight);
  planes ? check_planes(input, target) : check_flat(input, target);
  int64_t classes = input.size(planes || input.dim() == 2 ? 1 : 0);
  base::check(!weight || (weight.dim() == 1 && weight.numel() == classes),
              "weight tensor should be defined either for all ", classes,
              " classes or no classes but got weight tensor of shape: ",
              weight ? weight.sizes() : core::Dims{});
  bool reduced = call.integer(arg::reduction) != 0 || input.dim() == 1;
  call.declare(reduced ? core::Dims{} : target.sizes(), input.dtype());
  call.declare({}, input.dtype());
}

}  // namespace

const Rule loss_pair{pair<false>};
const Rule loss_pair_of_planes{pair<true>};

}  // namespace assay::ops::infer
