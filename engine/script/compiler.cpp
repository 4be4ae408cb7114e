#include "engine/script/compiler.h"

#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/kinds.h"
#include "engine/script/detail/definer.h"
#include "engine/script/parser.h"
#include "engine/script/static_value.h"

namespace assay::script {
namespace {

using base::SourceRange;
using core::TypePtr;
using detail::Emission;

const std::unordered_map<std::string, int64_t>& torch_constants() {
  static const std::unordered_map<std::string, int64_t> constants{
      {"strided", 0},         {"sparse_coo", 1},    {"contiguous_format", 0},
      {"preserve_format", 1}, {"channels_last", 2}, {"channels_last_3d", 3},
  };
  return constants;
}

/// The names that Python's `torch` has besides operators: dtypes, torch.jit.annotate, torch.Tensor.
class TorchModule final : public StaticValue {
 public:
  explicit TorchModule(std::string path) : path_(std::move(path)) {}
  std::string kind() const override { return "the module " + path_; }
  StaticValuePtr attribute(Emission& emission, const Range& range,
                           const std::string& name) override {
    static const std::unordered_map<std::string, base::Symbol> forms{
        {"torch.jit.annotate", "prim::annotate"},
        {"torch.jit.fork", ir::kinds().fork},
        {"torch.jit._fork", ir::kinds().fork},
        {"torch.jit.isinstance", ir::kinds().isinstance},
        {"torch.jit.unchecked_cast", ir::kinds().unchecked_cast},
    };
    std::string full = path_ + "." + name;
    auto form = forms.find(full);
    if (form != forms.end()) return std::make_shared<detail::SpecialForm>(form->second);
    if (full == "torch.jit.wait" || full == "torch.jit._wait") {
      return std::make_shared<detail::BuiltinFunction>("aten::wait");
    }
    if (full == "torch.jit" || full == "torch.special" || full == "torch.linalg" ||
        full == "torch.fft" || full == "torch.nn" || full == "torch.nn.functional") {
      return std::make_shared<TorchModule>(full);
    }
    if (full == "torch.ops") return std::make_shared<detail::OperatorLibraries>();
    if (path_ == "torch") {
      if (auto dtype = core::dtype_from_name(name)) {
        // torch.int and the like are also operators' names; a call never reaches here with them.
        return detail::simple(emission.constant(static_cast<int64_t>(*dtype), range));
      }
      auto constant = torch_constants().find(name);
      if (constant != torch_constants().end()) {
        return detail::simple(emission.constant(constant->second, range));
      }
    }
    return std::make_shared<detail::BuiltinFunction>(base::Symbol("aten::" + prefix() + name));
  }

 private:
  std::string prefix() const {
    if (path_ == "torch.special") return "special_";
    if (path_ == "torch.linalg") return "linalg_";
    if (path_ == "torch.fft") return "fft_";
    return "";
  }
  std::string path_;
};

/// `math`: functions and numbers.
class MathModule final : public StaticValue {
 public:
  std::string kind() const override { return "the module math"; }
  StaticValuePtr attribute(Emission& emission, const Range& range,
                           const std::string& name) override {
    static const std::unordered_map<std::string, double> numbers{
        {"pi", 3.141592653589793},
        {"e", 2.718281828459045},
        {"tau", 6.283185307179586},
        {"inf", std::numeric_limits<double>::infinity()},
        {"nan", std::numeric_limits<double>::quiet_NaN()}};
    auto number = numbers.find(name);
    if (number != numbers.end()) return detail::simple(emission.constant(number->second, range));
    return std::make_shared<detail::BuiltinFunction>(base::Symbol("aten::" + name));
  }
};

class SourceCompiler final : public Resolver {
 public:
  explicit SourceCompiler(ir::Unit& unit) : unit_(unit), definer_(unit, *this) {}

  void run(const std::shared_ptr<const base::Source>& source) {
    Block statements = parse_module(source);
    for (const auto& stmt : statements) {
      if (stmt->kind == StmtKind::class_) classes_[stmt->class_def->name] = stmt->class_def;
      if (stmt->kind == StmtKind::def) functions_[stmt->function->name] = stmt->function;
    }
    for (const auto& stmt : statements) define(*stmt);
  }

  StaticValuePtr resolve_value(const std::string& name, Emission& emission,
                               const SourceRange& range) override {
    if (functions_.count(name)) {
      return std::make_shared<detail::FunctionValue>(unit_.function(qualified(name)));
    }
    if (name == "torch") return std::make_shared<TorchModule>(name);
    if (name == "math") return std::make_shared<MathModule>();
    if (name == "annotate") return std::make_shared<detail::SpecialForm>("prim::annotate");
    if (name == "inf" || name == "nan") {
      return MathModule().attribute(emission, range, name);
    }
    if (name == "Exception" || name.ends_with("Error") || name == "StopIteration") {
      return std::make_shared<detail::ExceptionClass>(name, "builtins." + name);
    }
    return nullptr;
  }

  TypePtr resolve_type(const std::string& name, const SourceRange&) override {
    auto found = classes_.find(name);
    if (found == classes_.end())
      return name.starts_with("__torch__.") ? unit_.find_type(name) : nullptr;
    define_class(found->second);
    return unit_.find_type(qualified(name));
  }

 private:
  static std::string qualified(const std::string& name) { return "__torch__." + name; }

  void define_class(const std::shared_ptr<const ClassDef>& def) {
    if (!defined_.insert(def->name).second) return;
    definer_.define_class(qualified(def->name), def);
  }

  void define(const Stmt& stmt) {
    if (stmt.kind == StmtKind::class_) {
      define_class(stmt.class_def);
    } else if (stmt.kind == StmtKind::def) {
      definer_.define_function(qualified(stmt.function->name), stmt.function);
    } else if (stmt.kind != StmtKind::expression || stmt.value->kind != ExprKind::string) {
      base::fail_at(stmt.range, "a source consists of classes and functions only");
    }
  }

  ir::Unit& unit_;
  detail::Definer definer_;
  std::unordered_map<std::string, std::shared_ptr<const ClassDef>> classes_;
  std::unordered_map<std::string, std::shared_ptr<const FunctionDef>> functions_;
  std::unordered_set<std::string> defined_;
};

}  // namespace

void compile_source(ir::Unit& unit, const std::shared_ptr<const base::Source>& source) {
  size_t before = unit.functions().size();
  SourceCompiler compiler(unit);
  auto compile_all = [&](bool init) {
    for (size_t i = before; i < unit.functions().size(); ++i) {
      ir::Function& function = *unit.functions()[i];
      // __init__ declares attributes that other methods use.
      if ((function.name() == "__init__") == init) function.graph();
    }
  };
  try {
    compiler.run(source);
    compile_all(true);
    compile_all(false);
  } catch (...) {
    // What was not compiled would ask a compiler that is gone.
    while (unit.functions().size() > before) {
      unit.remove_function(unit.functions().back()->qualified_name());
    }
    throw;
  }
}

void compile_source(ir::Unit& unit, const std::string& text) {
  auto source = std::make_shared<base::Source>();
  source->text = text;
  source->name = "<string>";
  compile_source(unit, source);
}

}  // namespace assay::script
