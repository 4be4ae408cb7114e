#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ops/builtin/families.h"
#include "engine/ops/builtin/host.h"

namespace assay::ops::builtin {

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
  const DictObject& dict = c.value(arg::self).dict();
  Values all;
  for (const auto& entry : dict.entries()) all.push_back(entry.key);
  c.finish(Value(core::make_list(dict.key, std::move(all))));
}

void values(Call& c) {
  const DictObject& dict = c.value(arg::self).dict();
  Values all;
  for (const auto& entry : dict.entries()) all.push_back(entry.value);
  c.finish(Value(core::make_list(dict.value, std::move(all))));
}

void items(Call& c) {
  const DictObject& dict = c.value(arg::self).dict();
  Values all;
  for (const auto& entry : dict.entries()) all.push_back(pair(entry));
  c.finish(Value(core::make_list(core::tuple_of({dict.key, dict.value}), std::move(all))));
}

/// get: None, or the default where one is given.
void get(Call& c) {
  const Value* found = c.value(arg::self).dict().find(c.value(arg::key));
  c.finish(found ? *found : c.has(arg::default_value) ? c.value(arg::default_value) : Value());
}

void setdefault(Call& c) {
  DictObject& dict = c.value(arg::self).dict();
  if (const Value* found = dict.find(c.value(arg::key))) return c.finish(*found);
  dict.set(c.value(arg::key), c.value(arg::default_value));
  c.finish(c.value(arg::default_value));
}

/// The oldest entry, as TorchScript does; Python takes the youngest.
void popitem(Call& c) {
  DictObject& dict = c.value(arg::self).dict();
  base::check(dict.size() > 0, "popitem(): dictionary is empty");
  DictObject::Entry oldest = dict.entries().front();
  dict.erase(oldest.key);
  c.finish(pair(oldest));
}

void update(Call& c) {
  DictObject& dict = c.value(arg::self).dict();
  auto entries =
      c.value(arg::to_add).dict().entries();  // A copy: a dictionary may be updated by itself.
  for (const auto& entry : entries) dict.set(entry.key, entry.value);
  c.finish(Values{});
}

/// dict(): empty, a copy, or from a list of pairs.
void make_dict_of(Call& c) {
  if (c.args.empty()) {
    return c.finish(Value(core::make_dict(core::string_type(), core::tensor_type())));
  }
  if (c.first().is_dict()) return copy_dict(c);
  const auto& list = c.first().list();
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
  DictObject& dict = c.value(arg::self).dict();
  const Value& key = c.value(arg::key);
  const Value* found = dict.find(key);
  if (!found && !c.has(arg::default_value)) no_such_key(key);
  Value taken = found ? *found : c.value(arg::default_value);
  if (found) dict.erase(key);
  c.finish(std::move(taken));
}

void get_dict_item(Call& c) {
  const Value* found = c.first().dict().find(c.second());
  if (!found) no_such_key(c.second());
  c.finish(*found);
}

void set_dict_item(Call& c) {
  c.value(arg::l).dict().set(c.value(arg::idx), c.value(arg::v));
  c.finish(Values{});
}

void delete_dict_item(Call& c) {
  if (!c.value(arg::self).dict().erase(c.value(arg::key))) no_such_key(c.value(arg::key));
  c.finish(Values{});
}

void copy_dict(Call& c) {
  const DictObject& from = c.first().dict();
  DictRef copy = core::make_dict(from.key, from.value);
  for (const auto& entry : from.entries()) copy->set(entry.key, entry.value);
  c.finish(Value(std::move(copy)));
}

std::span<const Kernel> dict_builtins() {
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

}  // namespace assay::ops::builtin
