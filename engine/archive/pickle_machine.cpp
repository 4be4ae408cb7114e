#include "engine/archive/pickle_machine.h"

#include <algorithm>
#include <charconv>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::Value;
using Kind = PickleItem::Kind;
using Op = PickleOp;

int64_t parse_integer(std::string_view text) {
  if (!text.empty() && text.back() == 'L') text.remove_suffix(1);
  int64_t value = 0;
  base::check(base::parse_int(text, value), "broken pickle: ", base::python_repr(text),
              " is not an integer of 64 bits");
  return value;
}

/// Two's complement, little-endian, any length up to 8 bytes.
int64_t parse_long(std::string_view bytes) {
  base::check(bytes.size() <= 8, "a pickled integer of ", bytes.size(),
              " bytes does not fit TorchScript's 64 bits");
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  }
  bool negative = !bytes.empty() && (static_cast<uint8_t>(bytes.back()) & 0x80);
  if (negative && bytes.size() < 8) value |= ~uint64_t{0} << (8 * bytes.size());
  return static_cast<int64_t>(value);
}

double parse_real(std::string_view text) {
  double value = 0;
  base::check(base::parse_double(text, value), "broken pickle: ", base::python_repr(text),
              " is not a number");
  return value;
}

}  // namespace

Value PickleMachine::run() {
  while (step(stream_.next())) {
  }
  Value result = pop_value();
  base::check(unbuilt_ == 0, "broken pickle: an object never gets its state");
  return result;
}

bool PickleMachine::step(const PickleInstruction& in) {
  if (in.op == Op::stop) return false;
  if (in.op == Op::proto || in.op == Op::frame) return true;
  if (!step_scalar(in) && !step_container(in) && !step_memo(in)) step_object(in);
  return true;
}

bool PickleMachine::step_scalar(const PickleInstruction& in) {
  switch (in.op) {
    case Op::none:
      return push(Value()), true;
    case Op::new_true:
      return push(Value(true)), true;
    case Op::new_false:
      return push(Value(false)), true;
    case Op::integer_line:
      // Protocol 0 writes booleans as the integers 00 and 01.
      if (in.text == "00" || in.text == "01") return push(Value(in.text == "01")), true;
      return push(Value(parse_integer(in.text))), true;
    case Op::long_line:
      return push(Value(parse_integer(in.text))), true;
    case Op::float_line:
      return push(Value(parse_real(in.text))), true;
    case Op::binint:
    case Op::binint1:
    case Op::binint2:
      return push(Value(in.number)), true;
    case Op::long1:
    case Op::long4:
      return push(Value(parse_long(in.text))), true;
    case Op::binfloat:
      return push(Value(in.real)), true;
    case Op::short_binunicode:
    case Op::binunicode:
    case Op::binunicode8:
    case Op::short_binstring:
    case Op::binstring:
    case Op::short_binbytes:
    case Op::binbytes:
    case Op::binbytes8:
      return push(Value(std::string(in.text))), true;
    default:
      return false;
  }
}

bool PickleMachine::step_container(const PickleInstruction& in) {
  auto last = [&](size_t count) {
    Items items;
    for (size_t i = 0; i < count; ++i) items.push_back(pop());
    std::reverse(items.begin(), items.end());
    return items;
  };
  switch (in.op) {
    case Op::mark:
      marks_.push_back(stack_.size());
      return true;
    case Op::empty_tuple:
      return push_tuple({}), true;
    case Op::tuple:
      return push_tuple(pop_to_mark()), true;
    case Op::tuple1:
      return push_tuple(last(1)), true;
    case Op::tuple2:
      return push_tuple(last(2)), true;
    case Op::tuple3:
      return push_tuple(last(3)), true;
    case Op::empty_list:
    case Op::list: {
      Items items = in.op == Op::list ? pop_to_mark() : Items();
      push_container(Value(core::make_list(core::any_type(), {})));
      return append_to(top(), std::move(items)), true;
    }
    case Op::empty_dict:
    case Op::dict: {
      Items items = in.op == Op::dict ? pop_to_mark() : Items();
      push_container(Value(core::make_dict(core::any_type(), core::any_type())));
      return put_into(top(), std::move(items)), true;
    }
    case Op::append:
    case Op::appends: {
      Items items = in.op == Op::append ? last(1) : pop_to_mark();
      return append_to(top(), std::move(items)), true;
    }
    case Op::setitem:
    case Op::setitems: {
      Items items = in.op == Op::setitem ? last(2) : pop_to_mark();
      return put_into(top(), std::move(items)), true;
    }
    default:
      return false;
  }
}

bool PickleMachine::step_memo(const PickleInstruction& in) {
  switch (in.op) {
    case Op::pop:
      return pop(), true;
    case Op::pop_mark:
      return pop_to_mark(), true;
    case Op::dup:
      return stack_.push_back(PickleItem(top())), true;
    case Op::get:
      return memo_get(parse_integer(in.text)), true;
    case Op::binget:
    case Op::long_binget:
      return memo_get(in.number), true;
    case Op::put:
      return memo_put(parse_integer(in.text)), true;
    case Op::binput:
    case Op::long_binput:
      return memo_put(in.number), true;
    case Op::memoize:
      return memo_put(static_cast<int64_t>(memo_.size())), true;
    default:
      return false;
  }
}

void PickleMachine::step_object(const PickleInstruction& in) {
  switch (in.op) {
    case Op::global:
      return find_global(in.text, in.second);
    case Op::stack_global: {
      std::string name = pop_value().to_string();
      return find_global(pop_value().to_string(), name);
    }
    case Op::reduce:
      return reduce();
    case Op::newobj:
      return make_object();
    case Op::build:
      return build();
    case Op::binpersid:
      return load_persistent();
    default:
      base::unreachable("pickle opcode ", name_of(in.op), " has no meaning");
  }
}

void PickleMachine::push(Value value) {
  stack_.emplace_back();
  stack_.back().value = std::move(value);
}

void PickleMachine::push_container(Value value) {
  push(std::move(value));
  stack_.back().node = new_node();
}

uint32_t PickleMachine::new_node() {
  base::check(nodes_.size() < (1u << 29), "broken pickle: too many containers");
  nodes_.emplace_back();
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void PickleMachine::nest(PickleItem& parent, const PickleItem& child) {
  if (child.node == 0) return;
  Node& outer = nodes_[parent.node];
  Node& inner = nodes_[child.node];
  bool late = outer.held || parent.node == child.node;
  base::check(!late || outer.unbuilt,
              "broken pickle: a container that is inside another one takes in a further container, "
              "before byte ",
              stream_.at());
  if (late) late_growth_ += inner.depth;
  outer.depth = std::max(outer.depth, inner.depth + 1);
  inner.held = true;
  base::check(outer.depth <= max_nesting && late_growth_ <= max_nesting - outer.depth,
              "a pickle is nested deeper than ", max_nesting, " levels");
}

PickleItem& PickleMachine::top() {
  size_t floor = marks_.empty() ? 0 : marks_.back();
  base::check(stack_.size() > floor, "broken pickle: an opcode at byte ", stream_.at(),
              " finds nothing on the stack");
  return stack_.back();
}

PickleItem PickleMachine::pop() {
  PickleItem item = std::move(top());
  stack_.pop_back();
  return item;
}

Value PickleMachine::pop_value() {
  PickleItem item = pop();
  base::check(item.kind == Kind::value,
              "broken pickle: a function, class or storage stands where "
              "a value is expected, before byte ",
              stream_.at());
  return std::move(item.value);
}

PickleMachine::Items PickleMachine::pop_to_mark() {
  base::check(!marks_.empty(), "broken pickle: no mark on the stack at byte ", stream_.at());
  auto from = stack_.begin() + static_cast<long>(marks_.back());
  Items items(std::make_move_iterator(from), std::make_move_iterator(stack_.end()));
  stack_.resize(marks_.back());
  marks_.pop_back();
  return items;
}

void PickleMachine::push_tuple(Items members) {
  bool all_values = std::all_of(members.begin(), members.end(),
                                [](const PickleItem& i) { return i.kind == Kind::value; });
  PickleItem tuple;
  if (!all_values) {
    tuple.kind = Kind::raw_tuple;
    tuple.index = static_cast<uint32_t>(raw_tuples_.size());
    raw_tuples_.push_back(std::move(members));
  } else {
    tuple.node = new_node();
    core::Values values;
    values.reserve(members.size());
    for (PickleItem& member : members) {
      nest(tuple, member);
      values.push_back(std::move(member.value));
    }
    tuple.value = Value(core::make_tuple(std::move(values)));
  }
  stack_.push_back(std::move(tuple));
}

void PickleMachine::append_to(PickleItem& list, Items items) {
  base::check(list.kind == Kind::value && list.value.is_list(),
              "broken pickle: items are appended to something that is no list");
  core::Values& out = list.value.list().items;
  for (PickleItem& item : items) {
    base::check(item.kind == Kind::value, "broken pickle: a list holds something that is no value");
    nest(list, item);
    out.push_back(std::move(item.value));
  }
}

void PickleMachine::put_into(PickleItem& dict, Items keys_and_values) {
  base::check(dict.kind == Kind::value && dict.value.is_dict(),
              "broken pickle: entries are set in something that is no dict");
  base::check(keys_and_values.size() % 2 == 0, "broken pickle: a dict key without a value");
  for (size_t i = 0; i < keys_and_values.size(); i += 2) {
    PickleItem &key = keys_and_values[i], &item = keys_and_values[i + 1];
    base::check(key.kind == Kind::value && item.kind == Kind::value,
                "broken pickle: a dict holds something that is no value");
    base::check(key.node == 0, "a pickled dict has a key of type ", key.value.kind_name(),
                ", which TorchScript does not have");
    nest(dict, item);
    dict.value.dict().set(key.value, std::move(item.value));
  }
}

void PickleMachine::memo_put(int64_t index) {
  // Every entry takes at least one byte of the pickle, so an honest index is below its size.
  base::check(index >= 0 && static_cast<size_t>(index) < stream_.size(),
              "broken pickle: memo index ", index, " is out of range");
  auto at = static_cast<size_t>(index);
  if (at >= memo_.size()) {
    PickleItem empty;
    empty.kind = Kind::mark;
    memo_.resize(at + 1, empty);
  }
  memo_[at] = top();
}

void PickleMachine::memo_get(int64_t index) {
  base::check(index >= 0 && static_cast<size_t>(index) < memo_.size() &&
                  memo_[static_cast<size_t>(index)].kind != Kind::mark,
              "broken pickle: nothing was stored under memo index ", index);
  stack_.push_back(memo_[static_cast<size_t>(index)]);
}

}  // namespace assay::archive
