#include "verify/graph/written.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ir/copy.h"
#include "engine/ir/passes/inline.h"
#include "engine/script/compiler.h"

namespace assay::verify {
namespace {

/// Longer ones are of no use to anybody.
constexpr size_t longest = 2000;

/// Inputs of a graph and what an expression calls them.
using Named = std::vector<std::pair<std::string, ir::Value*>>;

/// The words of the expression that stand for themselves: neither attributes nor what is called.
std::set<std::string> variables_of(const std::string& text) {
  static const std::regex word(R"((^|[^\w.])([A-Za-z_]\w*)(?!\w|\s*\())");
  std::set<std::string> found;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), word); at != std::sregex_iterator();
       ++at) {
    found.insert((*at)[2]);
  }
  return found;
}

/// Functions of tensors are known to scripts as torch's (`prefix`), those without a name there as
/// operators.
std::string with_torch(const std::string& text, const char* prefix, bool all) {
  static const std::set<std::string> of_numbers{"int", "float", "len", "divmod", "bool", "range"};
  static const std::set<std::string> of_both{"round", "min", "max", "abs", "pow"};
  static const std::regex call(R"((^|[^\w.])([A-Za-z_]\w*)(?=\())");
  std::string out;
  size_t done = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), call); at != std::sregex_iterator();
       ++at) {
    std::string name = (*at)[2];
    bool known = of_numbers.count(name) || (!all && of_both.count(name));
    auto start = static_cast<size_t>(at->position(2));
    out += text.substr(done, start - done) + (known ? "" : prefix);
    done = start;
  }
  return out + text.substr(done);
}

bool is_whole(const core::Value& like) {
  return like.is_int() || (like.is_tensor() && core::is_integral(like.to_tensor().dtype(), false));
}

/// A function of the inputs, of an expression over them; null where that is no script. `body` is
/// what it does with the expression, as text.
std::shared_ptr<ir::Graph> compiled(const std::string& expression, const char* type,
                                    const std::function<std::string(const std::string&)>& body,
                                    const Named& inputs) {
  std::string parameters;
  for (const auto& [name, input] : inputs) {
    parameters += (parameters.empty() ? "" : ", ") + name + ": " +
                  (input->type()->is(core::TypeKind::tensor) ? std::string("Tensor")
                                                             : input->type()->annotation());
  }
  bool numbers = is_over_sizes({expression});  // What `max` and its like are first taken for.
  for (const char* prefix : {"torch.", "torch.ops.aten."}) {
    for (bool all : {!numbers, numbers}) {
      try {
        ir::Unit unit;
        std::string text = body(with_torch(expression, prefix, all));
        script::compile_source(unit,
                               fmt::format("def written({}) -> {}:\n{}", parameters, type, text));
        return ir::inlined(unit.function("__torch__.written"), unit);
      } catch (const base::Error&) {
        continue;
      }
    }
  }
  return nullptr;
}

bool is_writable(const std::string& text) {
  return text.size() <= longest && text.find("...") == std::string::npos;
}

/// The graph's inputs that the expression is over.
Named inputs_of(const std::string& expression, const ir::Graph& graph) {
  std::set<std::string> wanted = variables_of(expression);
  std::vector<std::string> names = input_names(graph);
  Named inputs;
  for (size_t i = 0; i < names.size(); ++i) {
    if (wanted.count(names[i])) inputs.emplace_back(names[i], graph.inputs()[i]);
  }
  return inputs;
}

/// What the graph does with these inputs, before `before`.
ir::Value* insert(ir::Graph& body, const Named& inputs, ir::Node* before) {
  std::vector<ir::Value*> arguments;
  for (const auto& [name, input] : inputs) arguments.push_back(input);
  return ir::inline_graph(body, before, arguments).at(0);
}

}  // namespace

std::vector<std::string> input_names(const ir::Graph& graph) {
  static const std::regex word(R"([A-Za-z_]\w*)");
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (const ir::Value* input : graph.inputs()) {
    names.push_back(input->name().substr(0, input->name().find('.')));
    ++uses[names.back()];
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (uses[names[i]] > 1 || !std::regex_match(names[i], word)) {
      names[i] = fmt::format("input_{}", i);
    }
  }
  return names;
}

bool is_over_sizes(const Written& expression) {
  static const std::regex size(R"([A-Za-z_]\w*(\[\d+\])*\.(size\(-?\d+\)|numel\(\)))");
  static const std::set<std::string> functions{"int", "float", "round", "min",    "max",
                                               "abs", "pow",   "len",   "divmod", "range"};
  std::string rest = std::regex_replace(expression.text, size, "0");
  rest = std::regex_replace(rest, std::regex(R"(math\.\w+|\.bit_length\(\))"), "");
  static const std::regex word(R"([A-Za-z_]\w*)");
  for (auto at = std::sregex_iterator(rest.begin(), rest.end(), word); at != std::sregex_iterator();
       ++at) {
    if (!functions.count(at->str())) return false;
  }
  return rest.find("...") == std::string::npos && rest.size() != expression.text.size();
}

bool is_for_people(const Written& expression) {
  constexpr size_t a_line = 160;
  const std::string& text = expression.text;
  return text.size() <= a_line && text.find("...") == std::string::npos &&
         text.find("__module") == std::string::npos && text.find("a constant") == std::string::npos;
}

ir::Value* write_out(const Written& expression, const core::Value& like, ir::Node* before) {
  const std::string& text = expression.text;
  bool number =
      like.is_int() || like.is_float() || (like.is_tensor() && like.to_tensor().numel() == 1);
  if (!number || !is_writable(text)) return nullptr;
  ir::Graph& graph = before->graph();
  Named inputs = inputs_of(text, graph);
  const char* type = is_whole(like) ? "int" : "float";
  auto given_back = [&](const std::string& e) {
    return fmt::format("    return {}({})\n", type, e);
  };
  auto body = compiled(text, type, given_back, inputs);
  if (!body) return nullptr;
  ir::Value* made = insert(*body, inputs, before);
  if (!like.is_tensor()) return made;
  ir::Builder builder(graph);
  builder.set_point(before);
  return builder.call("prim::NumToTensor", {made})->output();
}

bool write_check(const Written& condition, bool answer, ir::Node* before) {
  if (!is_writable(condition.text)) return false;
  Named inputs = inputs_of(condition.text, before->graph());
  if (inputs.empty()) return false;
  auto asserted = [&](const std::string& e) {
    return fmt::format("    assert bool({}) == {}\n    return 0\n", e, answer ? "True" : "False");
  };
  auto body = compiled(condition.text, "int", asserted, inputs);
  if (body) insert(*body, inputs, before);
  return body != nullptr;
}

}  // namespace assay::verify
