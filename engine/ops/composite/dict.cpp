#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/composite/host.h"

namespace assay::ops::composite {

using core::DictObject;
using core::DictRef;
using core::Value;
using core::Values;

namespace {

[[noreturn]] void no_such_key(const Value& key) { base::fail("KeyError: ", core::display(key)); }

Value pair(const DictObject::Entry& entry) {
  return Value(core::make_tuple({entry.key, entry.value}));
}

void keys(Call& c) {
  const DictObject& dict = c.arg(0).dict();
  Values all;
  for (const auto& entry : dict.entries()) all.push_back(entry.key);
  c.finish(Value(core::make_list(dict.key, std::move(all))));
}

void values(Call& c) {
  const DictObject& dict = c.arg(0).dict();
  Values all;
  for (const auto& entry : dict.entries()) all.push_back(entry.value);
  c.finish(Value(core::make_list(dict.value, std::move(all))));
}

void items(Call& c) {
  const DictObject& dict = c.arg(0).dict();
  Values all;
  for (const auto& entry : dict.entries()) all.push_back(pair(entry));
  c.finish(Value(core::make_list(core::tuple_of({dict.key, dict.value}), std::move(all))));
}

/// get: None, or the default where one is given.
void get(Call& c) {
  const Value* found = c.arg(0).dict().find(c.arg(1));
  c.finish(found ? *found : c.args.size() > 2 ? c.arg(2) : Value());
}

void setdefault(Call& c) {
  DictObject& dict = c.arg(0).dict();
  if (const Value* found = dict.find(c.arg(1))) return c.finish(*found);
  dict.set(c.arg(1), c.arg(2));
  c.finish(c.arg(2));
}

void popitem(Call& c) {
  DictObject& dict = c.arg(0).dict();
  base::check(dict.size() > 0, "popitem(): dictionary is empty");
  DictObject::Entry last = dict.entries().back();
  dict.erase(last.key);
  c.finish(pair(last));
}

void update(Call& c) {
  DictObject& dict = c.arg(0).dict();
  auto entries = c.arg(1).dict().entries();  // A copy: a dictionary may be updated by itself.
  for (const auto& entry : entries) dict.set(entry.key, entry.value);
  c.finish(Values{});
}

/// dict(): empty, a copy, or from a list of pairs.
void make_dict_of(Call& c) {
  if (c.args.empty()) {
    return c.finish(Value(core::make_dict(core::string_type(), core::tensor_type())));
  }
  if (c.arg(0).is_dict()) return copy_dict(c);
  const auto& list = c.arg(0).list();
  bool typed = list.element->is(core::TypeKind::tuple) && list.element->contained().size() == 2;
  const Value* first = list.items.empty() ? nullptr : &list.items[0];
  base::check(typed || first, "dict(): the types of an empty list's pairs are not known");
  auto part = [&](size_t i) {
    return typed ? list.element->contained()[i] : first->tuple().items[i].type();
  };
  DictRef dict = core::make_dict(part(0), part(1));
  for (const Value& entry : list.items) {
    base::check(entry.tuple().items.size() == 2, "dict() takes a list of pairs");
    dict->set(entry.tuple().items[0], entry.tuple().items[1]);
  }
  c.finish(Value(std::move(dict)));
}

}  // namespace

void pop_from_dict(Call& c) {
  DictObject& dict = c.arg(0).dict();
  const Value* found = dict.find(c.arg(1));
  if (!found && c.args.size() < 3) no_such_key(c.arg(1));
  Value taken = found ? *found : c.arg(2);
  if (found) dict.erase(c.arg(1));
  c.finish(std::move(taken));
}

void get_dict_item(Call& c) {
  const Value* found = c.arg(0).dict().find(c.arg(1));
  if (!found) no_such_key(c.arg(1));
  c.finish(*found);
}

void set_dict_item(Call& c) {
  c.arg(0).dict().set(c.arg(1), c.arg(2));
  c.finish(Values{});
}

void delete_dict_item(Call& c) {
  if (!c.arg(0).dict().erase(c.arg(1))) no_such_key(c.arg(1));
  c.finish(Values{});
}

void copy_dict(Call& c) {
  const DictObject& from = c.arg(0).dict();
  DictRef copy = core::make_dict(from.key, from.value);
  for (const auto& entry : from.entries()) copy->set(entry.key, entry.value);
  c.finish(Value(std::move(copy)));
}

std::span<const Kernel> dict_composites() {
  static const auto kernels = host_kernels({
      {"aten::keys", keys},
      {"aten::values", values},
      {"aten::items", items},
      {"aten::get", get},
      {"aten::setdefault", setdefault},
      {"aten::popitem", popitem},
      {"aten::update", update},
      {"aten::dict", make_dict_of},
  });
  return kernels;
}

}  // namespace assay::ops::composite
