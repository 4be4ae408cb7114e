#include "engine/ir/parser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

std::vector<std::string> golden_texts() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/ir")) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    texts.push_back(all.str());
  }
  return texts;
}

// Grows a graph from choices: each one adds a node that reads values made before.
class Grower {
 public:
  Grower() : builder_(graph_) {
    ints_.push_back(graph_.add_input("n", core::int_type()));
    bools_.push_back(graph_.add_input("c", core::bool_type()));
  }

  void grow(const std::vector<int>& choices, size_t from, size_t to, int depth) {
    for (size_t i = from; i < to; ++i) {
      int choice = choices[i];
      Value* a = pick(ints_, choice / 8);
      Value* b = pick(ints_, choice / 64);
      switch (choice % 8) {
        case 0:
          ints_.push_back(builder_.constant(int64_t{choice}));
          break;
        case 1:
          ints_.push_back(builder_.add_one("aten::add", {a, b}, core::int_type()));
          ints_.back()->set_name("sum");
          break;
        case 2:
          bools_.push_back(builder_.add_one("aten::lt", {a, b}, core::bool_type()));
          break;
        case 3:
          builder_.add("prim::Print", {a, b}, {});
          break;
        case 4:
          builder_.constant(core::make_list(core::int_type(), {choice, -1}));
          break;
        case 5:
          if (depth < 3) branch(choices, i, to, depth);
          break;
        case 6:
          if (depth < 3) loop(choices, i, to, depth);
          break;
        default:
          builder_.constant("text \"" + std::string(1, static_cast<char>(choice)) + "\\\n");
      }
    }
  }

  Graph& finish() {
    graph_.add_output(ints_.back());
    return graph_;
  }

 private:
  static Value* pick(const std::vector<Value*>& from, int choice) {
    return from[static_cast<size_t>(choice) % from.size()];
  }

  void inside(Block* block, const std::vector<int>& choices, size_t from, size_t to, int depth) {
    auto ints = ints_;
    auto bools = bools_;
    PointGuard guard(builder_, block);
    for (Value* param : block->params()) ints_.push_back(param);
    grow(choices, from, std::min(from + 3, to), depth + 1);
    result_ = ints_.back();
    ints_ = ints;
    bools_ = bools;
  }

  void branch(const std::vector<int>& choices, size_t at, size_t to, int depth) {
    Node* node = builder_.add("prim::If", {bools_.back()}, {core::int_type()});
    for (int k = 0; k < 2; ++k) {
      Block* block = node->add_block();
      inside(block, choices, at + 1, to, depth);
      block->add_result(result_);
    }
    ints_.push_back(node->output());
  }

  void loop(const std::vector<int>& choices, size_t at, size_t to, int depth) {
    Value* go = bools_.back();
    Node* node = builder_.add("prim::Loop", {ints_.front(), go, ints_.back()}, {core::int_type()});
    Block* body = node->add_block();
    body->add_param(core::int_type());
    body->add_param(core::int_type());
    inside(body, choices, at + 1, to, depth);
    body->add_result(go);
    body->add_result(result_);
    ints_.push_back(node->output());
  }

  Graph graph_;
  Builder builder_;
  std::vector<Value*> ints_, bools_;
  Value* result_ = nullptr;
};

RC_GTEST_PROP(Parser, PrintedGraphsReadBack, ()) {
  auto choices = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4096));
  Grower grower;
  grower.grow(choices, 0, choices.size(), 0);
  Graph& graph = grower.finish();
  RC_ASSERT(verify(graph).empty());
  std::string text = graph.str();
  auto again = parse(text);
  RC_ASSERT(again->str() == text);
  RC_ASSERT(verify(*again).empty());
  auto copied = graph.copy();
  RC_ASSERT(verify(*copied).empty());
  remove_dead_code(*copied);
  RC_ASSERT(verify(*copied).empty());
}

// Damaged texts are read or refused, nothing else.
RC_GTEST_PROP(Parser, SurvivesDamage, ()) {
  static const auto texts = golden_texts();
  std::string text = *rc::gen::elementOf(texts);
  int edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits; ++i) {
    size_t at = static_cast<size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size())));
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
        break;
      case 1:
        text.erase(at, static_cast<size_t>(*rc::gen::inRange(1, 20)));
        break;
      case 2:
        text.insert(at, *rc::gen::elementOf(std::vector<std::string>{
                            "(", ")", "[", "]", "%", "=", "\"", "99999999999", "-", "block0(", "?",
                            "\n", "->", "nan", "return", "\\"}));
        break;
      default:
        text.resize(at + 1);
    }
    if (text.empty()) text = "g";
  }
  try {
    parse(text);
  } catch (const base::Error& error) {
    RC_ASSERT(error.kind() == base::ErrorKind::input);
  }
}

}  // namespace
}  // namespace assay::ir
