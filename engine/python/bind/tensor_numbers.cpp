// Python's operators on tensors, and tensors as Python's numbers.
#include <algorithm>
#include <array>
#include <string>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/operator.h"
#include "engine/python/bind/tensor_leaves.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {
namespace {

/// An operator's name as a template argument.
template <size_t size>
struct Name {
  char text[size];
  constexpr Name(const char (&characters)[size]) {  // NOLINT: a literal is a name.
    std::copy_n(characters, size, text);
  }
};

/// The callable of a name, made at the first use.
template <Name name>
PyObject* method() {
  static PyObject* const made = make_operator(name.text, true);
  return made;
}
template <Name name>
PyObject* function() {
  static PyObject* const made = make_operator(name.text, false);
  return made;
}

PyObject* decline() { Py_RETURN_NOTIMPLEMENTED; }

/// a NAME b where `a` is a tensor; else REFLECTED(a, b), a function that takes other objects, too.
template <Name name, Name reflected>
PyObject* binary(PyObject* a, PyObject* b) {
  if (is_tensor(a)) return call_or_decline(method<name>(), std::array{a, b});
  InsideTorch inside;
  return call_or_decline(function<reflected>(), std::array{a, b});
}

/// a NAME b, where either order means the same to NAME.
template <Name name>
PyObject* commuting(PyObject* a, PyObject* b) {
  return is_tensor(a) ? call_or_decline(method<name>(), std::array{a, b})
                      : call_or_decline(method<name>(), std::array{b, a});
}

PyObject* subtract(PyObject* a, PyObject* b) {
  if (is_tensor(a)) return call_or_decline(method<"sub">(), std::array{a, b});
  InsideTorch inside;
  return call_or_decline(function<"rsub">(), std::array{b, a});
}

/// number / tensor is its reciprocal times the number, in Python's own sense: an array of NumPy's,
/// which no operator takes, knows how to be multiplied.
PyObject* divide(PyObject* a, PyObject* b) {
  if (is_tensor(a)) return call_or_decline(method<"div">(), std::array{a, b});
  InsideTorch inside;
  PyObject* inverse = call_or_decline(method<"reciprocal">(), std::array{b});
  if (!inverse || inverse == Py_NotImplemented) return inverse;
  Owned kept(inverse);
  return PyNumber_Multiply(inverse, a);
}

PyObject* divide_to_floor(PyObject* a, PyObject* b) {
  bool both = is_tensor(a) && is_tensor(b) && a != b;
  InsideTorch inside(both ? b : nullptr);
  PyObject* callable = is_tensor(a) ? method<"floor_divide">() : function<"floor_divide">();
  return call_or_decline(callable, std::array{a, b});
}

/// number ** tensor: the number becomes a tensor of the result's type first, as torch.tensor makes
/// one, all of which a trace shows.
PyObject* power(PyObject* a, PyObject* b, PyObject*) {
  InsideTorch inside;
  if (is_tensor(a)) return call_or_decline(method<"pow">(), std::array{a, b});
  return guarded([&] {
    auto number = number_from(a);
    if (!number) return decline();
    const core::Tensor& exponent = tensor_of(b);
    int64_t common =
        ops::call(context(), "aten::result_type.Scalar_Tensor", {*number, exponent}).to_int();
    core::DType dtype = *core::dtype_from_number(common);
    core::Tensor base_tensor = core::tensor_from({number->to_scalar()}, {}, dtype);
    if (trace_hooks || !(exponent.device() == base_tensor.device())) {
      base_tensor = ops::relocate(context(), base_tensor, exponent.device(), dtype);
    }
    if (trace_hooks) {
      base_tensor = ops::call(context(), "aten::detach", {base_tensor}).to_tensor();
    }
    Owned wrapped = checked(wrap(base_tensor));
    return call_or_decline(method<"pow">(), std::array{wrapped.get(), b});
  });
}

template <Name name>
PyObject* unary(PyObject* a) {
  return call_or_decline(method<name>(), std::array{a});
}

template <Name name>
PyObject* in_place(PyObject* a, PyObject* b) {
  return call_or_decline(method<name>(), std::array{a, b});
}

PyObject* power_in_place(PyObject* a, PyObject* b, PyObject*) {
  InsideTorch inside;
  return call_or_decline(method<"pow_">(), std::array{a, b});
}

int is_true(PyObject* self) {
  return guarded([&] { return leave_as_bool(self) ? 1 : 0; }, -1);
}
// Slots give Python's own numbers; where it is a conversion that was asked for, it remembers more.
PyObject* as_int(PyObject* self) {
  return guarded([&] { return leave_as(self, TraceHooks::Exit::integer); });
}
PyObject* as_float(PyObject* self) {
  return guarded([&] { return leave_as(self, TraceHooks::Exit::floating); });
}
PyObject* as_index(PyObject* self) {
  return guarded([&] { return leave_as(self, TraceHooks::Exit::index); });
}

}  // namespace

PyNumberMethods tensor_number_methods = [] {
  PyNumberMethods slots = {};
  slots.nb_add = commuting<"add">;
  slots.nb_subtract = subtract;
  slots.nb_multiply = commuting<"mul">;
  slots.nb_true_divide = divide;
  slots.nb_floor_divide = divide_to_floor;
  slots.nb_remainder = binary<"remainder", "remainder">;
  slots.nb_power = power;
  slots.nb_matrix_multiply = binary<"matmul", "matmul">;
  slots.nb_and = binary<"__and__", "bitwise_and">;
  slots.nb_or = binary<"__or__", "bitwise_or">;
  slots.nb_xor = binary<"__xor__", "bitwise_xor">;
  slots.nb_lshift = binary<"__lshift__", "bitwise_left_shift">;
  slots.nb_rshift = binary<"__rshift__", "bitwise_right_shift">;
  slots.nb_negative = unary<"neg">;
  slots.nb_positive = unary<"positive">;
  slots.nb_absolute = unary<"abs">;
  slots.nb_invert = unary<"bitwise_not">;
  slots.nb_inplace_add = in_place<"add_">;
  slots.nb_inplace_subtract = in_place<"sub_">;
  slots.nb_inplace_multiply = in_place<"mul_">;
  slots.nb_inplace_true_divide = in_place<"div_">;
  slots.nb_inplace_floor_divide = in_place<"floor_divide_">;
  slots.nb_inplace_remainder = in_place<"remainder_">;
  slots.nb_inplace_power = power_in_place;
  slots.nb_inplace_and = in_place<"__iand__">;
  slots.nb_inplace_or = in_place<"__ior__">;
  slots.nb_inplace_xor = in_place<"__ixor__">;
  slots.nb_inplace_lshift = in_place<"__ilshift__">;
  slots.nb_inplace_rshift = in_place<"__irshift__">;
  slots.nb_bool = is_true;
  slots.nb_int = as_int;
  slots.nb_float = as_float;
  slots.nb_index = as_index;
  return slots;
}();

PyObject* compare_tensors(PyObject* a, PyObject* b, int how) {
  std::array arguments{a, b};
  switch (how) {
    case Py_EQ:
      return call_or_decline(method<"eq">(), arguments);
    case Py_NE:
      return call_or_decline(method<"ne">(), arguments);
    case Py_LT:
      return call_or_decline(method<"lt">(), arguments);
    case Py_LE:
      return call_or_decline(method<"le">(), arguments);
    case Py_GT:
      return call_or_decline(method<"gt">(), arguments);
    default:
      return call_or_decline(method<"ge">(), arguments);
  }
}

}  // namespace assay::python
