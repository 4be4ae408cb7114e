#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::base {

/// A vector that needs no allocation up to N elements. Elements are default-made before they are
/// used and again when they are removed, so a type whose default holds nothing suits best.
template <typename T, size_t N>
class SmallVector {
  static constexpr bool trivial = std::is_trivially_copyable_v<T>;

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() {}  // The defaulted one may zero the room for elements first.
  explicit SmallVector(size_t count, T value = T()) { resize(count, value); }
  SmallVector(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  SmallVector(std::span<const T> items) { assign(items.begin(), items.end()); }     // NOLINT
  SmallVector(const std::vector<T>& items) { assign(items.begin(), items.end()); }  // NOLINT
  template <typename It>
  requires requires(It it) { *it, ++it; }
  SmallVector(It first, It last) { assign(first, last); }
  SmallVector(const SmallVector& other) { assign(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { steal(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      clear();
      if (data_ != inline_) delete[] data_;
      steal(other);
    }
    return *this;
  }
  SmallVector& operator=(std::span<const T> items) {
    assign(items.begin(), items.end());
    return *this;
  }
  ~SmallVector() {
    if (data_ != inline_) delete[] data_;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  operator std::span<const T>() const { return {data_, size_}; }  // NOLINT: a view of itself.

  void push_back(T value) {
    grow(size_ + 1);
    data_[size_++] = std::move(value);
  }
  void pop_back() { shrink(size_ - 1); }
  void clear() { shrink(0); }
  void resize(size_t count, T value = T()) {
    if (count < size_) return shrink(count);
    grow(count);
    for (size_t i = size_; i < count; ++i) data_[i] = value;
    size_ = count;
  }
  void insert(size_t at, T value) {
    push_back(std::move(value));
    std::rotate(data_ + at, data_ + size_ - 1, data_ + size_);
  }
  void erase(size_t at) {
    std::move(data_ + at + 1, data_ + size_, data_ + at);
    shrink(size_ - 1);
  }
  template <typename It>
  void assign(It first, It last) {
    clear();
    if constexpr (std::random_access_iterator<It>) {
      auto count = static_cast<size_t>(last - first);
      grow(count);
      for (size_t i = 0; i < count; ++i, ++first) data_[i] = static_cast<T>(*first);
      size_ = count;
    } else {
      for (; first != last; ++first) push_back(static_cast<T>(*first));
    }
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i) {
      if (!(a.data_[i] == b.data_[i])) return false;  // Few: calling memcmp would take longer.
    }
    return true;
  }

 private:
  void shrink(size_t count) {
    if constexpr (!trivial) std::fill(data_ + count, data_ + size_, T());
    size_ = count;
  }
  void grow(size_t wanted) {
    if (wanted <= capacity_) return;
    size_t capacity = std::max(wanted, capacity_ * 2);
    T* fresh = new T[capacity];
    std::move(begin(), end(), fresh);
    if (data_ != inline_) delete[] data_;
    data_ = fresh;
    capacity_ = capacity;
  }
  void steal(SmallVector& other) {
    size_ = other.size_;
    if (other.data_ == other.inline_) {
      std::move(other.begin(), other.end(), inline_);
      data_ = inline_;
      capacity_ = N;
    } else {
      data_ = other.data_;
      capacity_ = other.capacity_;
    }
    other.data_ = other.inline_;
    other.capacity_ = N;
    other.size_ = 0;
  }

  size_t size_ = 0;
  size_t capacity_ = N;
  T* data_ = inline_;
  T inline_[N];
};

}  // namespace assay::base
