#include "verify/run/probe_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "engine/base/error.h"
#include "verify/spec/parser.h"

namespace assay::verify {

namespace {

constexpr size_t most_forms = 24;
constexpr int most_runs = 300;

/// The forms of a tensor, the likeliest first. In them b and t are letters.
std::vector<std::string> tensor_forms(const std::vector<Weight>& weights) {
  std::vector<std::string> forms;
  auto floating = [](const Weight& w) { return core::is_floating(w.dtype); };
  auto typical = std::find_if(weights.begin(), weights.end(), floating);
  std::string_view type =
      dtype_name(typical == weights.end() ? core::DType::float32 : typical->dtype);
  auto add = [&](std::string form) {
    bool known = std::find(forms.begin(), forms.end(), form) != forms.end();
    if (!known && forms.size() < most_forms) forms.push_back(std::move(form));
  };
  for (const Weight& weight : weights) {
    const core::Dims& w = weight.shape;
    if (w.size() == 4) add(fmt::format("{}[b, {}, 32, 32]", type, w[1]));
    if (w.size() == 3) add(fmt::format("{}[b, {}, 16]", type, w[1]));
    if (w.size() == 5) add(fmt::format("{}[b, {}, 8, 8, 8]", type, w[1]));
    if (w.size() != 2) continue;
    add(fmt::format("{}[b, {}]", type, w[1]));
    add(fmt::format("{}[b, t, {}]", type, w[1]));
    if (w[0] > 0) add(fmt::format("i64[b, t] in 0..{}", w[0] - 1));
  }
  for (const Weight& weight : weights) {
    if (weight.shape.size() == 1) add(fmt::format("{}[b, {}]", type, weight.shape[0]));
  }
  for (const char* sizes :
       {"[b, 4]", "[b, t]", "[b]", "[b, t, 4]", "[b, 3, 32, 32]", "[b, 1, 28, 28]", "[]"}) {
    add(fmt::format("{}{}", type, sizes));
  }
  add("i64[b, t] in 0..9");
  add("i64[b] in 0..9");
  return forms;
}

/// The inputs with these forms for their tensors, one after the other.
Spec spec_of(const std::vector<UnknownInput>& inputs, const std::vector<const std::string*>& forms,
             bool leading_sizes_vary) {
  std::vector<SpecPiece> pieces;
  std::string all;
  size_t next = 0;
  for (const UnknownInput& input : inputs) {
    std::string text;
    for (char c : input.pattern) {
      if (c == '@') {
        text += *forms[next++];
      } else {
        text += c;
      }
    }
    all += text;
    pieces.push_back({"input", input.name + (input.keyword ? "= " : ": ") + text});
  }
  auto add_dim = [&](char letter, const char* range, const char* size) {
    bool occurs = all.find(fmt::format("[{}", letter)) != std::string::npos ||
                  all.find(fmt::format(", {}", letter)) != std::string::npos;
    if (occurs) {
      pieces.push_back({"dim", fmt::format("{}={}", letter, leading_sizes_vary ? range : size)});
    }
  };
  add_dim('b', "1..4", "2");
  add_dim('t', "1..8", "5");
  return parse_spec(pieces);
}

class Probing {
 public:
  Probing(const std::vector<UnknownInput>& inputs, Runner& runner, double seconds)
      : inputs_(inputs),
        runner_(runner),
        end_(Clock::now() + std::chrono::duration<double>(seconds)) {}

  const std::string& refusal() const { return refusal_; }
  bool spent() const { return runs_ >= most_runs || Clock::now() >= end_; }

  /// The spec of these forms, if the model takes them.
  std::optional<Spec> attempt(const std::vector<const std::string*>& forms) {
    Spec spec = spec_of(inputs_, forms, true);
    if (!accepts(spec, 2, 5)) return std::nullopt;
    return accepts(spec, 3, 4) ? spec : spec_of(inputs_, forms, false);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void remember(const Spec& spec, const Observation& seen) {
    if (!refusal_.empty() || !seen.failure) return;
    const std::string& message = seen.failure->message;
    refusal_ = fmt::format("{}: {}", spec.inputs.empty() ? "" : spec_pieces(spec)[0].text,
                           std::string_view(message).substr(0, message.find('\n')));
  }

  bool accepts(const Spec& spec, int64_t b, int64_t t) {
    ++runs_;
    Point wanted;
    for (const Dim& dim : spec.dims) wanted.sizes[dim.letter] = dim.letter == "b" ? b : t;
    auto point = nearest_point(spec, wanted);
    if (!point) return false;
    try {
      Observation seen = runner_.run(build_case(spec, *point));
      remember(spec, seen);
      return seen.ending == Ending::returned;
    } catch (const base::Error&) {  // Weights may ask for more than a case can hold.
      return false;
    }
  }

  const std::vector<UnknownInput>& inputs_;
  Runner& runner_;
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
  int runs_ = 0;
  std::string refusal_;
};

}  // namespace

Probe probe_spec(const std::vector<UnknownInput>& inputs, const std::vector<Weight>& weights,
                 Runner& runner, double seconds) {
  size_t tensors = 0;
  for (const UnknownInput& input : inputs) {
    tensors += static_cast<size_t>(std::count(input.pattern.begin(), input.pattern.end(), '@'));
  }
  std::vector<std::string> forms = tensor_forms(weights);
  Probing probing(inputs, runner, seconds);
  auto refused = [&] { return Probe{std::nullopt, probing.refusal()}; };
  if (tensors == 0) return {probing.attempt({}), probing.refusal()};
  for (const std::string& form : forms) {
    if (probing.spent()) return refused();
    if (auto spec = probing.attempt(std::vector(tensors, &form))) return {spec, ""};
  }
  // Several tensors of two forms: the first, and all others.
  for (size_t sum = 1; tensors > 1 && sum < 2 * forms.size(); ++sum) {
    for (size_t first = 0; first <= std::min(sum, forms.size() - 1); ++first) {
      size_t others = sum - first;
      if (others == first || others >= forms.size()) continue;
      if (probing.spent()) return refused();
      std::vector<const std::string*> chosen(tensors, &forms[others]);
      chosen[0] = &forms[first];
      if (auto spec = probing.attempt(chosen)) return {spec, ""};
    }
  }
  return refused();
}

}  // namespace assay::verify
