#pragma once

#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {

/// out = beta self + alpha out. An undefined self counts as zeros; smaller ones are broadcast.
void add_scaled(ops::Call& call, const core::Tensor& out, const core::Tensor& self,
                const core::Scalar& beta, const core::Scalar& alpha);

/// The sum of the products of two vectors' elements, of the first one's conjugates if asked for.
void inner_product(const ops::Call& call, const core::Tensor& a, const core::Tensor& b,
                   bool conjugates, const core::Tensor& out);

/// out = left right, of matrices or batches of them that are broadcast, of any elements: element by
/// element, for those that libraries do not multiply.
void multiply_by_elements(const ops::Call& call, const core::Tensor& left,
                          const core::Tensor& right, const core::Tensor& out);

/// Writes addresses of matrices into the device's memory: for each operand in turn those of the
/// `count` matrices of a batch, in the order of a Layout of the operands' batch dimensions. The
/// operands have these sizes or are broadcast to them, and begin at their first matrices.
core::Tensor addresses_of(const ops::Call& call, core::DimSpan batch, const core::Tensor& first,
                          const core::Tensor& second, const core::Tensor& out);

}  // namespace assay::kernels::cuda
