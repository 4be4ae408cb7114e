#include "engine/optimize/fuse_convolution.h"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "engine/core/backends.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/ir/constant.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"
#include "engine/ops/infer/convolution.h"

namespace assay::optimize {

using ir::constant_value;
using ir::Graph;
using ir::Node;
using ir::Value;

namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;

/// Whether the fused kernels of the device take the type.
bool is_fusable(DType dtype, core::Device device) {
  if (device.type == core::DeviceType::cpu) return dtype == DType::float32;
  return core::is_floating(dtype) && core::backend_of(device).can_record();
}

/// A tensor held by a constant, of a type that can be fused; undefined for None; nothing for
/// anything else.
std::optional<Tensor> constant_tensor(const Value* value) {
  auto held = constant_value(value);
  if (!held) return std::nullopt;
  if (held->is_none()) return Tensor();
  if (!held->is_tensor()) return std::nullopt;
  Tensor t = held->to_tensor();
  if (!is_fusable(t.dtype(), t.device())) return std::nullopt;
  return t;
}

std::vector<double> numbers_of(const Tensor& t) {
  std::vector<double> out;
  for (const core::Scalar& element : core::elements(t)) out.push_back(element.to_double());
  return out;
}

Tensor on_device(const Tensor& t, core::Device device) {
  if (t.device() == device) return t;
  return Tensor::view_of(core::copy_to_device(t.storage(), device), 0, t.sizes(), t.strides(),
                         t.dtype());
}

/// The numbers as a tensor of a type on a device.
Tensor vector_of(const std::vector<double>& values, DType dtype, core::Device device) {
  std::vector<core::Scalar> items(values.begin(), values.end());
  core::Dims sizes{static_cast<int64_t>(values.size())};
  return on_device(core::tensor_from(items, sizes, dtype), device);
}

template <typename T>
void scale_filters(const Tensor& from, const Tensor& to, const std::vector<double>& factors) {
  auto length = static_cast<size_t>(from.numel()) / factors.size();
  const T* in = from.device_data<T>();
  T* out = to.device_data<T>();
  for (size_t filter = 0; filter < factors.size(); ++filter) {
    for (size_t i = filter * length; i < (filter + 1) * length; ++i)
      out[i] = static_cast<T>(static_cast<float>(static_cast<double>(in[i]) * factors[filter]));
  }
}

/// A weight, row-major, with each filter multiplied by its factor; nothing for types that are
/// rarely convolved.
std::optional<Tensor> scaled(const Tensor& weight, const std::vector<double>& factors) {
  Tensor from = core::to_host(weight), to = Tensor::empty(weight.sizes(), weight.dtype());
  switch (weight.dtype()) {
    case DType::float32:
      scale_filters<float>(from, to, factors);
      break;
    case DType::float16:
      scale_filters<core::Half>(from, to, factors);
      break;
    case DType::bfloat16:
      scale_filters<core::BFloat16>(from, to, factors);
      break;
    default:
      return std::nullopt;
  }
  return on_device(to, weight.device());
}

/// y = x * scale + shift, per channel.
struct Affine {
  std::vector<double> scale, shift;
};

const base::Symbol& batch_norm() {
  static const base::Symbol kind("aten::batch_norm");
  return kind;
}

/// What a batch normalization with constant statistics does.
std::optional<Affine> affine_of(const Node* norm) {
  if (!norm->op()) return std::nullopt;
  auto training = constant_value(norm->input(arg::training)),
       eps = constant_value(norm->input(arg::eps));
  if (!training || !training->is_bool() || training->to_bool() || !eps || !eps->is_number()) {
    return std::nullopt;
  }
  std::optional<Tensor> parts[4];
  size_t channels = 0;
  constexpr ops::ArgName names[] = {arg::weight, arg::bias, arg::running_mean, arg::running_var};
  for (size_t i = 0; i < 4; ++i) {
    parts[i] = constant_tensor(norm->input(names[i]));
    if (!parts[i] || (*parts[i] && (*parts[i]).dim() != 1)) return std::nullopt;
    if (*parts[i]) channels = static_cast<size_t>((*parts[i]).size(0));
  }
  if (!*parts[2] || !*parts[3]) return std::nullopt;
  for (const auto& part : parts) {
    if (*part && static_cast<size_t>(part->size(0)) != channels) return std::nullopt;
  }
  auto mean = numbers_of(*parts[2]), variance = numbers_of(*parts[3]);
  auto weight = *parts[0] ? numbers_of(*parts[0]) : std::vector<double>(channels, 1);
  auto bias = *parts[1] ? numbers_of(*parts[1]) : std::vector<double>(channels, 0);
  Affine a;
  for (size_t i = 0; i < channels; ++i) {
    a.scale.push_back(weight[i] / std::sqrt(variance[i] + eps->to_scalar().to_double()));
    a.shift.push_back(bias[i] - mean[i] * a.scale[i]);
  }
  return a;
}

/// The arguments of a convolution node that can be fused.
struct Fusable {
  Node* node;
  Value *input, *weight, *bias, *stride, *padding, *dilation, *groups;
  Value* scale = nullptr;  ///< Of a normalization folded in.
};

bool is_false(const Value* value) {
  auto held = constant_value(value);
  return held && held->is_bool() && !held->to_bool();
}

std::optional<Fusable> fusable(Node* n) {
  const ops::Operator* op = n->op();
  if (!op || !op->has(arg::input)) return std::nullopt;
  bool named = &op->rule() == &ops::infer::convolution;
  if (!named && &op->rule() != &ops::infer::convolution_of_batches) return std::nullopt;
  bool general = op->has(arg::transposed);
  bool backwards = general ? !is_false(n->input(arg::transposed)) : op->has(arg::output_padding);
  bool by_name = !n->input(arg::padding)->type()->is(core::TypeKind::list);
  if (backwards || by_name) return std::nullopt;
  auto weight = constant_tensor(n->input(arg::weight)), bias = constant_tensor(n->input(arg::bias));
  if (!weight || !*weight || !bias || !weight->is_contiguous()) return std::nullopt;
  // One image without a batch stays as it is.
  if (!general && weight->dim() != 4) return std::nullopt;
  return Fusable{n,
                 n->input(arg::input),
                 n->input(arg::weight),
                 n->input(arg::bias),
                 n->input(arg::stride),
                 n->input(arg::padding),
                 n->input(arg::dilation),
                 n->input(arg::groups)};
}

/// The one reader of a node's output, if it has but one and that lies in the same block.
Node* only_reader(const Node* node) {
  const auto& uses = node->output()->uses();
  if (uses.size() != 1) return nullptr;
  Node* user = uses[0].user;
  return user->owner() == node->owner() && !user->is_sentinel() ? user : nullptr;
}

struct Bounds {
  std::optional<double> low, high;
};

/// The bounds of an operator that clamps to constants.
std::optional<Bounds> clamp_of(const Node* node) {
  if (!node->op()) return std::nullopt;
  const std::string& name = node->op()->qualified_name;
  if (name == "aten::relu") return Bounds{0.0, std::nullopt};
  if (name == "aten::relu6") return Bounds{0.0, 6.0};
  if (name != "aten::hardtanh" && name != "aten::clamp") return std::nullopt;
  bool clamp = name == "aten::clamp";
  Bounds b;
  auto read = [&](ops::ArgName argument, std::optional<double>& side) {
    auto bound = constant_value(node->input(argument));
    if (bound && bound->is_none()) return true;
    if (!bound || !bound->is_number() || bound->is_complex()) return false;
    if (std::isnan(bound->to_scalar().to_double())) return false;  // Everything becomes NaN.
    side = bound->to_scalar().to_double();
    return true;
  };
  bool known =
      read(clamp ? arg::min : arg::min_val, b.low) && read(clamp ? arg::max : arg::max_val, b.high);
  return known ? std::optional(b) : std::nullopt;
}

/// What is added to a convolution.
struct Residual {
  Value* value = nullptr;  ///< Null: nothing.
  bool first = false;  ///< Whether the convolution is added to it, whose layout the sum has then.
};

class Fuser {
 public:
  explicit Fuser(Graph& graph) : graph_(graph) {}

  void run() {
    // Fusing erases what follows a convolution, but no other convolution.
    std::vector<Node*> convolutions;
    for (Node* node : *graph_.block()) {
      if (fusable(node)) convolutions.push_back(node);
    }
    for (Node* node : convolutions) fuse(*fusable(node));
    for (Node* node : graph_.find_all(batch_norm())) scale(node);
  }

 private:
  Value* constant(const core::Value& value, Node* before) {
    return graph_.create_constant(value)->insert_before(before)->output();
  }
  Value* bound(std::optional<double> value, Node* before) {
    return constant(value ? core::Value(*value) : core::Value(), before);
  }

  /// Folds a normalization behind the convolution into its scale and bias. On the CPU the weight
  /// stays as it is: whoever packs it scales it, so that no scaled copy is needed besides the
  /// packed one. Other devices pack nothing.
  void fold(Fusable& conv) {
    Node* norm = only_reader(conv.node);
    if (!norm || !norm->op() || !norm->is(batch_norm()) ||
        norm->input(arg::input) != conv.node->output())
      return;
    auto affine = affine_of(norm);
    Tensor weight = *constant_tensor(conv.weight), bias = *constant_tensor(conv.bias);
    auto outs = static_cast<size_t>(weight.size(0));
    if (!affine || affine->scale.size() != outs) return;
    if (bias) {
      auto old = numbers_of(bias);
      for (size_t i = 0; i < outs; ++i) affine->shift[i] += old[i] * affine->scale[i];
    }
    if (weight.device().type == core::DeviceType::cpu) {
      conv.scale = constant(vector_of(affine->scale, DType::float64, weight.device()), conv.node);
    } else {
      auto folded = scaled(weight, affine->scale);
      if (!folded) return;
      conv.weight = constant(*folded, conv.node);
    }
    conv.bias = constant(vector_of(affine->shift, weight.dtype(), weight.device()), conv.node);
    norm->output()->replace_all_uses(conv.node->output());
    norm->erase();
  }

  /// What is added to the convolution, if its only reader adds.
  static Value* residual_of(const Fusable& conv, const Node* reader) {
    if (!reader || !reader->op() || reader->op()->qualified_name != "aten::add.Tensor") {
      return nullptr;
    }
    auto alpha = constant_value(reader->input(arg::alpha));
    if (!alpha || !alpha->is_number() || alpha->to_scalar().to_double() != 1) return nullptr;
    Value* own = conv.node->output();
    Value *one = reader->input(arg::self), *two = reader->input(arg::other);
    if (one == two) return nullptr;
    Value* other = one == own ? two : one;
    bool tensor = other->type()->is(core::TypeKind::tensor) && !constant_value(other);
    return tensor ? other : nullptr;
  }

  /// Whether the other summand is a convolution that lies later and can take this one up instead.
  static bool comes_later(const Value* other, const Fusable& conv) {
    Node* maker = other->node();
    return maker->owner() == conv.node->owner() && !maker->is_sentinel() &&
           conv.node->is_before(maker) && fusable(maker).has_value();
  }

  void fuse(Fusable conv) {
    fold(conv);
    std::vector<Node*> chain{conv.node};
    Node* reader = only_reader(conv.node);
    Value* residual = residual_of(conv, reader);
    if (residual && comes_later(residual, conv)) residual = nullptr;
    if (residual) {
      chain.push_back(reader);
      reader = only_reader(reader);
    }
    auto bounds = reader ? clamp_of(reader) : std::nullopt;
    if (bounds) chain.push_back(reader);
    bool first = residual && chain[1]->input(arg::self) == residual;
    replace(conv, {residual, first}, bounds.value_or(Bounds{}), chain);
  }

  /// Puts one node where the chain's last one is: everything that it reads is known there.
  void replace(const Fusable& conv, Residual residual, const Bounds& bounds,
               const std::vector<Node*>& chain) {
    static const ops::Operator& op = ops::get_operator("assay::convolution");
    Node* last = chain.back();
    if (!residual.value) residual.value = constant(core::Value(), last);
    std::vector<Value*> inputs{conv.input,
                               conv.weight,
                               conv.bias,
                               residual.value,
                               conv.stride,
                               conv.padding,
                               conv.dilation,
                               conv.groups,
                               bound(bounds.low, last),
                               bound(bounds.high, last),
                               constant(false, last),
                               conv.scale ? conv.scale : constant(core::Value(), last),
                               constant(residual.first, last)};
    Node* fused = graph_.create(op.symbol, inputs, 1);
    fused->set_op(&op)->set_range(conv.node->range())->set_scope(conv.node->scope());
    fused->insert_before(last);
    last->output()->replace_all_uses(fused->output());
    for (auto node = chain.rbegin(); node != chain.rend(); ++node) (*node)->erase();
  }

  /// A normalization that stands alone.
  void scale(Node* norm) {
    auto affine = affine_of(norm);
    if (!affine) return;
    static const ops::Operator& op = ops::get_operator("assay::scale_channels");
    Node* reader = only_reader(norm);
    auto bounds = reader ? clamp_of(reader) : std::nullopt;
    Bounds b = bounds.value_or(Bounds{});
    Tensor mean = *constant_tensor(norm->input(arg::running_mean));
    auto vector = [&](const std::vector<double>& values) {
      return constant(vector_of(values, mean.dtype(), mean.device()), norm);
    };
    std::vector<Value*> inputs{norm->input(arg::input), vector(affine->scale),
                               vector(affine->shift), bound(b.low, norm), bound(b.high, norm)};
    Node* made = graph_.create(op.symbol, inputs, 1);
    made->set_op(&op)->set_range(norm->range())->set_scope(norm->scope());
    made->insert_before(norm);
    (bounds ? reader : norm)->output()->replace_all_uses(made->output());
    if (bounds) reader->erase();
    norm->erase();
  }

  Graph& graph_;
};

}  // namespace

void fuse_convolutions(Graph& graph) { Fuser(graph).run(); }

}  // namespace assay::optimize
