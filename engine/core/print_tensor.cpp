// How PyTorch prints tensors in C++.
#include <cmath>
#include <cstdio>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/elements.h"
#include "engine/core/print.h"

namespace assay::core {

namespace {

constexpr int64_t max_shown = 10;
constexpr int line_width = 80;

// One number format for all elements of a matrix.
struct Format {
  enum Kind { shortest, fixed, scientific } kind = shortest;
  int width = 0;
  double scale = 1;
};

int decimal_exponent(double value) {
  return value == 0 ? 1 : static_cast<int>(std::floor(std::log10(value))) + 1;
}

Format choose_format(const std::vector<double>& items) {
  bool whole = true;
  bool any = false;
  double low = 0;
  double high = 0;
  for (double x : items) {
    if (!std::isfinite(x)) continue;
    whole = whole && x == std::ceil(x);
    double size = std::fabs(x);
    if (!any) low = high = size;
    any = true;
    low = std::min(low, size);
    if (x > high) high = size;  // Signed on the left: PyTorch's rule.
  }
  int low_exponent = any ? decimal_exponent(low) : 1;
  int high_exponent = any ? decimal_exponent(high) : 1;
  if (whole) {
    if (high_exponent > 9) return {Format::scientific, 11, 1};
    return {Format::shortest, high_exponent + 1, 1};
  }
  if (high_exponent - low_exponent > 4) {
    bool wide = std::abs(high_exponent) > 99 || std::abs(low_exponent) > 99;
    return {Format::scientific, wide ? 12 : 11, 1};
  }
  if (high_exponent > 5 || high_exponent < 0)
    return {Format::fixed, 7, std::pow(10.0, high_exponent - 1)};
  return {Format::fixed, high_exponent == 0 ? 7 : high_exponent + 6, 1};
}

std::string number_text(double value, const Format& format) {
  const char* pattern = format.kind == Format::shortest ? "%*g"
                        : format.kind == Format::fixed  ? "%*.4f"
                                                        : "%*.4e";
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, pattern, format.width, value / format.scale);
  return buffer;
}

std::string scale_text(double scale) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%g *\n", scale);
  return buffer;
}

// `rows` x `columns` numbers; each line starts with `indent` spaces.
std::string matrix_text(const std::vector<double>& items, int64_t columns, int indent) {
  Format format = choose_format(items);
  std::string margin(static_cast<size_t>(indent), ' ');
  int64_t rows = static_cast<int64_t>(items.size()) / columns;
  int64_t per_line = (line_width - indent) / (format.width + 1);
  std::string out = margin;
  for (int64_t first = 0; first < columns; first += per_line) {
    int64_t last = std::min(first + per_line, columns) - 1;
    if (per_line < columns) {
      if (first != 0) out += "\n";
      out += "Columns " + std::to_string(first + 1) + " to " + std::to_string(last + 1) + margin;
    }
    if (format.scale != 1) out += scale_text(format.scale) + margin;
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = first; c <= last; ++c) {
        out += number_text(items[static_cast<size_t>(r * columns + c)], format);
        out += c == last ? "\n" : " ";
      }
      if (r != rows - 1) out += margin + (format.scale != 1 ? " " : "");
    }
  }
  return out;
}

std::string vector_text(const std::vector<double>& items) {
  Format format = choose_format(items);
  std::string out = format.scale != 1 ? scale_text(format.scale) : "";
  for (double x : items) out += number_text(x, format) + "\n";
  return out;
}

// A tensor of three or more dimensions: its matrices, each under its index, the first index
// fastest.
std::string stacked_text(const std::vector<double>& items, const Dims& sizes) {
  size_t outer = sizes.size() - 2;
  int64_t columns = sizes[outer + 1];
  int64_t matrix = sizes[outer] * columns;
  std::vector<int64_t> index(outer, 0);
  std::string out;
  for (size_t done = 0; done < items.size(); done += static_cast<size_t>(matrix)) {
    if (done) out += "\n";
    out += "(";
    int64_t number = 0;
    for (size_t i = 0; i < outer; ++i) {
      number = number * sizes[i] + index[i];
      out += std::to_string(index[i] + 1) + ",";
    }
    out += ".,.) = \n";
    auto from = items.begin() + number * matrix;
    out += matrix_text({from, from + matrix}, columns, 1);
    for (size_t i = 0; i < outer && ++index[i] == sizes[i]; ++i) index[i] = 0;
  }
  return out;
}

std::string one_text(const Scalar& item) {
  char buffer[80];
  if (item.is_complex())
    std::snprintf(buffer, sizeof buffer, "{(%g,%g)}", item.to_complex().real(),
                  item.to_complex().imag());
  else if (item.is_float())
    std::snprintf(buffer, sizeof buffer, "{%g}", item.to_double());
  else
    std::snprintf(buffer, sizeof buffer, "{%lld}", static_cast<long long>(item.to_int()));
  return buffer;
}

}  // namespace

std::string display(const Tensor& tensor) {
  if (!tensor.defined()) return "[ Tensor (undefined) ]";
  std::vector<double> items;
  if (tensor.device().type != DeviceType::meta)
    for (const Scalar& x : elements(tensor))
      items.push_back(x.is_complex() ? x.to_complex().real() : x.to_double());
  std::string out;
  if (!items.empty()) {
    if (tensor.dim() == 0)
      out = number_text(items[0], {}) + "\n";
    else if (tensor.dim() == 1)
      out = vector_text(items);
    else if (tensor.dim() == 2)
      out = matrix_text(items, tensor.size(1), 0);
    else
      out = stacked_text(items, tensor.sizes());
  }
  std::string sizes;
  for (int64_t size : tensor.sizes()) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  std::string device = tensor.device().type == DeviceType::cpu ? "CPU" : "CUDA";
  return out + "[ " + device + std::string(script_name(tensor.dtype())) + "Type{" + sizes + "} ]";
}

std::string tensor_text(const Tensor& tensor) {
  if (!tensor.defined()) return "[ Tensor (undefined) ]";
  bool readable = tensor.device().type != DeviceType::meta;
  if (readable && tensor.numel() == 1) return one_text(elements(tensor)[0]);
  if (!readable || tensor.numel() > max_shown) return "<Tensor>";
  std::string out = display(tensor);
  for (char& c : out)
    if (c == '\n') c = ' ';
  return out;
}

}  // namespace assay::core
