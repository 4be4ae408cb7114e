#pragma once

#include "engine/core/tensor.h"
#include "engine/core/value.h"
#include "engine/python/bind/python.h"

namespace assay::python {

/// What a tracer wants to know and answer when Python code looks at a tensor other than by an
/// operator. Null results mean that a Python error is set; Raised may be thrown, too.
class TraceHooks {
 public:
  virtual ~TraceHooks() = default;

  /// x.shape and x.size(): a new torch.Size.
  virtual PyObject* sizes(const core::Tensor& x) = 0;
  /// x.size(dim), with the dimension counted from the front.
  virtual PyObject* size(const core::Tensor& x, int64_t dim) = 0;
  /// x.numel()
  virtual PyObject* numel(const core::Tensor& x) = 0;

  /// How a value leaves the graph.
  enum class Exit : uint8_t { boolean, integer, floating, complex, index, item, length };
  /// int(x), bool(x), x.item(), len(x) and the like are about to give `value`, an object of
  /// Python's own: what they shall give instead, a new reference.
  virtual PyObject* leaves(const core::Tensor& x, Exit exit, PyObject* value) = 0;

  /// A program iterates over x.
  virtual void iterates(const core::Tensor& x) = 0;

  /// A 0-dimensional tensor where an operator takes a number: the number, which may have an
  /// identity.
  virtual core::Value number(const core::Tensor& x, const core::Value& value) = 0;
  /// An object of a subclass of int or float where an operator takes a number.
  virtual core::Value number(PyObject* object, const core::Value& value) = 0;
  /// A number becomes a tensor, since a call takes tensors.
  virtual void wrapped(const core::Tensor& tensor, const core::Value& number) = 0;

  /// What a function of Python's own gives for numbers that remember where they came from, or a
  /// conversion for a tensor: what it shall give instead, a new reference.
  virtual PyObject* computed(const char* function, PyObject* const* arguments, size_t count,
                             PyObject* value) = 0;
  /// A new tensor is the same value as another.
  virtual void stands_for(const core::Tensor& made, const core::Tensor& of) = 0;
  /// A program looks at what a tensor is, rather than at its elements: at `x.dtype`, `x.dim()`.
  virtual void looks(const core::Tensor& x, const char* what, PyObject* answer) = 0;
};

/// Null while nothing is traced.
inline TraceHooks* trace_hooks = nullptr;

/// Above 0 while an operator of Python's runs that PyTorch has written in Python: a tracer then
/// names no values after the caller's variables, which it would not see there.
inline int inside_torch = 0;
/// What such an operator's own variable `other` holds, or null: that name it sees.
inline PyObject* other_inside_torch = nullptr;
struct InsideTorch {
  explicit InsideTorch(PyObject* other = nullptr) {
    ++inside_torch;
    other_inside_torch = other;
  }
  ~InsideTorch() {
    --inside_torch;
    other_inside_torch = nullptr;
  }
  InsideTorch(const InsideTorch&) = delete;
  InsideTorch& operator=(const InsideTorch&) = delete;
};

}  // namespace assay::python
