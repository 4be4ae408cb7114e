#include "engine/ops/match.h"

#include <algorithm>

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
  explain(why, base::cat("type variable '", formal->name(), "' was ", place->second->str(),
                         " and cannot be ", actual->str(), " too"));
  return false;
}

/// Fills one formal argument from one actual.
class ArgumentMatcher {
 public:
  ArgumentMatcher(const Argument& formal, bool conversions, TypeVariables& variables)
      : formal_(formal), conversions_(conversions), variables_(variables) {}

  std::optional<Binding> from(const Actual& actual, size_t position, std::string* why) {
    Binding binding{{position}, Conversion::none, nullptr};
    const TypePtr& type = actual.type;
    if (bind(formal_.type, type, why)) {
      binding.type = substitute(formal_.type, variables_);
      bool none = type->is(TypeKind::none) && formal_.type->is(TypeKind::optional);
      if (none) binding.conversion = Conversion::none_to_optional;
      return binding;
    }
    const TypePtr& wanted =
        formal_.type->is(TypeKind::optional) ? formal_.type->element() : formal_.type;
    auto conversion = convert(wanted, type);
    if (!conversion) {
      explain(why, base::cat("expected a value of type '", formal_.type->annotation(),
                             "' for argument '", formal_.name, "' but instead found type '",
                             type->annotation(), "'"));
      return std::nullopt;
    }
    binding.conversion = *conversion;
    binding.type = substitute(wanted, variables_);
    return binding;
  }

 private:
  bool bind(const TypePtr& formal, const TypePtr& actual, std::string* why) {
    if (!has_variables(formal)) return core::is_subtype(actual, formal);
    TypeVariables trial = variables_;
    if (!bind_type(formal, actual, trial, why)) return false;
    variables_ = std::move(trial);
    return true;
  }

  std::optional<Conversion> convert(const TypePtr& wanted, const TypePtr& actual) {
    if (wanted->is(TypeKind::list)) return convert_to_list(wanted, actual);
    if (!conversions_) return std::nullopt;
    if (actual->is(TypeKind::tensor)) {
      if (wanted->is(TypeKind::integer)) return Conversion::tensor_to_int;
      if (wanted->is(TypeKind::floating)) return Conversion::tensor_to_float;
      if (wanted->is(TypeKind::complex)) return Conversion::tensor_to_complex;
      if (wanted->is(TypeKind::number)) return Conversion::tensor_to_number;
    }
    if (actual->is(TypeKind::string) && wanted->is(TypeKind::device)) {
      return Conversion::string_to_device;
    }
    return std::nullopt;
  }

  std::optional<Conversion> convert_to_list(const TypePtr& wanted, const TypePtr& actual) {
    if (actual->is(TypeKind::tuple)) {
      TypeVariables trial = variables_;
      for (const auto& member : actual->contained()) {
        bool fits = bind_type(wanted->element(), member, trial) ||
                    (conversions_ && convert(wanted->element(), member));
        if (!fits) return std::nullopt;
      }
      variables_ = std::move(trial);
      return Conversion::tuple_to_list;
    }
    bool repeats = formal_.list_size && core::is_subtype(actual, wanted->element());
    if (repeats) return Conversion::repeat_to_list;
    return std::nullopt;
  }

  const Argument& formal_;
  bool conversions_;
  TypeVariables& variables_;
};

/// Static types as the binder sees them (ops/bind.h).
class TypeView {
 public:
  TypeView(const Schema& schema, std::span<const Actual> actuals, bool conversions)
      : schema_(schema), actuals_(actuals), conversions_(conversions) {
    while (positional_ < actuals.size() && actuals[positional_].name.empty()) ++positional_;
  }

  size_t positional() const { return positional_; }
  size_t keywords() const { return actuals_.size() - positional_; }
  std::string_view keyword(size_t i) const { return actuals_[positional_ + i].name; }
  static bool has_self(size_t) { return false; }
  static bool take_self(size_t) { return false; }

  bool may_spell(size_t parameter, size_t first) const {
    const TypePtr& type = actuals_[first].type;
    if (type->is(TypeKind::list) || type->is(TypeKind::tuple)) return false;
    const TypePtr& element = schema_.arguments[parameter].type->element();
    return std::all_of(actuals_.begin() + static_cast<std::ptrdiff_t>(first),
                       actuals_.begin() + static_cast<std::ptrdiff_t>(positional_),
                       [&](const Actual& item) { return is_item(item.type, element); });
  }

  bool spell(size_t parameter, size_t first, size_t count) {
    Binding binding{{}, Conversion::gather_to_list, schema_.arguments[parameter].type};
    for (size_t k = 0; k < count; ++k) binding.actuals.push_back(first + k);
    match_.bindings.push_back(std::move(binding));
    return true;
  }

  bool take(size_t parameter, size_t argument) {
    ArgumentMatcher matcher(schema_.arguments[parameter], conversions_, variables_);
    auto binding = matcher.from(actuals_[argument], argument, &why_);
    if (!binding) return false;
    match_.bindings.push_back(std::move(*binding));
    return true;
  }

  bool take_default(size_t parameter) {
    const TypePtr& type = schema_.arguments[parameter].type;
    match_.bindings.push_back({{}, Conversion::none, substitute(type, variables_)});
    return true;
  }

  void take_vararg(size_t argument) {
    match_.bindings.push_back({{argument}, Conversion::none, actuals_[argument].type});
  }

  /// What was taken, once all fits.
  Match taken() {
    for (const auto& result : schema_.returns) {
      match_.returns.push_back(substitute(result.type, variables_));
    }
    // What was bound first may have been widened by later arguments.
    for (size_t i = 0; i < schema_.arguments.size(); ++i) {
      if (has_variables(schema_.arguments[i].type)) {
        match_.bindings[i].type = substitute(schema_.arguments[i].type, variables_);
      }
    }
    return std::move(match_);
  }
  /// Why the last argument was refused.
  const std::string& why() const { return why_; }

 private:
  bool is_item(const TypePtr& type, const TypePtr& element) const {
    bool implicit = conversions_ && type->is(TypeKind::tensor) && element->is(TypeKind::integer);
    return core::is_subtype(type, element) || implicit;
  }

  const Schema& schema_;
  std::span<const Actual> actuals_;
  bool conversions_;
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
    explain(why, base::cat("expected ", formal->str(), " but found ", actual->str()));
    return false;
  }
  if (formal->is(TypeKind::optional) && !actual->is(TypeKind::optional)) {
    // None fits Optional[t] and leaves t open.
    return actual->is(TypeKind::none) || bind_type(formal->element(), actual, variables, why);
  }
  bool alike =
      formal->kind() == actual->kind() && formal->contained().size() == actual->contained().size();
  if (!alike) {
    explain(why, base::cat("expected ", formal->str(), " but found ", actual->str()));
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

std::optional<Match> match(const Schema& schema, std::span<const Actual> actuals, bool conversions,
                           std::string* why) {
  TypeView view(schema, actuals, conversions);
  auto misfit = bind(schema, view);
  if (!misfit) return view.taken();
  explain(why, misfit->kind == Misfit::Kind::wrong_type ? view.why() : describe(*misfit, schema));
  return std::nullopt;
}

Resolved resolve(base::Symbol name, std::span<const Actual> actuals,
                 const base::SourceRange& range) {
  const auto& candidates = overloads(name);
  if (candidates.empty()) {
    throw base::Error(base::ErrorKind::unsupported, base::cat("unknown operator ", name.text()),
                      range);
  }
  for (bool conversions : {false, true}) {
    for (const Operator* op : candidates) {
      if (auto found = match(op->schema, actuals, conversions)) return {op, std::move(*found)};
    }
  }
  std::string message = base::cat("Arguments for call are not valid.\nThe following variants of ",
                                  name.text(), " are available:\n");
  for (const Operator* op : candidates) {
    std::string why;
    match(op->schema, actuals, true, &why);
    message += base::cat("\n  ", op->schema.str(), ":\n    ", why, "\n");
  }
  base::fail_at(range, message);
}

}  // namespace assay::ops
