#include "verify/spec/spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::verify {

namespace {

struct DTypeName {
  core::DType dtype;
  std::string_view name;
};
constexpr std::array<DTypeName, 12> dtype_names{{{core::DType::float32, "f32"},
                                                 {core::DType::float64, "f64"},
                                                 {core::DType::float16, "f16"},
                                                 {core::DType::bfloat16, "bf16"},
                                                 {core::DType::int64, "i64"},
                                                 {core::DType::int32, "i32"},
                                                 {core::DType::int16, "i16"},
                                                 {core::DType::int8, "i8"},
                                                 {core::DType::uint8, "u8"},
                                                 {core::DType::boolean, "bool"},
                                                 {core::DType::complex64, "c64"},
                                                 {core::DType::complex128, "c128"}}};

void add_places(const std::string& path, const InputTree& tree, bool may_be_absent,
                std::vector<InputPlace>& out) {
  out.push_back({path, &tree, may_be_absent});
  for (size_t i = 0; i < tree.children.size(); ++i) {
    bool dict = tree.kind == InputTree::Kind::dict;
    std::string child = tree.kind == InputTree::Kind::repeated ? path
                        : !tree.keys.empty() ? fmt::format("{}.{}", path, tree.keys[i])
                                             : fmt::format("{}.{}", path, i);
    add_places(child, tree.children[i], dict && tree.key_optional[i], out);
  }
}

void collect_letters(const ValueBound& bound, std::set<std::string>& into) {
  if (auto* expr = std::get_if<SizeExpr>(&bound)) expr->collect_letters(into);
}

std::set<std::string> letters_of(const std::vector<Interval>& domain) {
  std::set<std::string> letters;
  for (const Interval& interval : domain) {
    interval.low.collect_letters(letters);
    interval.high.collect_letters(letters);
  }
  return letters;
}

void check_bound(const std::set<std::string>& known, const std::set<std::string>& used,
                 const std::string& where) {
  for (const std::string& letter : used) {
    base::check(known.count(letter) != 0, "letter '", letter, "' in ", where,
                " has no range: add --dim ", letter, "=LOW..HIGH");
  }
}

void check_dims(const Spec& spec, const std::set<std::string>& known) {
  std::set<std::string> seen;
  for (const Dim& dim : spec.dims) {
    base::check(seen.insert(dim.letter).second, "dim ", dim.letter, " is given twice");
    base::check(!dim.domain.empty(), "dim ", dim.letter, " has no sizes");
    check_bound(known, letters_of(dim.domain), fmt::format("dim {}", dim.letter));
    for (const Interval& interval : dim.domain) {
      base::check(interval.step > 0, "dim ", dim.letter, ": a step must be at least 1");
      if (!letters_of({interval}).empty()) continue;
      int64_t low = interval.low.evaluate({}), high = interval.high.evaluate({});
      std::string said =
          interval.low.is_number()
              ? ""
              : fmt::format(": {} is {}; a range is written 1..3", interval.low.text(), low);
      base::check(low >= 0, "dim ", dim.letter, ": a size cannot be negative", said);
      base::check(low <= high, "dim ", dim.letter, ": the range ", low, "..", high, " is empty");
    }
  }
  (void)dims_in_order(spec);
}

void check_value_range(const InputPlace& place) {
  if (!place.tree->range) return;
  auto number = [](const ValueBound& bound) -> std::optional<double> {
    if (auto* value = std::get_if<double>(&bound)) return *value;
    const SizeExpr& expr = std::get<SizeExpr>(bound);
    if (!expr.is_number()) return std::nullopt;
    return static_cast<double>(expr.evaluate({}));
  };
  std::optional<double> low = number(place.tree->range->low);
  std::optional<double> high = number(place.tree->range->high);
  base::check(!low || !high || *low <= *high, "input ", place.path,
              ": the range of values is empty");
}

void check_place(const Spec& spec, const InputPlace& place, const std::set<std::string>& known) {
  std::set<std::string> used;
  std::set<std::string> packs;
  for (const ShapeItem& item : place.tree->shape) {
    if (item.kind == ShapeItem::Kind::size) item.size.collect_letters(used);
    if (item.kind != ShapeItem::Kind::pack) continue;
    base::check(packs.insert(item.name).second, "input ", place.path, ": *", item.name,
                " occurs twice in one shape");
    base::check(known.count(item.name) == 0, "'", item.name, "' is both a letter and a pack");
  }
  if (place.tree->kind == InputTree::Kind::repeated) place.tree->count.collect_letters(used);
  if (place.tree->range) {
    collect_letters(place.tree->range->low, used);
    collect_letters(place.tree->range->high, used);
  }
  check_bound(known, used, fmt::format("input {}", place.path));
  check_value_range(place);
  (void)spec;
}

void check_words(const Spec& spec, const std::vector<InputPlace>& places) {
  auto known = [&](const std::string& path, std::string_view flag) {
    bool found = path == "*" || std::any_of(places.begin(), places.end(),
                                            [&](const InputPlace& p) { return p.path == path; });
    base::check(found, "--", flag, ": there is no input '", path, "'");
  };
  for (const auto& [axis, by_path] : spec.input_choices) {
    for (const auto& [path, choices] : by_path) known(path, categorical_axis(axis).flag);
  }
  for (const auto& [path, dtypes] : spec.dtypes) known(path, "dtypes");
  for (const auto& group : spec.aliases) {
    base::check(group.size() >= 2, "--aliases: a group needs two inputs or more");
    for (const std::string& path : group) known(path, "aliases");
  }
}

/// The choices of a per-input axis at a place: its own, else those for "*", else the initial ones.
std::vector<std::string> choices_at(const Spec& spec, CategoricalAxis axis,
                                    const std::string& path) {
  auto by_path = spec.input_choices.find(axis);
  if (by_path != spec.input_choices.end()) {
    for (const std::string& key : {path, std::string("*")}) {
      auto found = by_path->second.find(key);
      if (found != by_path->second.end()) return found->second;
    }
  }
  return base::split(categorical_axis(axis).initial, ',');
}

std::vector<std::string> dtypes_at(const Spec& spec, const InputPlace& place) {
  std::vector<std::string> choices{std::string(dtype_name(place.tree->dtype))};
  auto own = spec.dtypes.find(place.path);
  if (own == spec.dtypes.end() && core::is_floating(place.tree->dtype)) {
    own = spec.dtypes.find("*");
  }
  if (own == spec.dtypes.end()) return choices;
  choices.clear();
  for (core::DType dtype : own->second) choices.emplace_back(dtype_name(dtype));
  return choices;
}

/// The options that mean something at this place, of those that the spec allows.
std::vector<std::string> options_at(const Spec& spec, const InputPlace& place) {
  std::vector<std::string> choices;
  for (const std::string& choice : choices_at(spec, CategoricalAxis::options, place.path)) {
    bool fits = choice == "tensor" || (choice == "none" && place.tree->optional) ||
                (choice == "absent" && place.may_be_absent) ||
                (choice == "reversed" && place.tree->kind == InputTree::Kind::dict);
    if (fits) choices.push_back(choice);
  }
  // An option that nothing at this place allows was asked for "*" and is meant for others.
  if (choices.empty()) choices.push_back("tensor");
  return choices;
}

std::vector<std::string> layouts_at(const Spec& spec, const InputPlace& place) {
  std::vector<std::string> choices;
  size_t rank = place.tree->shape.size();
  bool open = std::any_of(place.tree->shape.begin(), place.tree->shape.end(),
                          [](const auto& item) { return item.kind == ShapeItem::Kind::pack; });
  for (const std::string& choice : choices_at(spec, CategoricalAxis::layouts, place.path)) {
    bool fits = open || choice == "contiguous" ||
                (choice == "channels_last" && (rank == 4 || rank == 5)) ||
                (choice == "transposed" && rank >= 2) ||
                ((choice == "strided" || choice == "expanded") && rank >= 1);
    if (fits) choices.push_back(choice);
  }
  if (choices.empty()) choices.push_back("contiguous");
  return choices;
}

bool takes_values(const InputTree& tree) {
  if (tree.is_given()) return false;
  switch (tree.kind) {
    case InputTree::Kind::tensor:
    case InputTree::Kind::integer:
    case InputTree::Kind::floating:
    case InputTree::Kind::boolean:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool InputTree::is_given() const {
  if (kind == Kind::text) return texts.size() == 1 && !optional;
  bool scalar = kind == Kind::integer || kind == Kind::floating || kind == Kind::boolean;
  if (!scalar || optional || !range || !(range->low == range->high)) return false;
  const auto* size = std::get_if<SizeExpr>(&range->low);
  return !size || size->is_number();
}

const std::vector<CategoricalAxisInfo>& categorical_axes() {
  static const std::vector<CategoricalAxisInfo> rows{
#define WHOLE_RUN_AXIS(name, kind, choices, initial, meaning) \
  {CategoricalAxis::name, #name, kind, choices, initial, meaning, false},
#define PER_INPUT_AXIS(name, kind, choices, initial, meaning) \
  {CategoricalAxis::name, #name, kind, choices, initial, meaning, true},
#include "verify/spec/axes.def"
  };
  return rows;
}

const CategoricalAxisInfo& categorical_axis(CategoricalAxis axis) {
  return categorical_axes()[static_cast<size_t>(axis)];
}

bool operator==(const Spec& a, const Spec& b) {
  return a.inputs == b.inputs && a.dims == b.dims && a.ranks == b.ranks && a.devices == b.devices &&
         a.choices == b.choices && a.input_choices == b.input_choices && a.dtypes == b.dtypes &&
         a.aliases == b.aliases && a.calls == b.calls && a.seeds == b.seeds &&
         a.exports == b.exports && a.properties == b.properties && a.atol == b.atol &&
         a.rtol == b.rtol;
}

void validate(const Spec& spec) {
  std::set<std::string> known;
  for (const Dim& dim : spec.dims) known.insert(dim.letter);
  check_dims(spec, known);
  std::set<std::string> names;
  bool keyword = false;
  for (const Input& input : spec.inputs) {
    base::check(names.insert(input.name).second, "input ", input.name, " is given twice");
    base::check(input.keyword || !keyword, "input ", input.name,
                ": a positional input cannot follow one by keyword");
    keyword = keyword || input.keyword;
  }
  std::vector<InputPlace> places = input_places(spec);
  for (const InputPlace& place : places) check_place(spec, place, known);
  check_words(spec, places);
  base::check(!spec.devices.empty(), "--devices: no device is left");
  for (const auto& [name, range] : spec.ranks) {
    base::check(range.first >= 0 && range.first <= range.second && range.second <= 16, "--ranks ",
                name, ": the range ", range.first, "..", range.second, " is not within 0..16");
  }
}

void check_letters_are_used(const Spec& spec) {
  if (spec.inputs.empty()) return;
  std::set<std::string> used;
  for (const InputPlace& place : input_places(spec)) {
    for (const ShapeItem& item : place.tree->shape) item.size.collect_letters(used);
    place.tree->count.collect_letters(used);
    if (!place.tree->range) continue;
    for (const ValueBound* end : {&place.tree->range->low, &place.tree->range->high}) {
      if (const auto* size = std::get_if<SizeExpr>(end)) size->collect_letters(used);
    }
  }
  for (const Dim& dim : spec.dims) {
    for (const Interval& interval : dim.domain) {
      interval.low.collect_letters(used);
      interval.high.collect_letters(used);
    }
  }
  for (const Dim& dim : spec.dims) {
    base::check(used.count(dim.letter) > 0, "--dim ", dim.letter, ": no input has a size '",
                dim.letter, "'");
  }
}

std::vector<InputPlace> input_places(const Spec& spec) {
  std::vector<InputPlace> places;
  for (const Input& input : spec.inputs) add_places(input.name, input.tree, false, places);
  return places;
}

namespace {

/// Whether some of the floating-point inputs get other element types, and others keep theirs: then
/// it is open whether the model goes with the ones or the others.
bool differ_in_dtypes(const Spec& spec) {
  bool varied = false, fixed = false;
  for (const InputPlace& place : input_places(spec)) {
    bool floats =
        place.tree->kind == InputTree::Kind::tensor && core::is_floating(place.tree->dtype);
    if (floats) (dtypes_at(spec, place).size() > 1 ? varied : fixed) = true;
  }
  return varied && fixed;
}

/// What an axis without choices of its own takes.
std::vector<std::string> usual_choices(const Spec& spec, const CategoricalAxisInfo& info) {
  bool both_casts = info.axis == CategoricalAxis::casts && differ_in_dtypes(spec);
  return base::split(both_casts ? info.choices : info.initial, ',');
}

}  // namespace

std::vector<ChoiceAxis> choice_axes(const Spec& spec) {
  std::vector<ChoiceAxis> axes;
  ChoiceAxis device{"device", "device", "", {}};
  for (const core::Device& d : spec.devices) device.choices.push_back(d.text());
  axes.push_back(std::move(device));
  for (const CategoricalAxisInfo& info : categorical_axes()) {
    if (info.per_input) continue;
    auto given = spec.choices.find(info.axis);
    axes.push_back({std::string(info.kind), std::string(info.kind), "",
                    given != spec.choices.end() ? given->second : usual_choices(spec, info)});
  }
  auto numbers = [&](const char* kind, std::optional<std::pair<int64_t, int64_t>> range,
                     int64_t only) {
    ChoiceAxis axis{kind, kind, "", {}};
    auto [low, high] = range.value_or(std::pair{only, only});
    for (int64_t k = low; k <= high; ++k) axis.choices.push_back(std::to_string(k));
    axes.push_back(std::move(axis));
  };
  numbers("call", spec.calls, 1);
  numbers("seed", spec.seeds, 0);
  numbers("export", spec.exports, 1);
  for (const InputPlace& place : input_places(spec)) {
    auto add = [&](const char* kind, std::vector<std::string> choices) {
      axes.push_back(
          {fmt::format("{} {}", kind, place.path), kind, place.path, std::move(choices)});
    };
    std::vector<std::string> options = options_at(spec, place);
    if (options.size() > 1 || options[0] != "tensor") add("option", std::move(options));
    if (place.tree->kind == InputTree::Kind::tensor) {
      add("dtype", dtypes_at(spec, place));
      add("layout", layouts_at(spec, place));
    }
    if (takes_values(*place.tree))
      add("value", choices_at(spec, CategoricalAxis::values, place.path));
  }
  for (const auto& group : spec.aliases) {
    axes.push_back({fmt::format("alias {}", base::join(group, "=")),
                    "alias",
                    base::join(group, "="),
                    {"apart", "same"}});
  }
  return axes;
}

std::vector<const Dim*> dims_in_order(const Spec& spec) {
  std::vector<const Dim*> order;
  std::set<std::string> done, open;
  std::function<void(const Dim&)> visit = [&](const Dim& dim) {
    if (done.count(dim.letter)) return;
    base::check(open.insert(dim.letter).second, "dim ", dim.letter, " depends on itself");
    for (const std::string& letter : letters_of(dim.domain)) {
      for (const Dim& other : spec.dims) {
        if (other.letter == letter) visit(other);
      }
    }
    done.insert(dim.letter);
    order.push_back(&dim);
  };
  for (const Dim& dim : spec.dims) visit(dim);
  return order;
}

std::string_view dtype_name(core::DType dtype) {
  for (const DTypeName& row : dtype_names) {
    if (row.dtype == dtype) return row.name;
  }
  base::unreachable("element type without a short name");
}

std::string no_dtype(std::string_view name) {
  std::vector<std::string> known;
  for (const DTypeName& row : dtype_names) known.emplace_back(row.name);
  return fmt::format("there is no element type '{}': {}", name, base::join(known, ", "));
}

std::optional<core::DType> parse_dtype(std::string_view name) {
  for (const DTypeName& row : dtype_names) {
    if (row.name == name) return row.dtype;
  }
  return core::dtype_from_name(name);
}

}  // namespace assay::verify
