#include <algorithm>

#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"
#include "engine/ops/item_order.h"

namespace assay::ops::builtin {
namespace {

using core::ListObject;
using core::Value;
using core::Values;

Value new_list(const ListObject& like, Values items) {
  return Value(core::make_list(like.element, std::move(items)));
}

Values::iterator at(ListObject& list, size_t position) {
  return list.items.begin() + static_cast<std::ptrdiff_t>(position);
}

void append(Call& c) {
  c.value(arg::self).list().items.push_back(c.value(arg::el));
  c.finish(c.value(arg::self));
}

void extend(Call& c) {
  Values more = c.second().list().items;  // A copy: a list may be extended by itself.
  auto& items = c.value(arg::self).list().items;
  items.insert(items.end(), more.begin(), more.end());
  if (c.op.schema.returns.empty()) return c.finish(Values{});
  c.finish(c.value(arg::self));
}

void insert(Call& c) {
  ListObject& list = c.value(arg::self).list();
  auto n = static_cast<int64_t>(list.items.size());
  int64_t index = c.integer(arg::idx);
  if (index < 0) index = std::max<int64_t>(index + n, 0);
  list.items.insert(at(list, static_cast<size_t>(std::min(index, n))), c.value(arg::el));
  c.finish(Values{});
}

void pop_list(Call& c) {
  ListObject& list = c.value(arg::self).list();
  base::check(!list.items.empty(), "pop from empty list");
  auto position = at(list, list_position(c.integer(arg::idx), list.items.size()));
  Value taken = *position;
  list.items.erase(position);
  c.finish(std::move(taken));
}

void reverse(Call& c) {
  auto& items = c.value(arg::self).list().items;
  std::reverse(items.begin(), items.end());
  c.finish(Values{});
}

void sort_items(const Call& c, Values& items, bool descending) {
  check_sortable(items);
  std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
    return descending ? comes_before(c.context, b, a) : comes_before(c.context, a, b);
  });
}

void sort(Call& c) {
  // A copy, so that a comparison that raises leaves the list as it was.
  Values items = c.value(arg::self).list().items;
  sort_items(c, items, c.boolean(arg::reverse));
  c.value(arg::self).list().items = std::move(items);
  c.finish(Values{});
}

void sorted(Call& c) {
  Values items = c.first().list().items;
  sort_items(c, items, false);
  c.finish(new_list(c.first().list(), std::move(items)));
}

/// Position of the first element equal to the argument, or the list's length.
size_t find_element(const Call& c) {
  const auto& items = c.first().list().items;
  auto found = std::find_if(items.begin(), items.end(),
                            [&](const Value& v) { return same_element(c, v, c.second()); });
  return static_cast<size_t>(found - items.begin());
}

void index_of(Call& c) {
  size_t found = find_element(c);
  if (found == c.value(arg::self).list().items.size()) {
    base::fail("'", core::display(c.value(arg::el)), "' is not in list");
  }
  c.finish(Value(static_cast<int64_t>(found)));
}

void remove(Call& c) {
  ListObject& list = c.value(arg::self).list();
  size_t found = find_element(c);
  base::check(found < list.items.size(), "list.remove(x): x not in list");
  list.items.erase(at(list, found));
  c.finish(Values{});
}

void count_in_list(Call& c) {
  const auto& items = c.value(arg::self).list().items;
  auto n = std::count_if(items.begin(), items.end(),
                         [&](const Value& v) { return same_element(c, v, c.value(arg::el)); });
  c.finish(Value(static_cast<int64_t>(n)));
}

void get_item(Call& c) {
  const auto& items = c.first().list().items;
  c.finish(items[list_position(c.second().to_int(), items.size())]);
}

void set_list_item(Call& c) {
  auto& items = c.value(arg::l).list().items;
  items[list_position(c.integer(arg::idx), items.size())] = c.value(arg::el);
  c.finish(c.value(arg::l));
}

void delete_list_item(Call& c) {
  ListObject& list = c.value(arg::self).list();
  list.items.erase(at(list, list_position(c.integer(arg::idx), list.items.size())));
  c.finish(Values{});
}

void slice(Call& c) {
  if (c.first().is_string()) {
    const std::string& text = c.first().to_string();
    SliceRange range = slice_range(c, text.size());
    std::string out;
    for (int64_t i = 0; i < range.count; ++i) {
      out += text[static_cast<size_t>(range.start + i * range.step)];
    }
    return c.finish(Value(std::move(out)));
  }
  const ListObject& list = c.first().list();
  SliceRange range = slice_range(c, list.items.size());
  Values out;
  for (int64_t i = 0; i < range.count; ++i) {
    out.push_back(list.items[static_cast<size_t>(range.start + i * range.step)]);
  }
  c.finish(new_list(list, std::move(out)));
}

void copy_list(Call& c) { c.finish(new_list(c.first().list(), c.first().list().items)); }

/// list(): a copy of a list, or the characters of a text.
void make_list_of(Call& c) {
  if (!c.first().is_string()) return copy_list(c);
  Values characters;
  for (char character : c.first().to_string()) characters.emplace_back(std::string(1, character));
  c.finish(Value(core::make_list(core::string_type(), std::move(characters))));
}

void repeat_in_place(Call& c) {
  auto& items = c.value(arg::l).list().items;
  items = repeated(items, c.integer(arg::n));
  c.finish(c.value(arg::l));
}

void sum(Call& c) {
  core::Complex128 complex_sum = 0;
  double float_sum = 0;
  uint64_t int_sum = 0;
  const ListObject& list = c.value(arg::self).list();
  for (const Value& v : list.items) {
    core::Scalar s = v.to_scalar();
    complex_sum += s.to_complex();
    float_sum += s.to_double();
    int_sum += static_cast<uint64_t>(s.to_int());
  }
  const auto& returned = c.op.schema.returns[0].type;
  if (returned->is(core::TypeKind::complex)) return c.finish(Value(complex_sum));
  if (returned->is(core::TypeKind::floating)) return c.finish(Value(float_sum));
  c.finish(Value(static_cast<int64_t>(int_sum)));
}

bool is_true(const Value& v) {
  return v.is_string() ? !v.to_string().empty() : v.to_scalar().to_bool();
}

void any(Call& c) {
  const auto& items = c.value(arg::self).list().items;
  c.finish(Value(std::any_of(items.begin(), items.end(), is_true)));
}

void all(Call& c) {
  const auto& items = c.value(arg::self).list().items;
  c.finish(Value(std::all_of(items.begin(), items.end(), is_true)));
}

/// prim::min and prim::max: of two numbers, of two lists, or over one list.
template <bool want_max>
void extreme(Call& c) {
  auto pick = [](const Value& a, const Value& b) {
    double x = a.to_scalar().to_double(), y = b.to_scalar().to_double();
    bool ints = a.is_int() && b.is_int();
    bool second = ints ? (want_max ? a.to_int() < b.to_int() : b.to_int() < a.to_int())
                       : (want_max ? x < y : y < x);
    const Value& chosen = second ? b : a;
    bool widen = (a.is_float() || b.is_float()) && !chosen.is_float();
    return widen ? Value(chosen.to_scalar().to_double()) : chosen;
  };
  if (!c.first().is_list()) return c.finish(pick(c.first(), c.second()));
  const auto& items = c.first().list().items;
  if (c.args.size() == 1) {
    base::check(!items.empty(), want_max ? "max" : "min", "() arg is an empty sequence");
    Value best = items[0];
    for (const Value& v : items) best = pick(best, v);
    return c.finish(std::move(best));
  }
  // Lists are ordered by their first difference; a list that is the start of another is smaller.
  const auto& others = c.second().list().items;
  bool first_smaller = std::lexicographical_compare(
      items.begin(), items.end(), others.begin(), others.end(),
      [&](const Value& a, const Value& b) { return comes_before(c.context, a, b); });
  bool take_first = want_max ? !first_smaller : first_smaller;
  c.finish(take_first ? c.first() : c.second());
}

void range_list(Call& c) {
  int64_t n = c.integer(arg::n);
  base::check(n >= 0, "a list cannot have ", n, " items");
  check_length(n, 1);
  Values items;
  for (int64_t i = 0; i < n; ++i) items.emplace_back(i);
  c.finish(Value(core::make_list(core::int_type(), std::move(items))));
}

// Operators that lists share with dictionaries and texts: by the kind of the first argument.
void pop(Call& c) { c.value(arg::self).is_list() ? pop_list(c) : pop_from_dict(c); }
void set_item(Call& c) { c.value(arg::l).is_list() ? set_list_item(c) : set_dict_item(c); }
void delete_item(Call& c) {
  c.value(arg::self).is_list() ? delete_list_item(c) : delete_dict_item(c);
}
void copy(Call& c) { c.value(arg::self).is_list() ? copy_list(c) : copy_dict(c); }
void count(Call& c) { c.value(arg::self).is_list() ? count_in_list(c) : count_in_text(c); }
void index(Call& c) { c.value(arg::self).is_list() ? index_of(c) : index_in_text(c); }

void clear(Call& c) {
  if (c.value(arg::self).is_list())
    c.value(arg::self).list().items.clear();
  else
    c.value(arg::self).dict().clear();
  c.finish(Values{});
}

void item(Call& c) {
  if (c.first().is_list()) return get_item(c);
  if (c.first().is_dict()) return get_dict_item(c);
  const std::string& text = c.first().to_string();
  auto n = static_cast<int64_t>(text.size());
  int64_t at_index = c.second().to_int();
  if (at_index < 0) at_index += n;
  base::check(at_index >= 0 && at_index < n, "string index out of range");
  c.finish(Value(std::string(1, text[static_cast<size_t>(at_index)])));
}

void length(Call& c) {
  const Value& v = c.first();
  size_t n = v.is_string() ? v.to_string().size()
             : v.is_dict() ? v.dict().size()
                           : v.list().items.size();
  c.finish(Value(static_cast<int64_t>(n)));
}

void contains(Call& c) {
  const Value& v = c.first();
  if (v.is_dict()) return c.finish(Value(v.dict().find(c.second()) != nullptr));
  if (v.is_string())
    return c.finish(Value(c.first().to_string().find(c.second().to_string()) != std::string::npos));
  c.finish(Value(find_element(c) < v.list().items.size()));
}

}  // namespace

std::span<const Kernel> list_builtins() {
  static const auto kernels = host_kernels({
      {"aten::append", append},
      {"aten::extend", extend},
      {"aten::add_", extend},
      {"aten::mul_", repeat_in_place},
      {"aten::insert", insert},
      {"aten::pop", pop},
      {"aten::clear", clear},
      {"aten::copy", copy},
      {"aten::reverse", reverse},
      {"aten::sort", sort},
      {"aten::sorted", sorted},
      {"aten::index", index},
      {"aten::count", count},
      {"aten::remove", remove},
      {"aten::Delete", delete_item},
      {"aten::slice", slice},
      {"aten::select", get_item},
      {"aten::__getitem__", item},
      {"prim::StringIndex", item},
      {"aten::_set_item", set_item},
      {"aten::len", length},
      {"aten::list", make_list_of},
      {"aten::Size", copy_list},
      {"aten::__contains__", contains},
      {"aten::sum", sum},
      {"aten::any", any},
      {"aten::all", all},
      {"prim::min", extreme<false>},
      {"prim::max", extreme<true>},
      {"prim::rangelist", range_list},
  });
  return kernels;
}

}  // namespace assay::ops::builtin
