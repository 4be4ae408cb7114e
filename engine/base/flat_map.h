#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::base {

/// A map from text with std::map's interface that keeps its few entries in one piece, sorted by
/// key: copied and looked up in a fraction of the time. Adding or erasing moves entries, so that
/// iterators and references hold only until then.
template <typename T>
class FlatMap {
 public:
  using key_type = std::string;
  using mapped_type = T;
  using value_type = std::pair<std::string, T>;
  using iterator = typename std::vector<value_type>::iterator;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  FlatMap() = default;
  FlatMap(std::initializer_list<value_type> entries) {
    for (const value_type& entry : entries) (*this)[entry.first] = entry.second;
  }

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  iterator begin() { return entries_.begin(); }
  iterator end() { return entries_.end(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

  iterator find(std::string_view key) { return found(place(key), key); }
  const_iterator find(std::string_view key) const { return const_cast<FlatMap*>(this)->find(key); }
  size_t count(std::string_view key) const { return find(key) == end() ? 0 : 1; }
  /// std::out_of_range if there is none.
  const T& at(std::string_view key) const {
    auto entry = find(key);
    if (entry == end()) throw std::out_of_range("no entry '" + std::string(key) + "'");
    return entry->second;
  }
  /// Made by default if there is none.
  T& operator[](std::string_view key) {
    iterator at = place(key);
    if (at == end() || at->first != key) at = entries_.emplace(at, std::string(key), T());
    return at->second;
  }
  /// Keeps what is there; second: whether the entry is new.
  std::pair<iterator, bool> emplace(std::string_view key, T value) {
    iterator at = place(key);
    if (at != end() && at->first == key) return {at, false};
    return {entries_.emplace(at, std::string(key), std::move(value)), true};
  }
  void reserve(size_t entries) { entries_.reserve(entries); }
  size_t erase(std::string_view key) {
    iterator entry = find(key);
    if (entry == end()) return 0;
    entries_.erase(entry);
    return 1;
  }
  iterator erase(const_iterator entry) { return entries_.erase(entry); }
  void clear() { entries_.clear(); }

  friend bool operator==(const FlatMap&, const FlatMap&) = default;
  friend auto operator<=>(const FlatMap&, const FlatMap&) = default;

 private:
  /// Where the key is, or belongs.
  iterator place(std::string_view key) {
    return std::lower_bound(entries_.begin(), entries_.end(), key,
                            [](const value_type& e, std::string_view k) { return e.first < k; });
  }
  iterator found(iterator at, std::string_view key) {
    return at != end() && at->first == key ? at : end();
  }

  std::vector<value_type> entries_;
};

/// What most maps hold; made once, in flat_map.cpp.
extern template class FlatMap<int64_t>;
extern template class FlatMap<std::string>;

}  // namespace assay::base
