#include "engine/python/bind/frames.h"

#include <frameobject.h>

#include <memory>

#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {
namespace {

/// A function that is being run.
class Frame {
 public:
  explicit Frame(PyFrameObject* frame) : frame_(Owned::share(reinterpret_cast<PyObject*>(frame))) {
    if (frame) code_ = Owned(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  }
  /// Without those of functions that are no Python in PyTorch.
  static Frame innermost() {
    Frame frame(PyEval_GetFrame());
    while (frame && frame.file().ends_with("/torch/_creation.py")) frame = frame.outer();
    return frame;
  }

  explicit operator bool() const { return static_cast<bool>(frame_); }
  Frame outer() const {
    Owned back(reinterpret_cast<PyObject*>(PyFrame_GetBack(get())));
    return Frame(reinterpret_cast<PyFrameObject*>(back.get()));
  }
  int line() const { return PyFrame_GetLineNumber(get()); }
  std::string_view file() const { return text_of(code()->co_filename); }
  std::string_view function() const { return text_of(code()->co_name); }
  /// A dict.
  Owned locals() const { return checked(PyFrame_GetLocals(get())); }
  /// What tells this place in this call from others.
  bool same_place(const Frame& other) const {
    return frame_.get() == other.frame_.get() && frame_ &&
           PyFrame_GetLasti(get()) == PyFrame_GetLasti(other.get());
  }

 private:
  PyFrameObject* get() const { return reinterpret_cast<PyFrameObject*>(frame_.get()); }
  PyCodeObject* code() const { return reinterpret_cast<PyCodeObject*>(code_.get()); }

  Owned frame_, code_;
};

}  // namespace

base::SourceRange python_place() {
  Frame frame = Frame::innermost();
  if (!frame) return {};
  auto source = std::make_shared<base::Source>();
  source->name = frame.file();
  source->first_line = frame.line();
  for (; frame; frame = frame.outer()) {
    source->text += frame.file();
    source->text += "(" + std::to_string(frame.line()) + "): ";
    source->text += frame.function();
    source->text += "\n";
  }
  size_t size = source->text.size();
  return {std::move(source), 0, size};
}

std::string place_outside(const std::string& folder) {
  std::string innermost;
  for (Frame frame = Frame::innermost(); frame; frame = frame.outer()) {
    std::string place(frame.file());
    place += ":" + std::to_string(frame.line());
    if (innermost.empty()) innermost = place;
    // A host that listens to the program has no file.
    bool listens = frame.file().starts_with("<assay");
    if (!listens && !frame.file().starts_with(folder)) return place;
  }
  return innermost;
}

bool innermost_place_is_outside(const std::string& folder) {
  Frame frame(PyEval_GetFrame());
  return frame && !frame.file().starts_with(folder);
}

std::string variable_of(const core::Tensor& tensor) {
  if (inside_torch > 0) {
    bool is_other = other_inside_torch && tensor_of(other_inside_torch).same(tensor);
    return is_other ? "other" : "";
  }
  Frame frame = Frame::innermost();
  if (!frame || !tensor.impl()->face) return "";
  Owned locals = frame.locals();
  PyObject *name, *value;
  Py_ssize_t at = 0;
  if (!PyDict_Check(locals.get())) return "";
  while (PyDict_Next(locals.get(), &at, &name, &value)) {
    if (!is_tensor(value) || !tensor_of(value).same(tensor)) continue;
    std::string found(text_of(name));
    bool number = !found.empty() && found.find_first_not_of("0123456789") == std::string::npos;
    return found == "self" || number ? "" : found;
  }
  return "";
}

}  // namespace assay::python
