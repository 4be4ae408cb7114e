// Fourier transforms by cuFFT.

#include "engine/kernels/cuda/fourier_lines.h"

#include <array>
#include <map>
#include <mutex>

#include "engine/kernels/cuda/libraries.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;
using ops::Call;

/// What a plan is made for: device, kind, rank, sizes (up to three), batch.
using Key = std::array<int64_t, 7>;

struct Plan {
  cufftHandle handle{};
  size_t workspace = 0;
};

cufftType type_of(Fourier kind, bool is_double) {
  switch (kind) {
    case Fourier::real_to_complex:
      return is_double ? CUFFT_D2Z : CUFFT_R2C;
    case Fourier::complex_to_real:
      return is_double ? CUFFT_Z2D : CUFFT_C2R;
    case Fourier::complex:
      break;
  }
  return is_double ? CUFFT_Z2Z : CUFFT_C2C;
}

Plan make_plan(const Key& key) {
  Plan plan;
  check(cufftCreate(&plan.handle), "a Fourier transform");
  // Its memory is borrowed for each call.
  check(cufftSetAutoAllocation(plan.handle, 0), "a Fourier transform");
  long long sizes[3] = {key[3], key[4], key[5]};
  check(cufftMakePlanMany64(plan.handle, static_cast<int>(key[2]), sizes, nullptr, 1, 0, nullptr, 1,
                            0, static_cast<cufftType>(key[1]), key[6], &plan.workspace),
        "a Fourier transform");
  return plan;
}

/// The plans of all threads, which take turns in handing work to their streams.
class Plans {
 public:
  template <typename Use>
  void with(const Key& key, Use&& use) {
    std::lock_guard lock(mutex_);
    auto at = plans_.find(key);
    if (at == plans_.end()) {
      if (plans_.size() >= most) drop_all();
      at = plans_.emplace(key, make_plan(key)).first;
    }
    use(at->second);
  }

 private:
  static constexpr size_t most = 256;

  void drop_all() {
    // Work that was handed over may still read their tables.
    check(cudaDeviceSynchronize(), "waiting for a device");
    for (auto& [key, plan] : plans_) cufftDestroy(plan.handle);
    plans_.clear();
  }

  std::mutex mutex_;
  std::map<Key, Plan> plans_;
};

Plans& plans() {
  // As the libraries' handles, they live as long as the process.
  static auto* all = new Plans;
  return *all;
}

void execute(cufftHandle plan, cufftType type, bool forward, const Tensor& from, const Tensor& to) {
  int direction = forward ? CUFFT_FORWARD : CUFFT_INVERSE;
  void* in = from.device_address();
  void* out = to.device_address();
  auto run = [&] {
    switch (type) {
      case CUFFT_C2C:
        return cufftExecC2C(plan, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out),
                            direction);
      case CUFFT_Z2Z:
        return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(in),
                            static_cast<cufftDoubleComplex*>(out), direction);
      case CUFFT_R2C:
        return cufftExecR2C(plan, static_cast<cufftReal*>(in), static_cast<cufftComplex*>(out));
      case CUFFT_D2Z:
        return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(in),
                            static_cast<cufftDoubleComplex*>(out));
      case CUFFT_C2R:
        return cufftExecC2R(plan, static_cast<cufftComplex*>(in), static_cast<cufftReal*>(out));
      default:
        return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(in),
                            static_cast<cufftDoubleReal*>(out));
    }
  };
  check(run(), "a Fourier transform");
}

bool is_double(core::DType dtype) {
  return dtype == core::DType::float64 || dtype == core::DType::complex128;
}

}  // namespace

void run_fourier(const Call& call, Fourier kind, bool forward, const Tensor& from, const Tensor& to,
                 size_t rank) {
  Queue queue = queue_of(call);
  cufftType type = type_of(kind, is_double(from.dtype()));
  const Tensor& whole = kind == Fourier::complex_to_real ? to : from;
  Key key{call.device().index, type, static_cast<int64_t>(rank), 1, 1, 1, whole.numel()};
  for (size_t d = 0; d < rank; ++d) {
    key[3 + d] = whole.size(whole.sizes().size() - rank + d);
    key[6] /= key[3 + d];
  }
  plans().with(key, [&](Plan& plan) {
    check(cufftSetStream(plan.handle, queue.stream), "choosing a stream");
    Tensor room = scratch(call, static_cast<int64_t>(std::max<size_t>(plan.workspace, 1)));
    check(cufftSetWorkArea(plan.handle, room.device_address()), "a Fourier transform");
    execute(plan.handle, type, forward, from, to);
  });
}

}  // namespace assay::kernels::cuda
