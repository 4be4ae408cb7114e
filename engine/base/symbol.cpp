#include "engine/base/symbol.h"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace assay::base {
namespace {

struct Table {
  std::mutex mutex;
  std::deque<std::string> texts{""};  // A deque keeps its elements in place.
  std::unordered_map<std::string_view, uint32_t> ids{{"", 0}};
};

Table& table() {
  static Table instance;
  return instance;
}

}  // namespace

Symbol::Symbol(std::string_view qualified) {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  auto found = t.ids.find(qualified);
  if (found != t.ids.end()) {
    id_ = found->second;
    return;
  }
  id_ = static_cast<uint32_t>(t.texts.size());
  t.texts.emplace_back(qualified);
  t.ids.emplace(t.texts.back(), id_);
}

const std::string& Symbol::text() const {
  Table& t = table();
  std::lock_guard lock(t.mutex);
  return t.texts[id_];
}

std::string_view Symbol::space() const {
  std::string_view all = text();
  size_t colons = all.find("::");
  return colons == std::string_view::npos ? std::string_view() : all.substr(0, colons);
}

std::string_view Symbol::name() const {
  std::string_view all = text();
  size_t colons = all.find("::");
  return colons == std::string_view::npos ? all : all.substr(colons + 2);
}

}  // namespace assay::base
