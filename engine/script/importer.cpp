#include "engine/script/importer.h"

#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/kinds.h"
#include "engine/ir/unshaped.h"
#include "engine/script/detail/definer.h"
#include "engine/script/parser.h"
#include "engine/script/static_value.h"

namespace assay::script {
namespace {

using base::SourceRange;
using core::TypePtr;
using detail::Emission;

/// `CONSTANTS.c3`
class ConstantTable final : public StaticValue {
 public:
  explicit ConstantTable(core::Values values) : values_(std::move(values)) {}
  std::string kind() const override { return "the table of constants"; }
  StaticValuePtr attribute(Emission& emission, const Range& range,
                           const std::string& name) override {
    int64_t position = -1;
    if (name.size() < 2 || name[0] != 'c' || !base::parse_int(name.substr(1), position) ||
        position < 0) {
      refuse(range, "has no entry '", name, "'");
    }
    if (position >= static_cast<int64_t>(values_.size())) {
      refuse(range, "has ", values_.size(), " entries, so there is no '", name, "'");
    }
    ir::Value* value = emission.constant(values_[static_cast<size_t>(position)], range);
    return detail::simple(value->set_type(ir::unshaped(value->type())));
  }

 private:
  core::Values values_;
};

std::string prefix_of(const std::string& qualified) {
  size_t dot = qualified.rfind('.');
  return dot == std::string::npos ? "" : qualified.substr(0, dot);
}

}  // namespace

class Importer::Impl final : public Resolver {
 public:
  Impl(ir::Unit& unit, core::Values constants, FindSource find_source)
      : unit_(unit), find_source_(std::move(find_source)), definer_(unit, *this) {
    constexpr auto keep = detail::UnknownOperators::keep;
    auto form = [](base::Symbol name) { return std::make_shared<detail::SpecialForm>(name); };
    names_ = {
        {"torch", std::make_shared<detail::OperatorNamespace>("aten", keep)},
        {"ops", std::make_shared<detail::OperatorLibraries>(keep)},
        {"CONSTANTS", std::make_shared<ConstantTable>(std::move(constants))},
        {"fork", form(ir::kinds().fork)},
        {"annotate", form("prim::annotate")},
        {"unchecked_cast", form(ir::kinds().unchecked_cast)},
        {"uninitialized", form(ir::kinds().uninitialized)},
        {"Exception", std::make_shared<detail::ExceptionClass>("Exception")},
    };
  }

  StaticValuePtr resolve_value(const std::string& name, Emission& emission,
                               const SourceRange& range) override {
    auto known = names_.find(name);
    if (known != names_.end()) return known->second;
    if (name == "inf") {
      return detail::simple(emission.constant(std::numeric_limits<double>::infinity(), range));
    }
    if (name == "nan") {
      return detail::simple(emission.constant(std::numeric_limits<double>::quiet_NaN(), range));
    }
    if (name == "infj" || name == "nanj") {
      using Limits = std::numeric_limits<double>;
      double part = name == "infj" ? Limits::infinity() : Limits::quiet_NaN();
      return detail::simple(emission.constant(core::Complex128(0, part), range));
    }
    if (name == "__torch__") return make_namespace(name);
    return nullptr;
  }

  TypePtr resolve_type(const std::string& name, const SourceRange&) override {
    if (!name.starts_with("__torch__")) return nullptr;
    return unit_.find_type(name);
  }

  /// Defines what the archive says of this name, if anything.
  void define(const std::string& qualified) {
    read_source(prefix_of(qualified));
    auto found = pending_.find(qualified);
    if (found == pending_.end()) return;
    StmtPtr stmt = std::move(found->second);
    pending_.erase(found);
    if (stmt->kind == StmtKind::class_) {
      definer_.define_class(qualified, stmt->class_def);
    } else {
      definer_.define_function(qualified, stmt->function);
    }
  }

  void set_constants(core::Values constants) {
    names_["CONSTANTS"] = std::make_shared<ConstantTable>(std::move(constants));
  }

  const TypeParser& types() const { return definer_.types(); }
  detail::Definer& definer() { return definer_; }

 private:
  class Namespace;
  StaticValuePtr make_namespace(const std::string& name);

  void read_source(const std::string& module) {
    if (module.empty() || !read_.insert(module).second) return;
    std::string file = module;
    for (char& c : file) c = c == '.' ? '/' : c;
    auto source = find_source_(file + ".py");
    // The name may be just the first part of others.
    if (!source) return;
    for (auto& stmt : parse_module(source)) {
      std::string name;
      if (stmt->kind == StmtKind::class_) {
        name = stmt->class_def->name;
      } else if (stmt->kind == StmtKind::def) {
        name = stmt->function->name;
      } else if (stmt->kind == StmtKind::assign && stmt->targets[0]->is_name("op_version_set")) {
        continue;  // Written by early versions; says nothing that the archive does not.
      } else {
        base::fail_at(stmt->range, "an archive's code consists of classes and functions only");
      }
      pending_[module + "." + name] = std::move(stmt);
    }
  }

  ir::Unit& unit_;
  FindSource find_source_;
  detail::Definer definer_;
  std::unordered_map<std::string, StaticValuePtr> names_;
  std::unordered_set<std::string> read_;
  std::unordered_map<std::string, StmtPtr> pending_;
};

/// A dotted name that means nothing by itself yet: `__torch__.a`.
class Importer::Impl::Namespace final : public StaticValue {
 public:
  Namespace(Impl& importer, std::string name) : importer_(importer), name_(std::move(name)) {}
  std::string kind() const override { return "the name " + name_; }
  StaticValuePtr attribute(Emission&, const Range&, const std::string& name) override {
    std::string qualified = name_ + "." + name;
    if (TypePtr type = importer_.unit_.find_type(qualified)) {
      if (type->is(core::TypeKind::tuple)) {
        return std::make_shared<detail::NamedTupleConstructor>(type);
      }
      if (type->is(core::TypeKind::enumeration)) return std::make_shared<detail::EnumClass>(type);
      if (auto found = importer_.unit_.find_class(qualified)) {
        return std::make_shared<detail::ClassValue>(found);
      }
    }
    if (ir::Function* function = importer_.unit_.find_function(qualified)) {
      return std::make_shared<detail::FunctionValue>(*function);
    }
    return importer_.make_namespace(qualified);
  }

 private:
  Impl& importer_;
  std::string name_;
};

StaticValuePtr Importer::Impl::make_namespace(const std::string& name) {
  return std::make_shared<Namespace>(*this, name);
}

Importer::Importer(ir::Unit& unit, core::Values constants, FindSource find_source)
    : impl_(std::make_unique<Impl>(unit, std::move(constants), std::move(find_source))) {
  unit.set_resolver(
      [impl = impl_.get()](ir::Unit&, const std::string& name) { impl->define(name); });
}

Importer::~Importer() = default;

void Importer::set_constants(core::Values constants) { impl_->set_constants(std::move(constants)); }

void Importer::set_revise(std::function<void(ir::Function&)> revise) {
  impl_->definer().set_revise(std::move(revise));
}

TypePtr Importer::resolve_type(const std::string& qualified) {
  TypePtr type = impl_->resolve_type(qualified, {});
  base::check(type != nullptr, "the archive's code does not define ", qualified);
  return type;
}

TypePtr Importer::parse_type(const std::string& text) { return impl_->types().parse(text); }

void Importer::define_methods(const core::ClassTypePtr& type,
                              const std::shared_ptr<const base::Source>& source) {
  for (const auto& stmt : parse_module(source)) {
    if (stmt->kind == StmtKind::def) impl_->definer().define_method(type, stmt->function);
  }
}

}  // namespace assay::script
