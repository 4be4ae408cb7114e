#include "engine/python/bind/frames.h"

#include <frameobject.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

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
    while (frame && is_built_in(frame.file())) frame = frame.outer();
    return frame;
  }

  explicit operator bool() const { return static_cast<bool>(frame_); }
  Frame outer() const {
    Owned back(reinterpret_cast<PyObject*>(PyFrame_GetBack(get())));
    return Frame(reinterpret_cast<PyFrameObject*>(back.get()));
  }
  int line() const { return PyFrame_GetLineNumber(get()); }
  std::string_view file() const { return text_of(own_code()->co_filename); }
  std::string_view function() const { return text_of(own_code()->co_name); }
  /// A dict.
  Owned locals() const { return checked(PyFrame_GetLocals(get())); }
  /// What tells this line of the function from others.
  int instruction() const { return PyFrame_GetLasti(get()); }
  const Owned& code() const { return code_; }

 private:
  static bool is_built_in(std::string_view file) {
    static constexpr std::string_view files[] = {
        "/torch/_creation.py", "/torch/_builtin_methods.py", "/torch/jit/_functions.py",
        "/torch/jit/_numbers.py", "/torch/autograd/variable.py"};
    return std::ranges::any_of(files, [&](std::string_view end) { return file.ends_with(end); });
  }
  PyFrameObject* get() const { return reinterpret_cast<PyFrameObject*>(frame_.get()); }
  PyCodeObject* own_code() const { return reinterpret_cast<PyCodeObject*>(code_.get()); }

  Owned frame_, code_;
};

/// Stacks of calls as source ranges. Each is written out once: what is traced is often traced
/// again.
class Stacks {
 public:
  base::SourceRange of(Frame frame) {
    if (known_.size() > most) known_.clear();
    std::vector<Frame> frames;
    frames.reserve(usual_depth);
    for (; frame; frame = frame.outer()) frames.push_back(frame);
    Stack* stack = nullptr;
    for (size_t i = frames.size(); i-- > 0;) stack = &inside(stack, frames[i]);
    if (!stack) return {};
    if (!stack->source) stack->source = written(*stack);
    return {stack->source, 0, stack->source->text.size()};
  }

 private:
  static constexpr size_t most = 10000, usual_depth = 32;
  struct Stack {
    Owned code;  // Kept alive, so that no other one gets its address.
    const Stack* outer = nullptr;
    std::string file, function;
    int line = 0;
    std::shared_ptr<const base::Source> source;  // Once it was asked for.
  };
  struct Key {
    const void* code;
    int instruction;
    const Stack* outer;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      size_t mixed = reinterpret_cast<size_t>(key.code) * 31 + static_cast<size_t>(key.instruction);
      return mixed * 0x9E3779B97F4A7C15u ^ reinterpret_cast<size_t>(key.outer);
    }
  };

  Stack& inside(const Stack* outer, const Frame& frame) {
    Stack& stack = known_[{frame.code().get(), frame.instruction(), outer}];
    if (!stack.code) {
      stack = {frame.code(), outer,  std::string(frame.file()), std::string(frame.function()),
               frame.line(), nullptr};
    }
    return stack;
  }

  static std::shared_ptr<const base::Source> written(const Stack& innermost) {
    auto source = std::make_shared<base::Source>();
    source->name = innermost.file;
    source->first_line = innermost.line;
    for (const Stack* stack = &innermost; stack; stack = stack->outer) {
      source->text += stack->file + "(" + std::to_string(stack->line) + "): ";
      source->text += stack->function + "\n";
    }
    return source;
  }

  std::unordered_map<Key, Stack, Hash> known_;
};

}  // namespace

base::SourceRange python_place() {
  static auto* stacks = new Stacks();  // Holds Python objects: never destroyed.
  return stacks->of(Frame::innermost());
}

base::SourceRange python_place_of_caller() {
  static auto* stacks = new Stacks();
  Frame innermost(PyEval_GetFrame()), caller = innermost.outer();
  return stacks->of(caller ? caller : innermost);
}

namespace {

/// NumPy computes with tensors as with any objects, in Python of its own.
bool is_outside(std::string_view file, const std::string& folder) {
  bool numpy = file.find("-packages/numpy/") != std::string_view::npos ||
               file.starts_with("<__array_function__");
  return !numpy && !file.starts_with(folder);
}

}  // namespace

std::string place_outside(const std::string& folder) {
  std::string innermost;
  for (Frame frame = Frame::innermost(); frame; frame = frame.outer()) {
    std::string place(frame.file());
    place += ":" + std::to_string(frame.line());
    if (innermost.empty()) innermost = place;
    // A host that listens to the program has no file.
    bool listens = frame.file().starts_with("<assay");
    if (!listens && is_outside(frame.file(), folder)) return place;
  }
  return innermost;
}

bool innermost_place_is_outside(const std::string& folder) {
  Frame frame(PyEval_GetFrame());
  return frame && is_outside(frame.file(), folder);
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
