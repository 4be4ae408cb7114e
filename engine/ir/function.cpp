#include "engine/ir/function.h"

#include <fmt/core.h>

#include <atomic>

#include "engine/base/error.h"
#include "engine/base/stack.h"
#include "engine/ir/unshaped.h"

namespace assay::ir {

namespace {

uint64_t new_version() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

Function::Function(std::string qualified_name, std::shared_ptr<Graph> graph)
    : qualified_name_(std::move(qualified_name)),
      graph_(std::move(graph)),
      version_(new_version()) {}

Function::Function(std::string qualified_name, Definer definer)
    : qualified_name_(std::move(qualified_name)),
      definer_(std::move(definer)),
      version_(new_version()) {}

std::string Function::name() const {
  return qualified_name_.substr(qualified_name_.rfind('.') + 1);  // npos + 1 is 0.
}

const ops::Schema& Function::schema() const {
  if (schema_) return *schema_;
  ops::Schema made;
  made.name = name();
  for (const Value* input : graph().inputs()) {
    ops::Argument argument;
    argument.name = input->has_name() ? input->name() : fmt::format("argument_{}", input->index());
    // "x.1" is the graph's name for the parameter x.
    argument.name = argument.name.substr(0, argument.name.find('.'));
    argument.type = unshaped(input->type());
    made.arguments.push_back(std::move(argument));
  }
  for (const Value* output : graph().outputs()) {
    ops::Argument result;
    result.type = unshaped(output->type());
    made.returns.push_back(std::move(result));
  }
  schema_ = std::move(made);
  return *schema_;
}

const std::shared_ptr<Graph>& Function::shared_graph() const {
  if (graph_) return graph_;
  base::check(!defining_, "function '", name(),
              "' is called recursively. Recursive calls are not supported");
  base::invariant(static_cast<bool>(definer_), "function '", qualified_name_, "' has no body");
  base::check_stack("a function whose definition needs others");
  defining_ = true;
  struct Reset {
    bool& flag;
    ~Reset() { flag = false; }
  } reset{defining_};
  definer_(const_cast<Function&>(*this));  // The body is defined once, whoever asks first.
  base::invariant(graph_ != nullptr, "the body of '", qualified_name_, "' was not defined");
  definer_ = nullptr;
  return graph_;
}

void Function::set_graph(std::shared_ptr<Graph> graph) {
  graph_ = std::move(graph);
  touch();
}

void Function::touch() { version_ = new_version(); }

}  // namespace assay::ir
