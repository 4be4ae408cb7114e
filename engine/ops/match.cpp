#include "engine/ops/match.h"

#include <fmt/core.h>

#include "engine/base/error.h"
#include "engine/ops/bind.h"

namespace assay::ops {

using core::TypeKind;
using core::TypePtr;

namespace {

void explain(std::string* why, std::string reason) {
  if (why) *why = std::move(reason);
}

bool has_variables(const TypePtr& type) {
  if (type->is(TypeKind::var)) return true;
  for (const auto& part : type->contained()) {
    if (has_variables(part)) return true;
  }
  return false;
}

bool bind_variable(const TypePtr& formal, const TypePtr& actual, TypeVariables& variables,
                   std::string* why) {
  auto [place, fresh] = variables.try_emplace(formal->name(), actual);
  if (fresh || core::same_type(place->second, actual)) return true;
  if (auto both = core::unify(place->second, actual)) {
    place->second = *both;
    return true;
  }
  explain(why, fmt::format("type variable '{}' was {} and cannot be {} too", formal->name(),
                           place->second->str(), actual->str()));
  return false;
}

/// Static types as the binder sees them (ops/bind.h).
class TypeView {
 public:
  TypeView(const Schema& schema, std::span<const Actual> actuals)
      : schema_(schema), actuals_(actuals) {
    while (positional_ < actuals.size() && actuals[positional_].name.empty()) ++positional_;
  }

  size_t positional() const { return positional_; }
  size_t keywords() const { return actuals_.size() - positional_; }
  std::string_view keyword(size_t i) const { return actuals_[positional_ + i].name; }
  static bool has_self(size_t) { return false; }
  static bool take_self(size_t) { return false; }
  static bool may_gather(size_t, size_t) { return false; }
  static bool gather(size_t, size_t, size_t) { return false; }

  bool take(size_t parameter, size_t argument) {
    const Argument& formal = schema_.arguments[parameter];
    const TypePtr& type = actuals_[argument].type;
    TypeVariables trial = variables_;
    if (!bind_type(formal.type, type, trial)) {
      why_ =
          fmt::format("expected a value of type '{}' for argument '{}' but instead found type '{}'",
                      formal.type->annotation(), formal.name, type->annotation());
      return false;
    }
    variables_ = std::move(trial);
    match_.arguments.emplace_back(argument);
    return true;
  }

  bool take_default(size_t) {
    match_.arguments.emplace_back();
    return true;
  }

  void take_vararg(size_t argument) { match_.arguments.emplace_back(argument); }

  /// What was taken, once all fits.
  Match taken() {
    for (const auto& result : schema_.returns) {
      match_.returns.push_back(substitute(result.type, variables_));
    }
    return std::move(match_);
  }
  /// Why the last argument was refused.
  const std::string& why() const { return why_; }

 private:
  const Schema& schema_;
  std::span<const Actual> actuals_;
  size_t positional_ = 0;
  std::string why_;
  TypeVariables variables_;
  Match match_;
};

}  // namespace

bool bind_type(const TypePtr& formal, const TypePtr& actual, TypeVariables& variables,
               std::string* why) {
  if (formal->is(TypeKind::var)) return bind_variable(formal, actual, variables, why);
  if (!has_variables(formal)) {
    if (core::is_subtype(actual, formal)) return true;
    explain(why, fmt::format("expected {} but found {}", formal->str(), actual->str()));
    return false;
  }
  if (formal->is(TypeKind::optional) && !actual->is(TypeKind::optional)) {
    // None fits Optional[t] and leaves t open.
    return actual->is(TypeKind::none) || bind_type(formal->element(), actual, variables, why);
  }
  bool alike =
      formal->kind() == actual->kind() && formal->contained().size() == actual->contained().size();
  if (!alike) {
    explain(why, fmt::format("expected {} but found {}", formal->str(), actual->str()));
    return false;
  }
  for (size_t i = 0; i < formal->contained().size(); ++i) {
    if (!bind_type(formal->contained()[i], actual->contained()[i], variables, why)) return false;
  }
  return true;
}

TypePtr substitute(const TypePtr& type, const TypeVariables& variables) {
  if (!has_variables(type)) return type;
  if (type->is(TypeKind::var)) {
    auto found = variables.find(type->name());
    return found == variables.end() ? type : found->second;
  }
  std::vector<TypePtr> parts;
  for (const auto& part : type->contained()) parts.push_back(substitute(part, variables));
  if (type->is(TypeKind::tuple)) return core::tuple_of(std::move(parts));
  if (type->is(TypeKind::optional)) return core::optional_of(parts[0]);
  return std::make_shared<core::Type>(type->kind(), std::move(parts));
}

std::optional<Match> match(const Schema& schema, std::span<const Actual> actuals,
                           std::string* why) {
  TypeView view(schema, actuals);
  auto mismatch = bind(schema, view);
  if (!mismatch) return view.taken();
  explain(why,
          mismatch->kind == Mismatch::Kind::wrong_type ? view.why() : describe(*mismatch, schema));
  return std::nullopt;
}

Resolved resolve(base::Symbol name, std::span<const Actual> actuals,
                 const base::SourceRange& range) {
  const auto& candidates = overloads(name);
  if (candidates.empty()) {
    throw base::Error(base::ErrorKind::unsupported, fmt::format("unknown operator {}", name.text()),
                      range);
  }
  std::string message = fmt::format(
      "Arguments for call are not valid.\nThe following variants of {} are available:\n",
      name.text());
  for (const Operator* op : candidates) {
    std::string why;
    if (auto found = match(op->schema, actuals, &why)) return {op, std::move(*found)};
    message += fmt::format("\n  {}:\n    {}\n", op->schema.str(), why);
  }
  base::fail_at(range, message);
}

}  // namespace assay::ops
