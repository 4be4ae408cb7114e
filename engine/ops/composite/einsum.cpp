// Einstein summation: operands are brought to one order of dimensions (the output's first) and
// contracted one after the other, each time by a batched matrix product.

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::Tensor;

constexpr int ellipsis = 52;  // Labels are 0..51 for A-Z, a-z.

int label_of(char letter) { return letter >= 'a' ? letter - 'a' + 26 : letter - 'A'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The labels of one operand or of the output; `ellipsis` stands for "...".
std::vector<int> read_labels(std::string_view text, std::string_view position) {
  std::vector<int> labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text[i] == '.') {
      bool dots = text.substr(i, 3) == "...";
      bool first = std::find(labels.begin(), labels.end(), ellipsis) == labels.end();
      base::check(dots && first, "einsum(): found '.' for ", position,
                  " that is not part of any ellipsis");
      labels.push_back(ellipsis);
      i += 2;
      continue;
    }
    base::check(is_letter(text[i]), "einsum(): invalid subscript given at index ", i,
                " in the equation string, subscripts must be in [a-zA-Z]");
    labels.push_back(label_of(text[i]));
  }
  return labels;
}

class Einsum {
 public:
  Einsum(const Call& call, const std::string& equation, std::vector<Tensor> operands)
      : call_(call), operands_(std::move(operands)) {
    base::check(!operands_.empty(), "einsum(): must provide at least one operand");
    size_t arrow = equation.find("->");
    std::string_view whole = equation, left = whole.substr(0, arrow);
    auto parts = base::split(left, ',');
    base::check(parts.size() == operands_.size(), "einsum(): ",
                parts.size() > operands_.size()
                    ? "fewer operands were provided than specified in the equation"
                    : "more operands were provided than specified in the equation");
    for (size_t i = 0; i < parts.size(); ++i) {
      labels_.push_back(read_labels(parts[i], fmt::format("operand {}", i)));
      count_labels(i);
    }
    if (arrow == std::string::npos) {
      implicit_output();
    } else {
      explicit_output(read_labels(whole.substr(arrow + 2), "output"));
    }
    for (int label = 0; label < ellipsis; ++label) {
      if (seen_[static_cast<size_t>(label)] > 0 && !place_of(label)) order_.push_back(label);
    }
  }

  Tensor run() {
    size_t wide = width();
    for (size_t i = 0; i < operands_.size(); ++i) operands_[i] = arranged(i);
    Tensor result = operands_[0];
    for (size_t i = 1; i < operands_.size(); ++i) {
      Dims now;  // Dimensions that no later operand has: they can be summed out with this one.
      for (size_t d = output_dims_; d < wide; ++d) {
        bool later = false;
        for (size_t j = i + 1; j < operands_.size(); ++j) later |= operands_[j].size(d) != 1;
        if (!later) now.push_back(static_cast<int64_t>(d));
      }
      result = multiply(result, operands_[i], now);
    }
    return without_sums(result);
  }

 private:
  void count_labels(size_t operand) {
    auto dims = static_cast<size_t>(operands_[operand].dim());
    size_t named = 0;
    for (int label : labels_[operand]) named += label != ellipsis;
    bool dotted = named != labels_[operand].size();
    base::check(dotted ? named <= dims : named == dims,
                "einsum(): the number of subscripts in the equation (", named,
                dotted ? ") is more than the number of dimensions ("
                       : ") does not match the number of dimensions (",
                dims, ") for operand ", operand, dotted ? "" : " and no ellipsis was given");
    for (int label : labels_[operand]) {
      if (label != ellipsis) ++seen_[static_cast<size_t>(label)];
    }
    if (dotted) {
      dots_ = std::max(dots_, dims - named);
      any_dots_ = true;
    }
  }

  void implicit_output() {
    if (any_dots_) order_.push_back(ellipsis);
    for (int label = 0; label < ellipsis; ++label) {
      if (seen_[static_cast<size_t>(label)] == 1) order_.push_back(label);
    }
    output_dims_ = width();
  }

  void explicit_output(const std::vector<int>& labels) {
    bool dotted = false;
    for (int label : labels) {
      dotted |= label == ellipsis;
      if (label == ellipsis && !any_dots_) continue;
      base::check(!place_of(label),
                  "einsum(): output subscript appears more than once in the "
                  "output");
      base::check(label == ellipsis || seen_[static_cast<size_t>(label)] > 0,
                  "einsum(): output subscript does not appear in the equation for any input "
                  "operand");
      order_.push_back(label);
    }
    output_dims_ = width();
    if (any_dots_ && !dotted) order_.push_back(ellipsis);
  }

  /// How many dimensions `order_` stands for.
  size_t width() const {
    size_t dims = 0;
    for (int label : order_) dims += label == ellipsis ? dots_ : 1;
    return dims;
  }

  std::optional<size_t> place_of(int wanted) const {
    size_t at = 0;
    for (int label : order_) {
      if (label == wanted) return at;
      at += label == ellipsis ? dots_ : 1;
    }
    return std::nullopt;
  }

  /// An operand with its dimensions in the common order; missing ones have size 1.
  Tensor arranged(size_t operand) const {
    const Tensor& t = operands_[operand];
    Dims sizes(width(), 1), strides(width(), 0);
    size_t own = static_cast<size_t>(t.dim()) - labels_[operand].size() + 1;
    size_t dim = 0;
    for (int label : labels_[operand]) {
      size_t at = *place_of(label), count = label == ellipsis ? own : 1;
      if (label == ellipsis) at += dots_ - own;
      for (size_t k = 0; k < count; ++k, ++dim, ++at) {
        bool repeated = strides[at] != 0 || sizes[at] != 1;
        base::check(!repeated || sizes[at] == t.size(dim),
                    "einsum(): subscript is repeated for operand ", operand,
                    " but the sizes don't match, ", t.size(dim), " != ", sizes[at]);
        sizes[at] = t.size(dim);
        strides[at] = base::checked_add(strides[at], t.stride(dim));
      }
    }
    return t.view(sizes, strides, t.offset());
  }

  Tensor sum(const Tensor& t, const Dims& dims) const {
    return call_.call_tensor("aten::sum.dim_IntList", {t, core::make_int_list(dims), true, {}});
  }

  Tensor multiply(Tensor a, Tensor b, const Dims& over) const {
    Dims shared, only_a, only_b, summed;
    for (size_t i = 0; i < a.sizes().size(); ++i) {
      auto d = static_cast<int64_t>(i);
      bool in_a = a.size(i) != 1, in_b = b.size(i) != 1;
      base::check(!in_a || !in_b || a.size(i) == b.size(i), "einsum(): operands do not broadcast ",
                  "with remapped shapes [original->remapped]: ", a.sizes(), " ", b.sizes());
      if (std::find(over.begin(), over.end(), d) != over.end()) {
        if (in_a && !in_b) a = sum(a, Dims{d});
        if (in_b && !in_a) b = sum(b, Dims{d});
        summed.push_back(d);
      } else {
        (in_a && in_b ? shared : in_a ? only_a : only_b).push_back(d);
      }
    }
    if (over.empty()) return call_.call_tensor("aten::mul.Tensor", {a, b});
    return batched(a, b, shared, only_a, only_b, summed);
  }

  Tensor batched(const Tensor& a, const Tensor& b, const Dims& shared, const Dims& only_a,
                 const Dims& only_b, const Dims& summed) const {
    auto joined = [](std::initializer_list<Dims> lists) {
      Dims all;
      for (const Dims& list : lists) {
        for (int64_t d : list) all.push_back(d);
      }
      return all;
    };
    auto count = [](const Tensor& t, const Dims& dims) {
      int64_t n = 1;
      for (int64_t d : dims) n *= t.size(static_cast<size_t>(d));
      return n;
    };
    auto flat = [&](const Tensor& t, const Dims& order, const Dims& sizes) {
      return call_.call_tensor("aten::reshape",
                               {views::permute(t, order), core::make_int_list(sizes)});
    };
    Tensor left = flat(a, joined({shared, only_a, summed, only_b}),
                       Dims{count(a, shared), count(a, only_a), count(a, summed)});
    Tensor right = flat(b, joined({shared, summed, only_b, only_a}),
                        Dims{count(b, shared), count(b, summed), count(b, only_b)});
    Tensor product = call_.call_tensor("aten::bmm", {left, right});
    Dims sizes, order(a.sizes().size());
    int64_t next = 0;
    for (int64_t d : joined({shared, only_a, summed, only_b})) {
      auto i = static_cast<size_t>(d);
      bool gone = std::find(summed.begin(), summed.end(), d) != summed.end();
      sizes.push_back(gone ? 1 : std::max(a.size(i), b.size(i)));
      if (!gone && (a.size(i) == 0 || b.size(i) == 0)) sizes.back() = 0;
      order[i] = next++;
    }
    return views::permute(views::view(product, sizes), order);
  }

  /// Without the dimensions that are no output's: products have summed them, a single operand has
  /// not.
  Tensor without_sums(const Tensor& t) const {
    size_t wide = t.sizes().size();
    if (wide == output_dims_) return t;
    if (operands_.size() > 1) {
      Dims kept;
      for (size_t d = 0; d < output_dims_; ++d) kept.push_back(t.size(d));
      return views::view(t, kept);
    }
    Dims summed;
    for (size_t d = output_dims_; d < wide; ++d) summed.push_back(static_cast<int64_t>(d));
    return call_.call_tensor("aten::sum.dim_IntList", {t, core::make_int_list(summed), false, {}});
  }

  const Call& call_;
  std::vector<Tensor> operands_;
  std::vector<std::vector<int>> labels_;
  std::array<int, ellipsis> seen_{};
  std::vector<int> order_;  ///< Labels of the common order; the output's come first.
  size_t output_dims_ = 0;
  size_t dots_ = 0;  ///< Dimensions that "..." stands for.
  bool any_dots_ = false;
};

void einsum(Call& c) {
  c.finish(Einsum(c, c.string(arg::equation), c.tensors(arg::tensors)).run());
}

constexpr Kernel einsum_table[] = {{"aten::einsum", einsum}};

}  // namespace

std::span<const Kernel> einsum_composites() { return einsum_table; }

}  // namespace assay::ops::composite
