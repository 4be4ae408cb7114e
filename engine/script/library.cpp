#include "engine/script/library.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "engine/script/emitter.h"
#include "engine/script/parser.h"
#include "engine/script/static_value.h"
#include "engine/script/type_parser.h"

namespace assay::script {
namespace {

// A number before a tensor: the operators of the catalog take the tensor first.
constexpr std::string_view number_operators = R"(
def mul(a: SCALAR, b: Tensor) -> Tensor:
  return b * a
def add(a: SCALAR, b: Tensor) -> Tensor:
  return b + a
def ne(a: SCALAR, b: Tensor) -> Tensor:
  return b != a
def eq(a: SCALAR, b: Tensor) -> Tensor:
  return b == a
def sub(a: SCALAR, b: Tensor) -> Tensor:
  return torch.neg(b) + a
def div(a: SCALAR, b: Tensor) -> Tensor:
  return torch.reciprocal(b) * a
)";

constexpr std::string_view order_operators = R"(
def lt(a: SCALAR, b: Tensor) -> Tensor:
  return b > a
def le(a: SCALAR, b: Tensor) -> Tensor:
  return b >= a
def gt(a: SCALAR, b: Tensor) -> Tensor:
  return b < a
def ge(a: SCALAR, b: Tensor) -> Tensor:
  return b <= a
)";

constexpr std::string_view tuples = R"(
def _single(x: BroadcastingList1[SCALAR]) -> List[SCALAR]:
  return x
def _pair(x: BroadcastingList2[SCALAR]) -> List[SCALAR]:
  return x
def _triple(x: BroadcastingList3[SCALAR]) -> List[SCALAR]:
  return x
def _quadruple(x: BroadcastingList4[SCALAR]) -> List[SCALAR]:
  return x
)";

constexpr std::string_view division = R"(
def floordiv(self: Tensor, other: SCALAR) -> Tensor:
  return torch.floor_divide(self, other)
)";

// The empty lines make lines count as in PyTorch's own library, whose places graphs show.
constexpr std::string_view tensor_functions = R"(


def list_with_default(out_size: List[int], defaults: List[int]) -> List[int]:
  assert len(defaults) > len(out_size)
  return out_size


def device(type: str) -> Device:
  return torch.device(type)
def type(self: Tensor, dtype: int, non_blocking: bool=False, copy: bool=False) -> Tensor:
  return self.to(dtype, non_blocking, copy)
)";

// The blank lines put these where PyTorch's graphs say they are.
constexpr std::string_view assertion = R"(





def _assert(condition: SCALAR, message: str) -> None:
  assert bool(condition), message
)";

constexpr std::string_view text_functions = R"(


def __contains__(self: str, key: str) -> bool:
    return self.find(key, 0, len(self)) != -1
)";

constexpr std::string_view tensor_properties = R"(
def ndim(a: Tensor) -> int:
  return a.dim()
def T(a: Tensor) -> Tensor:
  return a.numpy_T()
def H(a: Tensor) -> Tensor:
  return a.matrix_H()
def mT(a: Tensor) -> Tensor:
  return a.mT()
def mH(a: Tensor) -> Tensor:
  return a.mH()
def shape(a: Tensor) -> List[int]:
  return a.size()
)";

class LibraryResolver final : public Resolver {
 public:
  StaticValuePtr resolve_value(const std::string& name, detail::Emission&,
                               const base::SourceRange&) override {
    if (name != "torch") return nullptr;
    return std::make_shared<detail::OperatorNamespace>("aten");
  }
  core::TypePtr resolve_type(const std::string&, const base::SourceRange&) override {
    return nullptr;
  }
};

/// Each function is read when its name is first asked for: few of them are in one process.
class Library {
 public:
  Library() {
    for (const char* scalar : {"float", "int", "complex"}) add(number_operators, "aten", scalar);
    for (const char* scalar : {"float", "int"}) add(order_operators, "aten", scalar);
    for (const char* scalar : {"float", "int"}) add(tuples, "aten", scalar);
    for (const char* other : {"Tensor", "number"}) add(division, "aten", other);
    add(tensor_functions, "aten");
    for (const char* condition : {"bool", "Tensor"}) add(assertion, "aten", condition);
    add(text_functions, "aten");
    add(tensor_properties, "prim");
  }

  const std::vector<const ir::Function*>& find(base::Symbol name) {
    static const std::vector<const ir::Function*> none;
    auto found = by_name_.find(name);
    if (found == by_name_.end()) return none;
    Overloads& overloads = found->second;
    std::call_once(overloads.once, [&] {
      for (const Text& text : overloads.texts) overloads.functions.push_back(read(name, text));
    });
    return overloads.functions;
  }

 private:
  /// One definition in a text above.
  struct Text {
    std::string_view text;
    int first_line;
    std::string scalar;
  };
  struct Overloads {
    std::vector<Text> texts;
    std::vector<const ir::Function*> functions;
    std::once_flag once;
  };

  void add(std::string_view text, const std::string& space, const std::string& scalar = "") {
    constexpr std::string_view def = "\ndef ";
    int line = 1;
    for (size_t at = text.find(def), before = 0; at != text.npos;) {
      size_t end = text.find(def, at + 1);
      std::string_view piece = text.substr(at + 1, end - at - 1);
      line += static_cast<int>(std::count(text.begin() + before, text.begin() + at + 1, '\n'));
      std::string_view name = piece.substr(def.size() - 1, piece.find('(') - def.size() + 1);
      by_name_[space + "::" + std::string(name)].texts.push_back({piece, line, scalar});
      before = at + 1;
      at = end;
    }
  }

  const ir::Function* read(base::Symbol name, const Text& text) {
    auto source = std::make_shared<base::Source>();
    source->name = "<string>";  // As PyTorch calls its own library in graphs.
    source->text = std::string(text.text);
    source->first_line = text.first_line;
    for (size_t at; (at = source->text.find("SCALAR")) != std::string::npos;) {
      source->text.replace(at, 6, text.scalar);
    }
    auto def = parse_module(source).at(0)->function;
    auto function = std::make_unique<ir::Function>(
        name.text(), [this, def](ir::Function& made) { compile(*def, resolver_, unit_, made); });
    if (def->return_annotation) {
      TypeParser types([](const std::string&, const base::SourceRange&) { return nullptr; });
      function->set_schema(types.signature(*def, nullptr));
    }
    std::lock_guard lock(mutex_);
    return functions_.emplace_back(std::move(function)).get();
  }

  ir::Unit unit_;
  LibraryResolver resolver_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ir::Function>> functions_;
  std::unordered_map<base::Symbol, Overloads> by_name_;
};

}  // namespace

const std::vector<const ir::Function*>& library_functions(base::Symbol name) {
  static Library library;
  return library.find(name);
}

}  // namespace assay::script
