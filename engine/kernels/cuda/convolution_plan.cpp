#include "engine/kernels/cuda/convolution_plan.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/base/error.h"
#include "engine/kernels/cuda/libraries.h"

namespace assay::kernels::cuda {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// Whether products of float32 may be rounded to TF32's 10 bits, as PyTorch has it for
/// convolutions. Results would be about a thousand times less exact.
constexpr bool allows_tf32 = false;
/// Whether algorithms may work on transformed images (Winograd, FFT): their errors are those of a
/// tile's largest number, and an infinity makes NaN of its neighbours.
constexpr bool allows_transforms = false;
/// Whether biases, residuals and relu are left to cuDNN, too.
constexpr bool fuses_epilogues = true;
/// An algorithm that wants more room is not taken.
constexpr size_t most_workspace = size_t{1} << 30;

/// A descriptor of cuDNN's, destroyed with this.
template <typename Handle, cudnnStatus_t (*create)(Handle*), cudnnStatus_t (*destroy)(Handle)>
class Descriptor {
 public:
  Descriptor() { check(create(&handle_), "a descriptor"); }
  ~Descriptor() { destroy(handle_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};
using TensorDescriptor =
    Descriptor<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using FilterDescriptor =
    Descriptor<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using ConvolutionDescriptor =
    Descriptor<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
               cudnnDestroyConvolutionDescriptor>;

using ActivationDescriptor =
    Descriptor<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor,
               cudnnDestroyActivationDescriptor>;

struct Plan {
  TensorDescriptor input, out, bias;
  FilterDescriptor weight;
  ConvolutionDescriptor convolution;
  bool exists = false;  ///< Otherwise cuDNN has none.
  cudnnConvolutionFwdAlgo_t forward{};
  cudnnConvolutionBwdDataAlgo_t backward{};
  size_t workspace = 0;
  unsigned refused_epilogues = 0;  ///< A bit for each kind.
};

cudnnDataType_t type_of(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return CUDNN_DATA_HALF;
    case DType::bfloat16:
      return CUDNN_DATA_BFLOAT16;
    case DType::float64:
      return CUDNN_DATA_DOUBLE;
    default:
      return CUDNN_DATA_FLOAT;
  }
}

/// Rows are images of height 1: cuDNN has nothing smaller than images.
Dims images_of(Dims list, int64_t rank, int64_t filling) {
  if (rank == 3) list.insert(list.size() - 1, filling);
  return list;
}

std::vector<int> narrow(const Dims& list) {
  std::vector<int> out;
  for (int64_t v : list) out.push_back(static_cast<int>(v));
  return out;
}

/// Steps of elements without gaps, which are told for dimensions of size 1, too.
Dims steps_of(const Dims& sizes, bool channels_last) {
  Dims steps(sizes.size(), 1);
  int64_t step = 1;
  auto place = [&](size_t d) { steps[d] = step, step *= sizes[d]; };
  if (channels_last) place(1);
  for (size_t d = sizes.size(); d-- > 2;) place(d);
  if (!channels_last) place(1);
  place(0);
  return steps;
}

bool worked(cudnnStatus_t status) { return status == CUDNN_STATUS_SUCCESS; }

bool describe(const TensorDescriptor& descriptor, const Tensor& t, bool channels_last) {
  Dims sizes = images_of(t.sizes(), t.dim(), 1);
  std::vector<int> all = narrow(sizes), steps = narrow(steps_of(sizes, channels_last));
  return worked(cudnnSetTensorNdDescriptor(descriptor.get(), type_of(t.dtype()),
                                           static_cast<int>(all.size()), all.data(), steps.data()));
}

cudnnMathType_t products_of(DType dtype) {
  bool half = dtype == DType::float16 || dtype == DType::bfloat16;
  bool exact = dtype == DType::float32 && !allows_tf32;
  return half ? CUDNN_TENSOR_OP_MATH : exact ? CUDNN_FMA_MATH : CUDNN_DEFAULT_MATH;
}

/// False where cuDNN has no words for it.
bool describe(Plan& plan, const DnnConvolution& conv) {
  int64_t rank = conv.weight.dim();
  std::vector<int> filter = narrow(images_of(conv.weight.sizes(), rank, 1));
  std::vector<int> padding = narrow(images_of(conv.padding, rank, 0));
  std::vector<int> stride = narrow(images_of(conv.stride, rank, 1));
  std::vector<int> dilation = narrow(images_of(conv.dilation, rank, 1));
  DType dtype = conv.input.dtype();
  cudnnConvolutionDescriptor_t descriptor = plan.convolution.get();
  return describe(plan.input, conv.input, conv.channels_last) &&
         describe(plan.out, conv.out, conv.channels_last) &&
         worked(
             cudnnSetFilterNdDescriptor(plan.weight.get(), type_of(dtype),
                                        conv.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                                        static_cast<int>(filter.size()), filter.data())) &&
         worked(cudnnSetConvolutionNdDescriptor(
             descriptor, static_cast<int>(padding.size()), padding.data(), stride.data(),
             dilation.data(), CUDNN_CROSS_CORRELATION,
             dtype == DType::float64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT)) &&
         worked(cudnnSetConvolutionGroupCount(descriptor, static_cast<int>(conv.groups))) &&
         worked(cudnnSetConvolutionMathType(descriptor, products_of(dtype)));
}

bool is_allowed(cudnnConvolutionFwdAlgo_t algorithm) {
  return allows_transforms || algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
}
bool is_allowed(cudnnConvolutionBwdDataAlgo_t algorithm) {
  return allows_transforms || algorithm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 ||
         algorithm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
}

/// The first of cuDNN's proposals, the fastest ones before, that may be taken; rather one that
/// gives the same bits each time.
template <typename Performance, size_t n>
const Performance* first_allowed(const std::array<Performance, n>& all, int count) {
  const Performance* found = nullptr;
  for (int i = 0; i < count; ++i) {
    const Performance& p = all[static_cast<size_t>(i)];
    if (p.status != CUDNN_STATUS_SUCCESS || !is_allowed(p.algo) || p.memory > most_workspace)
      continue;
    if (p.determinism == CUDNN_DETERMINISTIC) return &p;
    if (!found) found = &p;
  }
  return found;
}

/// The room that an algorithm needs depends on this. What is to be exact stays so.
bool multiply_as_proposed(const Plan& plan, DType dtype, cudnnMathType_t proposed) {
  if (products_of(dtype) == CUDNN_FMA_MATH) return true;
  return worked(cudnnSetConvolutionMathType(plan.convolution.get(), proposed));
}

void choose_forward(cudnnHandle_t dnn, Plan& plan, DType dtype) {
  std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> proposals{};
  int count = 0;
  cudnnStatus_t status = cudnnGetConvolutionForwardAlgorithm_v7(
      dnn, plan.input.get(), plan.weight.get(), plan.convolution.get(), plan.out.get(),
      static_cast<int>(proposals.size()), &count, proposals.data());
  if (!worked(status)) return;
  const auto* chosen = first_allowed(proposals, count);
  if (!chosen) return;
  plan.forward = chosen->algo;
  if (!multiply_as_proposed(plan, dtype, chosen->mathType)) return;
  plan.exists = worked(cudnnGetConvolutionForwardWorkspaceSize(
      dnn, plan.input.get(), plan.weight.get(), plan.convolution.get(), plan.out.get(),
      plan.forward, &plan.workspace));
}

void choose_backward(cudnnHandle_t dnn, Plan& plan, DType dtype) {
  std::array<cudnnConvolutionBwdDataAlgoPerf_t, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT> proposals{};
  int count = 0;
  cudnnStatus_t status = cudnnGetConvolutionBackwardDataAlgorithm_v7(
      dnn, plan.weight.get(), plan.input.get(), plan.convolution.get(), plan.out.get(),
      static_cast<int>(proposals.size()), &count, proposals.data());
  if (!worked(status)) return;
  const auto* chosen = first_allowed(proposals, count);
  if (!chosen) return;
  plan.backward = chosen->algo;
  if (!multiply_as_proposed(plan, dtype, chosen->mathType)) return;
  plan.exists = worked(cudnnGetConvolutionBackwardDataWorkspaceSize(
      dnn, plan.weight.get(), plan.input.get(), plan.convolution.get(), plan.out.get(),
      plan.backward, &plan.workspace));
}

using Key = std::vector<int64_t>;

struct HashOfKey {
  size_t operator()(const Key& key) const {
    uint64_t hash = 1469598103934665603u;  // FNV-1a, a number at a time.
    for (int64_t v : key) hash = (hash ^ static_cast<uint64_t>(v)) * 1099511628211u;
    return hash ^ (hash >> 32);
  }
};

void key_of(Key& key, const Call& call, const DnnConvolution& conv) {
  key.clear();
  key.push_back(call.device().index);
  key.push_back(static_cast<int64_t>(conv.input.dtype()));
  key.push_back(conv.groups * 4 + conv.transposed * 2 + conv.channels_last);
  for (const Dims* list : {&conv.input.sizes(), &conv.weight.sizes(), &conv.out.sizes(),
                           &conv.stride, &conv.padding, &conv.dilation})
    key.insert(key.end(), list->begin(), list->end());
}

std::unique_ptr<Plan> make_plan(cudnnHandle_t dnn, const DnnConvolution& conv) {
  auto plan = std::make_unique<Plan>();
  if (!describe(*plan, conv)) return plan;
  if (conv.transposed)
    choose_backward(dnn, *plan, conv.input.dtype());
  else
    choose_forward(dnn, *plan, conv.input.dtype());
  return plan;
}

/// Descriptors are a thread's own, as handles are. Plans are not given back at a thread's end: the
/// library may be gone before.
Plan& plan_of(cudnnHandle_t dnn, const Call& call, const DnnConvolution& conv) {
  using Plans = std::unordered_map<Key, std::unique_ptr<Plan>, HashOfKey>;
  constexpr size_t most_plans = 4096;
  thread_local auto* plans = new Plans;
  thread_local Key key;
  key_of(key, call, conv);
  auto found = plans->find(key);
  if (found != plans->end()) return *found->second;
  if (plans->size() >= most_plans) plans->clear();
  return *plans->emplace(key, make_plan(dnn, conv)).first->second;
}

/// cuDNN counts by ints; and it is told of strides beyond them as little as of sizes.
bool is_moderate(const DnnConvolution& conv) {
  constexpr int64_t most = INT32_MAX;
  bool fits = conv.input.numel() <= most && conv.weight.numel() <= most &&
              conv.out.numel() <= most && conv.groups <= most;
  for (const Dims* list : {&conv.stride, &conv.padding, &conv.dilation}) {
    for (int64_t v : *list) fits = fits && v <= most;
  }
  return fits;
}

/// Room for an algorithm, and the factors of results.
struct Execution {
  Tensor room;
  void* workspace = nullptr;
  bool wide;
  float one = 1, zero = 0;
  double wide_one = 1, wide_zero = 0;

  Execution(const Call& call, const Plan& plan, DType dtype) : wide(dtype == DType::float64) {
    if (plan.workspace == 0) return;
    room = scratch(call, static_cast<int64_t>(plan.workspace));
    workspace = room.device_address();
  }
  const void* once() const { return wide ? static_cast<const void*>(&wide_one) : &one; }
  const void* never() const { return wide ? static_cast<const void*>(&wide_zero) : &zero; }
};

cudnnActivationDescriptor_t activation(bool relu) {
  auto make = [](cudnnActivationMode_t mode) {
    auto* made = new ActivationDescriptor;
    check(cudnnSetActivationDescriptor(made->get(), mode, CUDNN_PROPAGATE_NAN, 0), "an activation");
    return made->get();
  };
  thread_local cudnnActivationDescriptor_t clamped = make(CUDNN_ACTIVATION_RELU);
  thread_local cudnnActivationDescriptor_t plain = make(CUDNN_ACTIVATION_IDENTITY);
  return relu ? clamped : plain;
}

/// Which algorithms have which epilogues.
bool takes_epilogue(const Plan& plan, const DnnConvolution& conv, const DnnEpilogue& e) {
  return fuses_epilogues && plan.exists && conv.input.dtype() != DType::float64 &&
         (e.relu || plan.forward == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
}

bool describe_bias(const Plan& plan, const Tensor& bias, int64_t rank) {
  std::vector<int> sizes(static_cast<size_t>(std::max<int64_t>(4, rank)), 1);
  std::vector<int> steps(sizes.size(), 1);
  sizes[1] = static_cast<int>(bias.size(0));
  steps[0] = sizes[1];
  return worked(cudnnSetTensorNdDescriptor(plan.bias.get(), type_of(bias.dtype()),
                                           static_cast<int>(sizes.size()), sizes.data(),
                                           steps.data()));
}

}  // namespace

bool run_dnn_convolution(const Call& call, const DnnConvolution& conv) {
  if (!is_moderate(conv)) return false;
  cudnnHandle_t dnn = dnn_of(call);
  Plan& plan = plan_of(dnn, call, conv);
  if (!plan.exists) return false;
  Execution run(call, plan, conv.input.dtype());
  const std::byte* x = conv.input.device_address();
  const std::byte* w = conv.weight.device_address();
  std::byte* y = conv.out.device_address();
  cudnnStatus_t status =
      conv.transposed
          ? cudnnConvolutionBackwardData(dnn, run.once(), plan.weight.get(), w, plan.input.get(), x,
                                         plan.convolution.get(), plan.backward, run.workspace,
                                         plan.workspace, run.never(), plan.out.get(), y)
          : cudnnConvolutionForward(dnn, run.once(), plan.input.get(), x, plan.weight.get(), w,
                                    plan.convolution.get(), plan.forward, run.workspace,
                                    plan.workspace, run.never(), plan.out.get(), y);
  // What cuDNN proposes it may still not have; it has then not begun.
  bool refused = status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000;
  if (refused) plan.exists = false;
  if (!refused) check(status, "a convolution");
  return !refused;
}

bool run_dnn_convolution(const Call& call, const DnnConvolution& conv, const DnnEpilogue& e) {
  if (!is_moderate(conv)) return false;
  cudnnHandle_t dnn = dnn_of(call);
  Plan& plan = plan_of(dnn, call, conv);
  unsigned kind = 1u << (e.relu + 2 * e.residual.defined());
  if (!takes_epilogue(plan, conv, e) || (plan.refused_epilogues & kind) != 0) return false;
  if (!describe_bias(plan, e.bias, conv.out.dim())) return false;
  Execution run(call, plan, conv.input.dtype());
  std::byte* y = conv.out.device_address();
  const std::byte* added = e.residual ? e.residual.device_address() : y;
  cudnnStatus_t status = cudnnConvolutionBiasActivationForward(
      dnn, run.once(), plan.input.get(), conv.input.device_address(), plan.weight.get(),
      conv.weight.device_address(), plan.convolution.get(), plan.forward, run.workspace,
      plan.workspace, e.residual ? run.once() : run.never(), plan.out.get(), added, plan.bias.get(),
      e.bias.device_address(), activation(e.relu), plan.out.get(), y);
  bool refused = status / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000 ||
                 status / 1000 == CUDNN_STATUS_BAD_PARAM / 1000;
  if (refused) plan.refused_epilogues |= kind;
  if (!refused) check(status, "a convolution with its epilogue");
  return !refused;
}

}  // namespace assay::kernels::cuda
