#include "engine/archive/modified_loops.h"

#include <algorithm>

#include "engine/ir/builder.h"
#include "engine/ir/constant.h"

namespace assay::archive {
namespace {

constexpr int64_t endless = INT64_MAX;

bool always_true(const ir::Value* value) {
  auto constant = ir::constant_value(value);
  return constant && constant->is_bool() && constant->to_bool();
}

bool is_modified(const ir::Node* loop) {
  if (always_true(loop->input(1)) && always_true(loop->block()->results()[0])) return false;
  auto count = ir::constant_value(loop->input(0));
  bool counts = !count || !count->is_int() || count->to_int() != endless ||
                loop->block()->params()[0]->has_uses();
  return counts;
}

/// `for i in range(n)` with a condition c becomes: i = 0; while (n > i) and c: …; i = i + 1.
void make_while(ir::Node* loop) {
  ir::Block* body = loop->block();
  ir::Builder outside(loop->graph());
  outside.set_point(loop);
  ir::Value* count = loop->input(0);
  ir::Value *zero = outside.constant(0), *one = outside.constant(1);
  ir::Value* first = outside.call("aten::gt", {count, zero})->output();
  if (!always_true(loop->input(1))) {
    first = outside.call("aten::__and__", {first, loop->input(1)})->output();
  }
  loop->replace_input(0, outside.constant(endless));
  loop->replace_input(1, first);
  loop->add_input(zero);
  loop->add_output(core::int_type());

  ir::Value* counter = body->add_param(core::int_type());
  body->params()[0]->set_name("");
  body->params()[0]->replace_all_uses(counter);
  ir::Builder inside(loop->graph());
  inside.set_point_at_end(body);
  ir::Value* next = inside.call("aten::add", {counter, one})->output();
  body->add_result(next);
  ir::Value* less = inside.call("aten::lt", {next, count})->output();
  ir::Value* condition = inside.call("aten::__and__", {less, body->results()[0]})->output();
  body->return_node()->replace_input(0, condition);
}

}  // namespace

std::shared_ptr<ir::Graph> without_modified_loops(const std::shared_ptr<ir::Graph>& graph) {
  auto loops = graph->find_all("prim::Loop");
  if (std::none_of(loops.begin(), loops.end(), is_modified)) return graph;
  std::shared_ptr<ir::Graph> copy = graph->copy();
  for (ir::Node* loop : copy->find_all("prim::Loop")) {
    if (is_modified(loop)) make_while(loop);
  }
  return copy;
}

}  // namespace assay::archive
