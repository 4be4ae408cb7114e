#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ops/schema.h"

namespace assay::ops {

/// Why a call does not fit a schema.
struct Mismatch {
  enum class Kind : uint8_t {
    too_many,         ///< More positional arguments than parameters.
    missing,          ///< A parameter without argument and default.
    wrong_type,       ///< An argument that its parameter does not take; the view knows why.
    unknown_keyword,  ///< A keyword that names no parameter.
    given_twice,      ///< A keyword whose parameter has an argument already.
  };
  Kind kind;
  std::string name = {};  ///< Of the parameter or keyword.
  size_t given = 0;       ///< too_many: how many there are.
};

/// The mismatch in a few words; empty for wrong_type.
std::string describe(const Mismatch& mismatch, const Schema& schema);

/// The value of a parameter that a call leaves out. A default of `int[2]` may be written once and
/// is meant twice.
core::Value default_of(const Argument& parameter);

/// Whether the parameter is a list without a fixed length that positional arguments may give one by
/// one, as in `view(x, 2, 3)`: the last one that has a position.
bool takes_rest(const Schema& schema, size_t parameter);

/// Gives the arguments of a call to the parameters of a schema: positional ones in order, keywords
/// by name, defaults for the rest. Static types, values of a graph and values at run time are
/// bound by this one algorithm; they differ in what an argument is, which the view says. Arguments
/// are numbered: the positional ones, then the keywords. Nothing where the call fits.
///
/// A view is a class with
///   size_t positional(), keywords();     how many there are
///   std::string_view keyword(size_t i);  the i-th keyword's name
///   bool has_self(size_t parameter);     whether an argument apart from the others is meant for it
///   bool may_gather(size_t parameter, size_t argument);  whether arguments from this one on may
///                                        be the items of this parameter, which takes_rest
/// and, to take what was found, in the order of the parameters,
///   bool take(size_t parameter, size_t argument);  false: it does not fit
///   bool take_self(size_t parameter);
///   bool gather(size_t parameter, size_t first, size_t count);  as take; the items of a list
///   bool take_default(size_t parameter);
///   void take_vararg(size_t argument);
template <typename View>
class Binder {
 public:
  Binder(const Schema& schema, View& view) : schema_(schema), view_(view) {
    if (view.keywords() == 0) return;
    used_.resize(view.keywords());
    for (size_t i = 0; i < view.keywords(); ++i) keywords_.try_emplace(view.keyword(i), i);
  }

  std::optional<Mismatch> run() {
    size_t parameters = schema_.arguments.size();
    for (size_t i = 0; i < parameters; ++i) {
      if (auto mismatch = fill(i)) return mismatch;
    }
    if (next_ < view_.positional() && !schema_.vararg) {
      return Mismatch{Mismatch::Kind::too_many, {}, view_.positional()};
    }
    for (; next_ < view_.positional(); ++next_) view_.take_vararg(next_);
    for (size_t i = 0; i < used_.size(); ++i) {
      if (used_[i]) continue;
      std::string name(view_.keyword(i));
      bool known = schema_.find_argument(name).has_value();
      return Mismatch{known ? Mismatch::Kind::given_twice : Mismatch::Kind::unknown_keyword, name};
    }
    return std::nullopt;
  }

 private:
  std::optional<Mismatch> fill(size_t i) {
    const Argument& parameter = schema_.arguments[i];
    auto fits = [&](bool taken) {
      return taken ? std::nullopt
                   : std::optional(Mismatch{Mismatch::Kind::wrong_type, parameter.name});
    };
    if (view_.has_self(i)) return fits(view_.take_self(i));
    if (!parameter.kwarg_only && next_ < view_.positional()) {
      if (takes_rest(schema_, i) && view_.may_gather(i, next_)) {
        size_t first = std::exchange(next_, view_.positional());
        return fits(view_.gather(i, first, next_ - first));
      }
      return fits(view_.take(i, next_++));
    }
    if (auto keyword = find(parameter)) {
      used_[*keyword] = true;
      return fits(view_.take(i, view_.positional() + *keyword));
    }
    if (!parameter.default_value) return Mismatch{Mismatch::Kind::missing, parameter.name};
    return fits(view_.take_default(i));
  }

  std::optional<size_t> find(const Argument& parameter) const {
    if (keywords_.empty()) return std::nullopt;
    auto found = keywords_.find(parameter.name);
    if (found == keywords_.end() && !parameter.other_name.empty()) {
      found = keywords_.find(parameter.other_name);
    }
    return found == keywords_.end() ? std::nullopt : std::optional(found->second);
  }

  const Schema& schema_;
  View& view_;
  std::unordered_map<std::string_view, size_t> keywords_;  ///< The first of each name.
  std::vector<bool> used_;                                 ///< Keywords that were taken.
  size_t next_ = 0;                                        ///< The next positional argument.
};

/// As Binder::run.
template <typename View>
std::optional<Mismatch> bind(const Schema& schema, View& view) {
  return Binder<View>(schema, view).run();
}

}  // namespace assay::ops
