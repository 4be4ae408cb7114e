#include "engine/kernels/cpu/onednn.h"

#include <omp.h>

#include <array>
#include <cstdlib>
#include <vector>

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
  if (!t || t.dtype() != core::DType::float32 || t.numel() == 0) return false;
  for (size_t i = 0; i < t.sizes().size(); ++i) {
    if (t.size(i) > 1 && t.stride(i) <= 0) return false;
  }
  return true;
}

namespace {

struct Buffer {
  void* data = nullptr;
  size_t bytes = 0;
  ~Buffer() { std::free(data); }
};

}  // namespace

void* scratch(size_t slot, size_t bytes) {
  thread_local std::array<Buffer, slots> buffers;
  Buffer& b = buffers[slot];
  if (bytes > b.bytes) {
    std::free(b.data);
    b.bytes = (bytes + 4095) / 4096 * 4096;
    b.data = std::aligned_alloc(64, b.bytes);
    if (b.data == nullptr) {
      b.bytes = 0;
      base::fail("not enough memory: a kernel needs ", bytes, " bytes of scratch memory");
    }
  }
  return b.data;
}

void reorder(const memory& from, const memory& to) {
  dnnl::reorder(from, to).execute(stream(), const_cast<memory&>(from), const_cast<memory&>(to));
}

memory in_layout(const core::Tensor& t, const memory::desc& own, const memory::desc& wanted,
                 Slot slot) {
  if (own == wanted) return wrap(own, t.data<float>());
  memory copy = wrap(wanted, scratch(slot, wanted.get_size()));
  reorder(wrap(own, t.data<float>()), copy);
  return copy;
}

namespace {

/// Packed copies kept with one storage, valid for one version of its bytes.
struct PackedCopies {
  struct Copy {
    const void* data;
    const void* factors;  ///< Null for an unscaled copy.
    memory::desc own, wanted;
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
    double factor = scale.data<double>()[row * scale.stride(0)];
    scale_row(t.data<float>() + row * each, factor, each, to + row * each);
  }
}

/// The tensor's elements, scaled if there is a scale, in the wanted layout.
memory pack(const core::Tensor& t, const core::Tensor& scale, const memory::desc& own,
            const memory::desc& wanted) {
  memory made(wanted, engine());
  if (!scale) {
    reorder(wrap(own, t.data<float>()), made);
  } else if (own == wanted) {
    scale_rows(t, scale, static_cast<float*>(made.get_data_handle()));
  } else {
    core::Tensor rows = core::Tensor::empty(t.sizes(), core::DType::float32);
    scale_rows(t, scale, rows.data<float>());
    reorder(wrap(own, rows.data<float>()), made);
  }
  return made;
}

}  // namespace

memory packed(const core::Tensor& t, const core::Tensor& scale, const memory::desc& own,
              const memory::desc& wanted) {
  if (!scale && own == wanted) return wrap(own, t.data<float>());
  auto& kept = PackedCopies::of(*(scale ? scale : t).storage());
  const void* factors = scale ? scale.raw_data() : nullptr;
  for (const auto& copy : kept.copies) {
    bool same = copy.data == t.raw_data() && copy.factors == factors;
    if (same && copy.wanted == wanted && copy.own == own) return copy.packed;
  }
  memory made = pack(t, scale, own, wanted);
  PackedCopies::Copy copy{t.raw_data(), factors, own, wanted, made, {}, 0};
  if (scale) {
    copy.scaled = t.storage();
    copy.version = t.storage()->version();
  }
  kept.copies.push_back(std::move(copy));
  auto elements = static_cast<size_t>(core::extent(t.sizes(), t.strides()).high);
  core::release_file_pages(t.raw_data(), elements * sizeof(float));
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
  primitive.execute(stream(), arguments);
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
