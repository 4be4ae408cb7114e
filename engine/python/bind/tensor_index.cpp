// x[i, 2:5, None, mask] and assignments to it: the rules of PyTorch's indexing, as calls of
// operators.
#include <array>
#include <optional>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/data.h"
#include "engine/python/bind/operator.h"
#include "engine/python/bind/tensor_leaves.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/torch_function.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {
namespace {

using core::Tensor;
using core::Value;

bool is_list(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

/// Whether an index that is a list, or an array, means a tuple: as numpy once had it.
bool means_tuple(PyObject* index) {
  if (PyLong_Check(index) || is_tensor(index) || !PySequence_Check(index)) return false;
  Py_ssize_t count = PySequence_Size(index);
  if (count < 0) PyErr_Clear();  // An array without dimensions.
  if (count < 0 || count >= 32) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    Owned item = checked(PySequence_GetItem(index, i));
    PyObject* one = item.get();
    if (is_tensor(one) || PySequence_Check(one) || PySlice_Check(one) || one == Py_Ellipsis ||
        one == Py_None)
      return true;
  }
  return false;
}

/// What was read of a list or an array, as an index: masks stay, floats are cut off.
Tensor as_index(Tensor read) {
  bool mask = read.dtype() == core::DType::boolean || read.dtype() == core::DType::uint8;
  if (mask || read.dtype() == core::DType::int64) return read;
  auto whole = static_cast<int64_t>(core::DType::int64);
  return ops::call(context(), "aten::to.dtype", {read, whole, false, false, {}}).to_tensor();
}

Tensor call(const char* name, const core::Values& args) { return call_operator(name, args); }

Tensor select(const Tensor& x, int64_t dim, const Value& index) {
  return call("aten::select.int", {x, dim, index});
}
Tensor unsqueeze(const Tensor& x, int64_t dim) { return call("aten::unsqueeze", {x, dim}); }
/// Also where it is there already, which a trace shows.
Tensor moved(const Tensor& x, core::Device device) {
  return call("aten::to.device",
              {x, device, static_cast<int64_t>(x.dtype()), false, false, Value()});
}
Tensor viewed(const Tensor& x, core::DimSpan sizes) {
  return call("aten::view", {x, core::make_int_list(sizes)});
}

/// One walk over the items of an index: views are taken at once, tensors are kept for the end.
class Indexing {
 public:
  explicit Indexing(Tensor x) : x_(std::move(x)) {}

  void apply(PyObject* index) {
    Owned items = PyTuple_Check(index) ? Owned::share(index)
                  : means_tuple(index) ? checked(PySequence_Tuple(index))
                                       : checked(PyTuple_Pack(1, index));
    count_dimensions(items.get());
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i)
      apply_item(PyTuple_GET_ITEM(items.get(), i));
  }

  const Tensor& view() const { return x_; }
  bool has_tensors() const { return !tensors_.empty(); }
  Value tensors() const {
    core::Values items(tensors_.begin(), tensors_.end());
    return core::make_list(core::optional_of(core::tensor_type()), std::move(items));
  }

 private:
  /// How many dimensions an item uses.
  static int64_t uses(PyObject* item) {
    if (item == Py_None || item == Py_Ellipsis || PyBool_Check(item)) return 0;
    if (!is_tensor(item)) return 1;
    const Tensor& t = tensor_of(item);
    bool mask = t.dtype() == core::DType::boolean || t.dtype() == core::DType::uint8;
    return mask ? t.dim() : 1;
  }

  void count_dimensions(PyObject* items) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); ++i)
      used_ += uses(PyTuple_GET_ITEM(items, i));
    if (used_ > x_.dim()) {
      raise(PyExc_IndexError,
            "too many indices for tensor of dimension " + std::to_string(x_.dim()));
    }
    left_out_ = x_.dim() - used_;
  }

  void apply_item(PyObject* item) {
    if (item == Py_None) {
      x_ = unsqueeze(x_, dim_++);
    } else if (item == Py_Ellipsis) {
      dim_ += left_out_;
    } else if (PySlice_Check(item)) {
      slice(item);
    } else if (PyBool_Check(item)) {
      add_truth(item == Py_True);
    } else if (is_tensor(item)) {
      apply_tensor(item);
    } else if (is_list(item)) {
      add(list_index(item));
    } else {
      auto number = integer(item);
      if (number) {
        x_ = select(x_, dim_, *number);
      } else {
        other(item);
      }
    }
  }

  void apply_tensor(PyObject* item) {
    const Tensor& t = tensor_of(item);
    bool mask = t.dtype() == core::DType::boolean || t.dtype() == core::DType::uint8;
    if (t.dim() == 0 && core::is_integral(t.dtype(), true)) {
      if (!mask) {
        auto number = int_from(item);
        x_ = select(x_, dim_, number ? *number : ops::call(context(), "aten::Int.Tensor", {t}));
        return;
      }
      return add_truth(ops::call(context(), "aten::is_nonzero", {t}).to_bool());
    }
    bool fits = core::is_integral(t.dtype(), true);
    if (!fits) {
      raise(PyExc_IndexError, "tensors used as indices must be long, byte or bool tensors");
    }
    add(t);
  }

  /// A dimension of size 1 or 0.
  void add_truth(bool value) {
    x_ = unsqueeze(x_, dim_);
    int64_t count = value ? 1 : 0;
    std::vector<core::Scalar> items(static_cast<size_t>(count), core::Scalar(0));
    add(core::tensor_from(items, std::array{count}, core::DType::int64));
  }

  static Tensor list_index(PyObject* list) {
    Tensor made = as_index(tensor_from_data(list, std::nullopt));
    // A trace shows how PyTorch puts a new tensor in place, behind a constant.
    return trace_hooks ? moved(made, made.device()) : made;
  }

  /// An array is a tensor; whatever else has `__index__` is an int.
  void other(PyObject* item) {
    bool array = PySequence_Check(item) &&
                 (PyObject_CheckBuffer(item) || PyObject_HasAttrString(item, "__array__"));
    if (array) {
      Owned made = checked(wrap(as_index(tensor_from_data(item, std::nullopt))));
      return apply_tensor(made.get());
    }
    if (PyUnicode_Check(item)) raise(PyExc_TypeError, "new(): invalid data type 'str'");
    if (!PyIndex_Check(item)) {
      raise(PyExc_IndexError,
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            "valid indices (got " +
                class_name(item) + ")");
    }
    Owned number = checked(PyNumber_Index(item));
    x_ = select(x_, dim_, *int_from(number.get()));
  }

  static std::optional<Value> integer(PyObject* item) {
    return PyLong_Check(item) || is_numpy_number(item) ? int_from(item) : std::nullopt;
  }

  /// An end of a slice: None is left to the operator.
  static Value bound(PyObject* object) {
    if (object == Py_None) return {};
    if (auto number = int_from(object)) return *number;
    Owned whole = checked(PyNumber_Index(object));
    // Beyond 64 bits is beyond every dimension.
    Py_ssize_t value = PyNumber_AsSsize_t(whole.get(), nullptr);
    return static_cast<int64_t>(value);
  }

  void slice(PyObject* item) {
    auto* parts = reinterpret_cast<PySliceObject*>(item);
    Value step = bound(parts->step);
    if (step.is_none()) step = 1;
    if (step.to_int() == 0) raise(PyExc_ValueError, "step must be greater than zero");
    if (step.to_int() < 0) raise(PyExc_ValueError, "step must be greater than zero");
    bool whole = parts->start == Py_None && parts->stop == Py_None && step.to_int() == 1;
    if (!whole || trace_hooks) {
      Value start = bound(parts->start), stop = bound(parts->stop);
      if (start.is_none()) start = 0;
      if (stop.is_none()) stop = INT64_MAX;
      x_ = call("aten::slice.Tensor", {x_, dim_, start, stop, step});
    }
    ++dim_;
  }

  void add(Tensor index) {
    while (tensors_.size() < static_cast<size_t>(dim_)) tensors_.emplace_back();
    tensors_.push_back(std::move(index));
    ++dim_;
  }

  Tensor x_;
  int64_t dim_ = 0;
  int64_t used_ = 0;
  int64_t left_out_ = 0;
  std::vector<Tensor> tensors_;  ///< By dimension; undefined where there is none.
};

PyObject* get_item(PyObject* self, PyObject* index) {
  return guarded([&]() -> PyObject* {
    if (PyLong_CheckExact(index)) return wrap(select(tensor_of(self), 0, *int_from(index)));
    Indexing indexing(tensor_of(self));
    indexing.apply(index);
    const Tensor& view = indexing.view();
    if (indexing.has_tensors()) return wrap(call("aten::index.Tensor", {view, indexing.tensors()}));
    // Never the tensor itself, as in PyTorch.
    return wrap(view.same(tensor_of(self)) ? call("aten::alias", {view}) : view);
  });
}

/// The value to assign: numbers become tensors of the target's type.
Tensor assigned(PyObject* value, const Tensor& target) {
  if (is_tensor(value)) return tensor_of(value);
  bool plain = PyFloat_Check(value) || PyLong_Check(value) || PyComplex_Check(value);
  if (auto number = plain ? number_from(value) : int_from(value)) {
    Tensor made = core::tensor_from({number->to_scalar()}, {}, target.dtype());
    if (target.device() == made.device()) return made;
    return moved(made, target.device());
  }
  raise(PyExc_TypeError, "can't assign a " + class_name(value) + " to a torch." +
                             std::string(core::script_name(target.dtype())) + "Tensor");
}

/// Leading sizes of 1 that the target lacks do not count.
Tensor without_leading_ones(const Tensor& value, int64_t rank) {
  core::Dims sizes = value.sizes();
  size_t first = 0;
  while (first < sizes.size() && sizes[first] == 1 &&
         static_cast<int64_t>(sizes.size() - first) > rank)
    ++first;
  if (first == 0) return value;
  core::DimSpan rest(sizes.data() + first, sizes.size() - first);
  return viewed(value, rest);
}

void copy_to(const Tensor& target, const Tensor& value) {
  if (target.sizes() != value.sizes() && value.dim() == 0 &&
      value.device().type == core::DeviceType::cpu) {
    call("aten::fill_.Tensor", {target, value});
    return;
  }
  call("aten::copy_", {target, without_leading_ones(value, target.dim()), false});
}

int set_item(PyObject* self, PyObject* index, PyObject* value) {
  return guarded(
      [&] {
        if (!value) raise(PyExc_TypeError, "Tensor does not support deleting items");
        if (index == Py_False) return 0;
        Indexing indexing(tensor_of(self));
        indexing.apply(index);
        const Tensor& target = indexing.view();
        Tensor source = assigned(value, tensor_of(self));
        if (!indexing.has_tensors()) {
          copy_to(target, source);
          return 0;
        }
        if (!(source.device() == target.device()) && source.dim() != 0) {
          source = moved(source, target.device());
        }
        source = without_leading_ones(source, 0);
        call("aten::index_put_", {target, indexing.tensors(), source, false});
        return 0;
      },
      -1);
}

Py_ssize_t length(PyObject* self) {
  return guarded([&] { return length_of(self); }, Py_ssize_t{-1});
}

}  // namespace

PyMappingMethods tensor_mapping_methods = {length, get_item, set_item};

}  // namespace assay::python
