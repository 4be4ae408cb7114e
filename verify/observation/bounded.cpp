#include "verify/observation/bounded.h"

#include "engine/base/error.h"

namespace assay::verify {
namespace {

using core::Value;

constexpr int max_depth = 500;
constexpr size_t max_parts = 10'000'000;
/// Each part is named by the way that leads to it: "output[0][1]".
constexpr size_t max_names = size_t{1} << 28, name_per_level = 3;

class Walk {
 public:
  explicit Walk(std::string_view what) : what_(what) {}

  void visit(const Value& value, int depth) {
    if (depth > max_depth) {
      base::unsupported(what_, " is nested deeper than ", max_depth, " levels");
    }
    if (++parts_ > max_parts) {
      base::unsupported(what_, " has more than ", max_parts, " parts");
    }
    names_ += name_per_level * static_cast<size_t>(depth);
    if (names_ > max_names) {
      base::unsupported("the names of the parts of ", what_, " are longer than ", max_names,
                        " characters together");
    }
    switch (value.tag()) {
      case Value::Tag::list:
        return visit_all(value.list().items, depth);
      case Value::Tag::tuple:
        return visit_all(value.tuple().items, depth);
      case Value::Tag::dict:
        for (const auto& entry : value.dict().entries()) {
          visit(entry.key, depth + 1);
          visit(entry.value, depth + 1);
        }
        return;
      case Value::Tag::object:
        // A module is a place of its own, not a part of what refers to it.
        if (!value.object().type->is_module()) visit_all(value.object().slots, depth);
        return;
      case Value::Tag::future:
        return visit(value.future().value, depth + 1);
      default:
        return;
    }
  }

 private:
  void visit_all(const core::Values& items, int depth) {
    for (const Value& item : items) visit(item, depth + 1);
  }

  std::string_view what_;
  size_t parts_ = 0, names_ = 0;
};

}  // namespace

void check_bounded(const Value& value, std::string_view what) { Walk(what).visit(value, 0); }

}  // namespace assay::verify
