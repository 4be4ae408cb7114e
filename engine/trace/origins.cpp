#include "engine/trace/origins.h"

#include <algorithm>
#include <regex>

#include "engine/core/print.h"

namespace assay::trace {
namespace {

/// A text as JSON writes it.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    constexpr const char* digits = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += digits[static_cast<unsigned char>(c) >> 4];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(const core::Value& value) {
  if (value.is_bool()) return value.to_bool() ? "true" : "false";
  if (value.is_int()) return std::to_string(value.to_int());
  return quoted(core::repr(value));  // JSON has no inf, and no way to write a double exactly.
}

std::string numbers(const Origins::From& from) {
  std::string out;
  for (size_t origin : from) out += (out.empty() ? "" : ", ") + std::to_string(origin);
  return "[" + out + "]";
}

template <typename Item, typename Write>
std::string array(const std::vector<Item>& items, const Write& write) {
  std::string out = "[";
  for (const Item& item : items) out += (out.size() == 1 ? "\n  " : ",\n  ") + write(item);
  return out + "]";
}

}  // namespace

size_t Origins::leave(Origin origin) {
  auto same = [&](const Origin& known) {
    return known.expression == origin.expression && known.place == origin.place &&
           known.how == origin.how && known.value.same(origin.value);
  };
  auto found = std::find_if(origins_.begin(), origins_.end(), same);
  if (found != origins_.end()) return static_cast<size_t>(found - origins_.begin());
  origins_.push_back(std::move(origin));
  return origins_.size() - 1;
}

void Origins::guard(Guard guard) {
  auto same = [&](const Guard& known) {
    return known.condition == guard.condition && known.place == guard.place &&
           known.value.same(guard.value);
  };
  if (std::none_of(guards_.begin(), guards_.end(), same)) guards_.push_back(std::move(guard));
}

void Origins::bake(Baked baked) { baked_.push_back(std::move(baked)); }

void Origins::escape(Escape escape) {
  constexpr size_t most = 10000;
  auto same = [&](const Escape& known) {
    return known.kind == escape.kind && known.what == escape.what && known.place == escape.place &&
           known.value == escape.value;
  };
  bool known = std::any_of(escapes_.begin(), escapes_.end(), same);
  if (!known && escapes_.size() < most) escapes_.push_back(std::move(escape));
}

void Origins::rename(const std::string& input, const std::string& name) {
  std::regex variable(R"((^|[^\w.]))" + input + R"(\b)");
  auto change = [&](std::string& text) { text = std::regex_replace(text, variable, "$1" + name); };
  for (Origin& o : origins_) change(o.expression);
  for (Guard& g : guards_) change(g.condition);
  for (Baked& b : baked_) change(b.expression);
  for (Escape& e : escapes_) change(e.what);
}

std::string Origins::json() const {
  std::string out = "{\"version\": 1,\n \"origins\": ";
  out += array(origins_, [](const Origin& o) {
    return "{\"expression\": " + quoted(o.expression) + ", \"value\": " + number(o.value) +
           ", \"how\": " + quoted(o.how) + ", \"place\": " + quoted(o.place) + "}";
  });
  out += ",\n \"guards\": " + array(guards_, [](const Guard& g) {
           return "{\"condition\": " + quoted(g.condition) + ", \"value\": " + number(g.value) +
                  ", \"place\": " + quoted(g.place) + ", \"from\": " + numbers(g.from) + "}";
         });
  out += ",\n \"baked\": " + array(baked_, [](const Baked& b) {
           return "{\"expression\": " + quoted(b.expression) + ", \"value\": " + number(b.value) +
                  ", \"op\": " + quoted(b.op) + ", \"argument\": " + quoted(b.argument) +
                  ", \"place\": " + quoted(b.place) + ", \"from\": " + numbers(b.from) + "}";
         });
  out += ",\n \"escapes\": " + array(escapes_, [](const Escape& e) {
           return "{\"kind\": " + quoted(e.kind) + ", \"what\": " + quoted(e.what) +
                  ", \"value\": " + quoted(e.value) + ", \"place\": " + quoted(e.place) + "}";
         });
  return out + "}\n";
}

}  // namespace assay::trace
