#include "engine/python/bind/trace.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ir/passes/inline.h"
#include "engine/ops/late_kernels.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/frames.h"
#include "engine/python/bind/number_hooks.h"
#include "engine/python/bind/script_object.h"
#include "engine/python/bind/script_program.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/trace_hooks.h"
#include "engine/python/bind/traced_objects.h"
#include "engine/trace/cuts.h"
#include "engine/trace/gradients.h"
#include "engine/trace/tracer.h"

namespace py = pybind11;

namespace assay::python {
namespace {

py::object own(PyObject* made) {
  return py::reinterpret_steal<py::object>(checked(made).release());
}
py::object object_of(const core::Value& value) { return own(from_value(value)); }

/// Null for "". Texts of types are few, and are read again with every trace.
core::TypePtr type_named(const std::string& text) {
  static auto* known = new std::unordered_map<std::string, core::TypePtr>();
  if (text.empty()) return nullptr;
  auto found = known->find(text);
  if (found == known->end()) found = known->emplace(text, script_program().type_of(text)).first;
  return found->second;
}

const char* name_of(TraceHooks::Exit exit) {
  using Exit = TraceHooks::Exit;
  switch (exit) {
    case Exit::boolean:
      return "bool";
    case Exit::integer:
      return "int";
    case Exit::floating:
      return "float";
    case Exit::complex:
      return "complex";
    case Exit::index:
      return "index";
    case Exit::item:
      return "item";
    case Exit::length:
      return "len";
  }
  base::unreachable("an unknown way out of the graph");
}

/// A trace of Python code. `guide` is torch/jit/_trace.py's side: its methods `warn(message)`,
/// `left(how, value, expression, origin)` and `origin_of(number)`.
class PythonTracer final : public TraceHooks {
 public:
  PythonTracer(py::object guide, std::string torch_folder, bool strict, size_t most_nodes)
      : guide_(std::move(guide)),
        torch_folder_(std::move(torch_folder)),
        tracer_(script_program().unit(), surroundings(), strict) {
    tracer_.set_most_nodes(most_nodes);
  }
  ~PythonTracer() override { hear_no_more(); }

  void trace_module(const ScriptObject& module) { tracer_.trace_module(module.object()); }
  py::object input(const py::handle& argument, const std::string& name, const std::string& type) {
    core::TypePtr wanted = type_named(type);
    return object_of(tracer_.input(to_value(argument.ptr(), wanted), name));
  }
  void start() {
    base::check(trace_hooks == nullptr, "Traces cannot be nested: another one is under way.");
    late_ = std::make_unique<ops::LateKernels>();
    hear();
  }
  /// What nobody has looked at by now, and nobody holds, is not computed any more.
  void stop() {
    hear_no_more();
    if (!late_) return;
    tracer_.let_go();
    std::unique_ptr<ops::LateKernels> late = std::move(late_);
    late->settle();
  }
  /// What the function gives, without a trace of how it computes that.
  py::object unheard(const py::function& function) {
    if (!recording()) return function();
    hear_no_more();
    py::object result = function();
    hear();
    return result;
  }
  void output(const py::handle& result, const std::string& type) {
    core::TypePtr wanted = type_named(type);
    tracer_.output(to_value(result.ptr(), wanted));
  }
  /// Ends the trace as a function of this name, or one near to it; gives the name.
  std::string finish_function(const std::string& wanted) {
    stop();
    std::string name = script_program().unit().unique_name(wanted);
    script_program().unit().define_function(name, tracer_.finish());
    return name;
  }
  void finish_method(const ScriptObject& module, const std::string& method) {
    stop();
    ir::Unit& unit = script_program().unit();
    core::ClassTypePtr type = unit.find_class(module.type().name());
    if (module.traced()) module.traced()->complete();
    unit.define_function(type->qualified_method(method), tracer_.finish());
    type->add_method(method);
  }
  std::string graph_text() { return tracer_.graph().str(); }
  void push_scope(const std::string& path) { tracer_.push_scope(path); }
  void pop_scope() { tracer_.pop_scope(); }
  bool recording() const { return trace_hooks == this; }
  std::string origins() { return tracer_.origins().json(); }
  void guard(const std::string& condition, bool value, trace::Origins::From from) {
    tracer_.origins().guard({condition, value, place(), std::move(from)});
  }

  /// `placed`: the line that runs now did it.
  void escape(const std::string& kind, const std::string& what, const std::string& value,
              bool placed) {
    tracer_.origins().escape({kind, what, value, placed ? place() : ""});
  }
  /// A number leaves the graph: the number of its origin.
  size_t leave(const std::string& expression, const py::handle& value, const std::string& how) {
    return tracer_.origins().leave({expression, to_value(value.ptr()), how, place()});
  }
  /// What a tensor is over the inputs; `length`: its first size.
  std::string expression(const py::handle& tensor, bool length) {
    const core::Tensor& x = tensor_of(tensor.ptr());
    return length ? tracer_.expression_of_size(x, 0) : tracer_.expression(x);
  }

  core::Value call_compiled(ir::Function& function, const core::Values& args,
                            const std::function<core::Value()>& run) {
    base::Restore<bool> by_wrapper(called_by_wrapper_, true);
    return tracer_.call_function(function, args, run);
  }

  // What Python asks of tensors.
  PyObject* sizes(const core::Tensor& x) override {
    py::tuple items(static_cast<size_t>(x.dim()));
    for (int64_t i = 0; i < x.dim(); ++i) {
      items[static_cast<size_t>(i)] = own(wrap(tracer_.size(x, i)));
    }
    py::object size_class = py::type::of(own(make_size({})));
    return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyTuple_Type))
        .attr("__new__")(size_class, items)
        .release()
        .ptr();
  }
  PyObject* size(const core::Tensor& x, int64_t dim) override { return wrap(tracer_.size(x, dim)); }
  PyObject* numel(const core::Tensor& x) override { return wrap(tracer_.numel(x)); }
  PyObject* leaves(const core::Tensor& x, Exit exit, PyObject* value) override {
    py::object plain = py::reinterpret_borrow<py::object>(value);
    const char* how = name_of(exit);
    if (exit != Exit::length) return left(how, plain, tracer_.expression(x));
    // PyTorch's len is Python, and looks at the whole shape.
    InsideTorch inside;
    core::Tensor first;
    for (int64_t i = 0; i < x.dim(); ++i) {
      core::Tensor size = tracer_.size(x, i);
      if (i == 0) first = size;
    }
    return left(how, plain, tracer_.expression(first));
  }
  void iterates(const core::Tensor& x) override {
    guide_.attr("iterates")(tracer_.expression_of_size(x, 0), x.size(0));
  }
  core::Value number(const core::Tensor& x, const core::Value&) override {
    if (tracer_.knows(x)) return tracer_.number(x);
    return core::Value(core::first_element(x));
  }
  core::Value number(PyObject* object, const core::Value& value) override {
    if (!remembers(object)) return value;
    using Told = std::pair<std::string, trace::Origins::From>;
    auto told = guide_.attr("computed_from")(py::handle(object)).cast<Told>();
    return tracer_.with_origin(value, {told.first, told.second});
  }
  void wrapped(const core::Tensor& tensor, const core::Value& number) override {
    tracer_.wrapped(tensor, number);
  }
  PyObject* computed(const char* function, PyObject* const* arguments, size_t count,
                     PyObject* value) override {
    py::tuple all(count);
    for (size_t i = 0; i < count; ++i) all[i] = py::handle(arguments[i]);
    return guide_.attr("computed")(function, all, py::handle(value)).release().ptr();
  }
  void stands_for(const core::Tensor& made, const core::Tensor& of) override {
    tracer_.stands_for(made, of);
  }
  void looks(const core::Tensor& x, const char* what, PyObject* answer) override {
    if (!innermost_place_is_outside(torch_folder_)) return;
    std::string expression = tracer_.expression(x) + "." + what;
    std::string value = answer ? std::string(py::str(py::handle(answer))) : "";
    escape(std::string(what, std::strcspn(what, "(")), expression, value, true);
  }

 private:
  void hear() {
    scope_.emplace(context(), tracer_);
    trace_hooks = this;
    hear_numbers(true);
  }
  void hear_no_more() {
    if (trace_hooks == this) {
      trace_hooks = nullptr;
      hear_numbers(false);
    }
    scope_.reset();
  }
  trace::Surroundings surroundings() {
    return {
        .place = [this] { return called_by_wrapper_ ? python_place_of_caller() : python_place(); },
        .user_place = [this] { return place(); },
        .name_of = variable_of,
        .warn = [this](const std::string& text) { guide_.attr("warn")(text); }};
  }
  std::string place() const { return place_outside(torch_folder_); }
  /// Python's side makes an origin of it where it is a number.
  PyObject* left(const char* how, const py::object& plain, const std::string& expression) {
    if (PyBool_Check(plain.ptr())) {
      tracer_.origins().guard({expression, plain.cast<bool>(), place()});
    }
    return guide_.attr("left")(how, plain, expression).release().ptr();
  }

  bool called_by_wrapper_ = false;  // Python's wrapper of a compiled function is no place to show.
  py::object guide_;
  std::string torch_folder_;
  trace::Tracer tracer_;
  std::optional<ops::HandlerScope> scope_;
  std::unique_ptr<ops::LateKernels> late_;
};

/// torch._C.CutFollower(moving): from now on, until stop().
class PythonCutFollower {
 public:
  explicit PythonCutFollower(bool moving)
      : follower_(moving), scope_(std::in_place, context(), follower_) {}
  void stop() { scope_.reset(); }
  std::vector<std::string> cuts(const py::object& tensor) const {
    return follower_.cuts(tensor_of(tensor.ptr()));
  }

 private:
  trace::CutFollower follower_;
  std::optional<ops::HandlerScope> scope_;
};

/// The tracer at work, or None. Every call of a module asks for it.
PyObject* tracing_state(PyObject*, PyObject*) {
  auto* tracer = dynamic_cast<PythonTracer*>(trace_hooks);
  if (!tracer) Py_RETURN_NONE;
  return guarded(
      [&] { return py::cast(tracer, py::return_value_policy::reference).release().ptr(); });
}

}  // namespace

core::Value following_gradients(const std::function<core::Value()>& run) {
  trace::GradientFollower follower;
  std::optional<ops::HandlerScope> following;
  if (context().grad_enabled) following.emplace(context(), follower);
  return run();
}

core::Value call_compiled(ir::Function& function, const core::Values& args,
                          const std::function<core::Value()>& run) {
  auto* tracer = dynamic_cast<PythonTracer*>(trace_hooks);
  return tracer ? tracer->call_compiled(function, args, run) : following_gradients(run);
}

void add_trace(PyObject* module) {
  auto m = py::reinterpret_borrow<py::module_>(module);
  py::class_<PythonCutFollower>(m, "CutFollower")
      .def(py::init<bool>())
      .def("stop", &PythonCutFollower::stop)
      .def("cuts", &PythonCutFollower::cuts);
  py::class_<PythonTracer>(m, "Tracer")
      .def(py::init<py::object, std::string, bool, size_t>())
      .def("trace_module", &PythonTracer::trace_module)
      .def("input", &PythonTracer::input)
      .def("start", &PythonTracer::start)
      .def("stop", &PythonTracer::stop)
      .def("unheard", &PythonTracer::unheard)
      .def("output", &PythonTracer::output)
      .def("finish_function", &PythonTracer::finish_function)
      .def("finish_method", &PythonTracer::finish_method)
      .def("graph", &PythonTracer::graph_text)
      .def("push_scope", &PythonTracer::push_scope)
      .def("pop_scope", &PythonTracer::pop_scope)
      .def_property_readonly_static(
          "default_most_nodes", [](const py::object&) { return trace::Tracer::default_most_nodes; })
      .def("guard", &PythonTracer::guard)
      .def("escape", &PythonTracer::escape)
      .def("leave", &PythonTracer::leave)
      .def("expression", &PythonTracer::expression)
      .def_property_readonly("origins", &PythonTracer::origins);
  add_traced_objects(m);
  m.def("set_remembering", [](const py::object& whole, const py::object& real) {
    set_remembering(whole.ptr(), real.ptr());
  });
  static PyMethodDef methods[] = {{"_get_tracing_state", tracing_state, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
  checked(PyModule_AddFunctions(module, methods));
}

}  // namespace assay::python
