#include "engine/ir/parser.h"

#include <fmt/core.h>

#include <unordered_map>

#include "engine/base/text.h"
#include "engine/ir/kinds.h"
#include "engine/ir/resolve.h"
#include "engine/ir/text_cursor.h"
#include "engine/ir/value_reader.h"

namespace assay::ir {

namespace {

constexpr int max_nesting = 128;
constexpr int64_t max_id = int64_t{1} << 40;

struct Group {
  std::string name;
  Node* node;
};

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options)
      : cursor_(std::make_shared<base::Source>(base::Source{std::string(text), "<graph>", 1, {}})),
        types_(options.resolve_type),
        values_(cursor_, types_, options.tensors),
        resolve_operators_(options.resolve_operators) {}

  std::shared_ptr<Graph> whole() {
    auto graph = read_graph();
    if (!cursor_.at_end()) cursor_.fail("expected the end of the graph");
    return graph;
  }

 private:
  using Names = std::unordered_map<std::string, Value*>;

  std::shared_ptr<Graph> read_graph() {
    enter();
    auto graph = std::make_shared<Graph>();
    // So that values with names never take the number of one without.
    graph->reserve_ids(max_id);
    Names names;
    std::vector<Group> groups;
    cursor_.expect("graph");
    read_params(*graph->block(), names);
    while (!cursor_.sees("return")) read_node(*graph->block(), names, groups);
    cursor_.expect("return");
    read_results(*graph->block(), names);
    for (const Group& group : groups) {
      cursor_.expect("with");
      if (cursor_.word(":") != group.name)
        cursor_.fail(fmt::format("expected the graph of '{}'", group.name));
      cursor_.expect("=");
      group.node->set("Subgraph", read_graph());
    }
    --depth_;
    if (resolve_operators_) ir::resolve_operators(*graph);
    return graph;
  }

  void enter() {
    if (++depth_ > max_nesting) cursor_.fail("blocks nest too deeply");
  }

  struct Declaration {
    std::string name;
    core::TypePtr type;
  };
  Declaration read_declaration() {
    cursor_.expect("%");
    Declaration made;
    made.name = cursor_.word(".");
    cursor_.expect(":");
    made.type = types_.read(cursor_);
    return made;
  }

  void define(Value* value, const std::string& name, Names& names) {
    if (!names.emplace(name, value).second) cursor_.fail(fmt::format("%{} is defined twice", name));
    int64_t id = 0;
    if (name.find_first_not_of("0123456789") != std::string::npos)
      value->set_name(name);
    else if (base::parse_int(name, id) && id < max_id)
      value->graph().assign_id(value, static_cast<size_t>(id));
    else
      cursor_.fail("a value's number is too large");
  }

  void read_params(Block& block, Names& names) {
    cursor_.expect("(");
    while (!cursor_.accept(")")) {
      if (!block.params().empty()) cursor_.expect(",");
      Declaration declared = read_declaration();
      define(block.add_param(declared.type), declared.name, names);
    }
    cursor_.expect(":");
  }

  std::vector<Value*> read_names(const Names& names) {
    std::vector<Value*> values;
    cursor_.expect("(");
    while (!cursor_.accept(")")) {
      if (!values.empty()) cursor_.expect(",");
      cursor_.expect("%");
      std::string name = cursor_.word(".");
      auto found = names.find(name);
      if (found == names.end()) cursor_.fail(fmt::format("%{} is not defined here", name));
      values.push_back(found->second);
    }
    return values;
  }

  void read_results(Block& block, const Names& names) {
    for (Value* result : read_names(names)) block.add_result(result);
  }

  void read_node(Block& block, Names& names, std::vector<Group>& groups) {
    std::vector<Declaration> outputs;
    if (cursor_.peek() == '%') {
      do outputs.push_back(read_declaration());
      while (cursor_.accept(","));
    }
    cursor_.expect("=");
    std::string kind = read_kind();
    bool grouped = is_group(kind);
    std::string group_name = kind;
    if (grouped) kind = kind.substr(0, kind.rfind('_'));
    Node* node = block.append(block.graph().create(kind, {}, size_t{0}));
    if (grouped) groups.push_back({group_name, node});
    read_attributes(*node, outputs.size() == 1 ? outputs[0].type : nullptr);
    for (Value* input : read_names(names)) node->add_input(input);
    for (const Declaration& output : outputs)
      define(node->add_output(output.type), output.name, names);
    if (cursor_.accept(",")) {
      cursor_.expect("scope");
      cursor_.expect(":");
      node->set_scope(cursor_.word("./:[]-<>"));
    }
    if (cursor_.accept("#")) node->set_range(read_place());
    for (size_t i = 0; cursor_.accept("block" + std::to_string(i)); ++i)
      read_block(*node->add_block(), names, groups);
  }

  std::string read_kind() {
    std::string space = cursor_.word();
    cursor_.expect("::");
    return space + "::" + cursor_.word();
  }

  // `prim::fork_0` stands for a fork whose graph is printed below.
  static bool is_group(const std::string& kind) {
    for (std::string_view stem : {"prim::fork_", "prim::awaitable_", "prim::Closure_",
                                  "prim::DifferentiableGraph_", "prim::FusionGroup_"})
      if (kind.starts_with(stem)) return true;
    return false;
  }

  void read_attributes(Node& node, const core::TypePtr& type) {
    bool constant = node.is(kinds().constant);
    if (constant && !type) cursor_.fail("a constant has one output");
    if (!cursor_.accept("[")) return;
    do {
      std::string name = cursor_.word();
      cursor_.expect("=");
      if (constant && type->is(core::TypeKind::function))
        node.set("value", core::Value(base::make_ref<core::FunctionObject>(cursor_.quoted(),
                                                                           core::Value())));
      else
        node.set(name, constant && name == "value" ? values_.constant(type) : values_.attribute());
    } while (cursor_.accept(","));
    cursor_.expect("]");
  }

  void read_block(Block& block, const Names& outer, std::vector<Group>& groups) {
    enter();
    Names names = outer;  // What the block defines is unknown outside.
    read_params(block, names);
    while (!cursor_.sees("->")) read_node(block, names, groups);
    cursor_.expect("->");
    read_results(block, names);
    --depth_;
  }

  // "file.py:12:8"; the source's text is unknown, so that line and column are kept as they stand.
  base::SourceRange read_place() {
    std::string text = cursor_.rest_of_line();
    size_t second = text.rfind(':');
    size_t first = second == std::string::npos || second == 0 ? std::string::npos
                                                              : text.rfind(':', second - 1);
    int64_t line = 0;
    int64_t column = 0;
    bool fits =
        first != std::string::npos &&
        base::parse_int(std::string_view(text).substr(first + 1, second - first - 1), line) &&
        base::parse_int(std::string_view(text).substr(second + 1), column);
    constexpr int64_t widest = 10000;  // A column stands for that many spaces.
    if (!fits || column < 0 || column > widest) return {};
    auto source = std::make_shared<base::Source>();
    source->name = text.substr(0, first);
    source->first_line = static_cast<int>(line);
    source->text = std::string(static_cast<size_t>(column), ' ');
    return {source, source->text.size(), source->text.size()};
  }

  TextCursor cursor_;
  TypeReader types_;
  ValueReader values_;
  bool resolve_operators_;
  int depth_ = 0;
};

}  // namespace

std::shared_ptr<Graph> parse(std::string_view text, const ParseOptions& options) {
  return Parser(text, options).whole();
}

}  // namespace assay::ir
