#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/core/value.h"
#include "engine/interp/autocast.h"
#include "engine/interp/code.h"
#include "engine/interp/interpreter.h"
#include "engine/interp/limits.h"
#include "engine/interp/lower.h"
#include "engine/ir/unit.h"
#include "engine/ops/context.h"

namespace assay::interp {

/// One active function: its registers are stack[base, base + code->registers).
struct Frame {
  std::shared_ptr<const Code> code;
  size_t base;
  size_t next = 0;           ///< Instruction to go on with, while another frame runs.
  uint32_t out = 0;          ///< Where the caller wants the result.
  core::Value entered = {};  ///< `self` of an __enter__ that runs: its with-block opens after it.
};

/// The state of a run and what instructions do. The loop is in interpreter.cpp, the bodies in
/// bodies.cpp.
class Machine {
 public:
  Machine(ir::Unit& unit, ops::Context& context) : unit_(unit), context_(context) {}

  core::Value run(std::shared_ptr<const Code> code, core::Values args);
  std::shared_ptr<const Code> code_of(const ir::Function& function);

  Limits limits;
  LowerOptions options;
  std::function<void(std::string_view)> print;
  Interpreter::Warn warn;
  Interpreter::Outside outside;
  void forget_code();
  void forget_code(const ir::Function& function);

 private:
  /// Runs the topmost frame until the frames are `floor` again; gives its result.
  core::Value execute(size_t floor);
  core::Value loop(size_t floor);
  /// Removes frames down to `floor`, telling the error where each of them was.
  void unwind(size_t floor, base::Error& error);
  void push(std::shared_ptr<const Code> code, uint32_t out);
  /// Ends the topmost frame.
  core::Value pop(const Site& site);
  core::Value* registers() { return stack_.data() + frames_.back().base; }

  // Limits.
  void tick() {
    if (--budget_ == 0) [[unlikely]]
      refill();
  }
  void start_limits();
  void refill();

  // Bodies.
  core::Value take(uint32_t operand) {
    core::Value& reg = registers()[operand & ~last_bit];
    if (operand & last_bit) return std::move(reg);
    return reg;
  }
  void call(std::shared_ptr<const Code> code, const std::vector<uint32_t>& inputs, uint32_t out);
  void call_operator(const Site& site, uint32_t out);
  void call_native(const Site& site, uint32_t out);
  const std::shared_ptr<const Code>& method_code(const Site& site, const core::Value& object,
                                                 std::string_view name);
  const std::shared_ptr<const Code>& function_code(const Site& site);
  void call_value(const Site& site, uint32_t out);
  void call_outside(const Site& site, uint32_t out);
  void enter(const Site& site, uint32_t out);
  void leave(const Site& site, uint32_t out);
  void close_contexts(size_t depth, base::Error& error);
  core::Value fork(const Site& site);
  /// Runs a function to its end while the frame on top waits.
  core::Value call_now(const std::shared_ptr<const Code>& code, core::Values args);
  /// Merge sort: a program's own comparison need not be an order, and must do no harm.
  core::Values sorted(core::Values items, bool reverse, const Site& site);
  core::Value sort(Opcode opcode, const Site& site);
  void make(Opcode opcode, const Site& site, core::Value& out);
  void unpack(Opcode opcode, const Site& site, core::Value* out);
  core::Value get_attribute(const Site& site);
  void set_attribute(const Site& site);
  core::Value tuple_slice(const Site& site);
  core::Value container_item(const Site& site);
  bool is_instance(const Site& site);
  static core::Value blank(const core::TypePtr& type);
  static void check_type(const core::Value& value, const core::TypePtr& type);
  void print_line(const Site& site);
  void show_warning(const Site& site);
  [[noreturn]] void raise(const Site& site);

  ir::Unit& unit_;
  ops::Context& context_;
  std::vector<core::Value> stack_;
  std::vector<Frame> frames_;
  core::Values args_;
  std::unordered_map<const ir::Function*, std::shared_ptr<const Code>> codes_;

  /// Objects whose with-blocks are open, and the frame that each was opened in.
  struct Context {
    size_t depth;
    core::Value object;
    std::unique_ptr<ops::AutocastRegion> autocast;
  };
  std::vector<Context> contexts_;

  std::unordered_set<const Site*> warned_;  // What has warned in this run.

  uint64_t budget_ = 0;  // Steps until the next look at the limits.
  uint64_t chunk_ = 0;
  uint64_t steps_ = 0;
  bool exhausted_ = false;
};

}  // namespace assay::interp
