#include "engine/kernels/cpu/onednn.h"

#include <omp.h>

#include <array>
#include <cfenv>
#include <vector>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/core/file_pages.h"
#include "engine/kernels/cpu/vectorized.h"

namespace assay::kernels::cpu::onednn {

const dnnl::engine& engine() {
  static const dnnl::engine instance(dnnl::engine::kind::cpu, 0);
  return instance;
}

dnnl::stream& stream() {
  thread_local dnnl::stream instance(engine());
  return instance;
}

int threads() { return omp_get_max_threads(); }

memory::dims dims_of(core::DimSpan list) { return memory::dims(list.begin(), list.end()); }

memory::desc desc_of(core::DimSpan sizes, core::DimSpan strides) {
  memory::dims steps = dims_of(strides);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 1) continue;
    // A dimension of size 1 takes the step of one that would enclose all faster ones.
    int64_t step = 1;
    for (size_t j = i + 1; j < sizes.size(); ++j) {
      step = std::max(step, sizes[j] == 1 ? 1 : strides[j] * sizes[j]);
    }
    steps[i] = step;
  }
  return memory::desc(dims_of(sizes), memory::data_type::f32, steps);
}

memory::desc desc_of(const core::Tensor& t) { return desc_of(t.sizes(), t.strides()); }

memory::desc any_layout(core::DimSpan sizes) {
  return memory::desc(dims_of(sizes), memory::data_type::f32, memory::format_tag::any);
}

memory wrap(const memory::desc& desc, const void* data) {
  return memory(desc, engine(), const_cast<void*>(data));
}

bool readable(const core::Tensor& t) {
  return t && t.dtype() == core::DType::float32 && t.numel() > 0 &&
         !core::overlaps_itself(t.sizes(), t.strides());
}

void* scratch(size_t slot, size_t bytes) {
  // Storages, so that limits on memory hold for kernels, too.
  thread_local std::array<core::StorageRef, slots> buffers;
  core::StorageRef& buffer = buffers[slot];
  if (!buffer || bytes > buffer->nbytes()) {
    buffer = {};
    buffer = core::Storage::allocate((bytes + 4095) / 4096 * 4096, {});
  }
  return buffer->data();
}

namespace {

/// What oneDNN raises becomes an error of assay's.
template <typename Work>
void guarded(Work&& work) {
  try {
    work();
  } catch (const dnnl::error& e) {
    if (e.status == dnnl_out_of_memory) {
      base::fail_for_want_of(base::Resource::memory, "not enough memory for a kernel of oneDNN");
    }
    base::unsupported("oneDNN: ", e.what());
  }
}

}  // namespace

void reorder(const memory& from, const memory& to, const dnnl::reorder& copy) {
  guarded([&] { copy.execute(stream(), const_cast<memory&>(from), const_cast<memory&>(to)); });
}

void reorder(const memory& from, const memory& to) {
  guarded([&] { reorder(from, to, dnnl::reorder(from, to)); });
}

dnnl::reorder copy_between(const memory::desc& from, const memory::desc& to) {
  if (from == to) return {};
  return dnnl::reorder(dnnl::reorder::primitive_desc(engine(), from, engine(), to));
}

memory in_layout(const core::Tensor& t, const memory::desc& own, const memory::desc& wanted,
                 const dnnl::reorder& copy, Slot slot) {
  if (!copy) return wrap(own, t.device_data<float>());
  memory made = wrap(wanted, scratch(slot, wanted.get_size()));
  reorder(wrap(own, t.device_data<float>()), made, copy);
  return made;
}

memory in_layout(const core::Tensor& t, const memory::desc& own, const memory::desc& wanted,
                 Slot slot) {
  dnnl::reorder copy;
  guarded([&] { copy = copy_between(own, wanted); });
  return in_layout(t, own, wanted, copy, slot);
}

namespace {

/// Packed copies kept with one storage, valid for one version of its bytes.
struct PackedCopies {
  struct Copy {
    const void* data;
    const void* factors;  ///< Null for an unscaled copy.
    memory::desc own, wanted;
    core::StorageRef bytes;  ///< Of `packed`.
    memory packed;
    core::StorageRef scaled;  ///< What the scaled elements lie in; null for an unscaled copy.
    uint64_t version = 0;     ///< Of `scaled`.
  };
  uint64_t version = 0;
  std::vector<Copy> copies;

  /// Those kept with the storage, without what has become stale.
  static PackedCopies& of(core::Storage& storage) {
    if (!storage.derived()) storage.derived() = std::make_shared<PackedCopies>();
    auto& kept = *static_cast<PackedCopies*>(storage.derived().get());
    std::erase_if(kept.copies, [&](const Copy& copy) {
      return kept.version != storage.version() ||
             (copy.scaled && copy.scaled->version() != copy.version);
    });
    kept.version = storage.version();
    return kept;
  }
};

ASSAY_VECTORIZED void scale_row(const float* from, double factor, int64_t count, float* to) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i] * factor);
}

void scale_rows(const core::Tensor& t, const core::Tensor& scale, float* to) {
  int64_t rows = t.size(0), each = t.numel() / rows;
  for (int64_t row = 0; row < rows; ++row) {
    double factor = scale.device_data<double>()[row * scale.stride(0)];
    scale_row(t.device_data<float>() + row * each, factor, each, to + row * each);
  }
}

/// The tensor's elements, scaled if there is a scale, in the wanted layout.
void pack(const core::Tensor& t, const core::Tensor& scale, const memory::desc& own,
          const memory::desc& wanted, const memory& made) {
  if (!scale) {
    reorder(wrap(own, t.device_data<float>()), made);
  } else if (own == wanted) {
    scale_rows(t, scale, static_cast<float*>(made.get_data_handle()));
  } else {
    core::Tensor rows = core::Tensor::empty(t.sizes(), core::DType::float32);
    scale_rows(t, scale, rows.device_data<float>());
    reorder(wrap(own, rows.device_data<float>()), made);
  }
}

}  // namespace

memory packed(const core::Tensor& t, const core::Tensor& scale, const memory::desc& own,
              const memory::desc& wanted) {
  if (!scale && own == wanted) return wrap(own, t.device_data<float>());
  auto& kept = PackedCopies::of(*(scale ? scale : t).storage());
  const void* factors = scale ? scale.device_address() : nullptr;
  for (const auto& copy : kept.copies) {
    bool same = copy.data == t.device_address() && copy.factors == factors;
    if (!same || copy.wanted != wanted || copy.own != own) continue;
    bool exposed = t.storage()->exposed() || (scale && scale.storage()->exposed());
    if (exposed) pack(t, scale, own, wanted, copy.packed);
    return copy.packed;
  }
  core::StorageRef bytes = core::Storage::allocate(wanted.get_size(), {});
  memory made = wrap(wanted, bytes->data());
  pack(t, scale, own, wanted, made);
  PackedCopies::Copy copy{t.device_address(), factors, own, wanted, bytes, made, {}, 0};
  if (scale) {
    copy.scaled = t.storage();
    copy.version = t.storage()->version();
  }
  kept.copies.push_back(std::move(copy));
  auto elements = static_cast<size_t>(core::extent(t.sizes(), t.strides()).high);
  core::release_file_pages(t.device_address(), elements * sizeof(float));
  return made;
}

dnnl::primitive_attr attributes() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

void run(const dnnl::primitive& primitive, const memory::desc& scratchpad,
         std::unordered_map<int, memory> arguments) {
  if (size_t bytes = scratchpad.get_size()) {
    arguments[DNNL_ARG_SCRATCHPAD] = wrap(scratchpad, scratch(for_primitive, bytes));
  }
  guarded([&] { primitive.execute(stream(), arguments); });
}

void check_time_for_products(double count) {
  constexpr double per_second = 1e10;  // Of one core.
  if (count > 1e8) base::check_time_for(count, per_second * threads());
}

bool meets_invalid_operation(const std::function<void()>& work) {
  // The flags are each thread's own; oneDNN runs on the threads of such regions.
#pragma omp parallel
  std::feclearexcept(FE_INVALID);
  work();
  int raised = 0;
#pragma omp parallel reduction(| : raised)
  raised |= std::fetestexcept(FE_INVALID);
  return raised != 0;
}

void append(Key& key, core::DimSpan list) {
  key.push_back(static_cast<int64_t>(list.size()));
  for (int64_t v : list) key.push_back(v);
}

void append(Key& key, const core::Tensor& t) {
  append(key, t.sizes());
  append(key, t.strides());
}

}  // namespace assay::kernels::cpu::onednn
