#pragma once

#include "engine/ops/dispatch.h"

namespace assay::ops::composite {

/// Writes formulas over tensors as calls of operators: `f.mul(f.sub(a, b), 2.0)`. Operands are
/// tensors or, where a second one is taken, numbers.
class Algebra {
 public:
  explicit Algebra(const Call& call) : call_(call) {}

  core::Tensor add(const core::Value& a, const core::Value& b) const { return two("add", a, b); }
  core::Tensor sub(const core::Value& a, const core::Value& b) const { return two("sub", a, b); }
  core::Tensor mul(const core::Value& a, const core::Value& b) const { return two("mul", a, b); }
  core::Tensor div(const core::Value& a, const core::Value& b) const { return two("div", a, b); }
  core::Tensor pow(const core::Value& a, double exponent) const {
    return call_.call_tensor("aten::pow.Tensor_Scalar", {a, core::Value(exponent)});
  }
  core::Tensor lt(const core::Value& a, const core::Value& b) const { return two("lt", a, b); }
  core::Tensor le(const core::Value& a, const core::Value& b) const { return two("le", a, b); }
  core::Tensor eq(const core::Value& a, const core::Value& b) const { return two("eq", a, b); }
  core::Tensor ne(const core::Value& a, const core::Value& b) const { return two("ne", a, b); }
  core::Tensor gt(const core::Value& a, const core::Value& b) const { return two("gt", a, b); }

  /// An operator of one tensor: "exp", "neg".
  core::Tensor one(const char* name, const core::Value& a) const {
    return call_.call_tensor(std::string("aten::") + name, {a});
  }
  core::Tensor neg(const core::Value& a) const { return one("neg", a); }
  core::Tensor clamp_min(const core::Value& a, double low) const {
    return call_.call_tensor("aten::clamp_min", {a, core::Value(low)});
  }
  core::Tensor where(const core::Value& condition, const core::Value& a,
                     const core::Value& b) const {
    return call_.call_tensor("aten::where.self", {condition, a, b});
  }
  core::Tensor sum(const core::Value& a) const { return one("sum", a); }
  core::Tensor mean(const core::Value& a) const { return one("mean", a); }
  core::Tensor sum(const core::Value& a, int64_t dim, bool keepdim = false) const {
    int64_t dims[] = {dim};
    return call_.call_tensor("aten::sum.dim_IntList",
                             {a, core::Value(core::make_int_list(dims)), core::Value(keepdim)});
  }
  /// A tensor of the same shape, layout and type, filled with the number.
  core::Tensor like(const core::Value& a, double number) const {
    return call_.call_tensor("aten::full_like", {a, core::Value(number)});
  }
  core::Tensor slice(const core::Value& a, int64_t dim, int64_t start, int64_t end) const {
    return call_.call_tensor("aten::slice.Tensor", {a, core::Value(dim), core::Value(start),
                                                    core::Value(end), core::Value(1)});
  }

  const Call& call() const { return call_; }

 private:
  core::Tensor two(const char* name, const core::Value& a, const core::Value& b) const {
    return call_.call_tensor(
        std::string("aten::").append(name) + (b.is_tensor() ? ".Tensor" : ".Scalar"), {a, b});
  }

  const Call& call_;
};

}  // namespace assay::ops::composite
