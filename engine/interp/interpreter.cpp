#include "engine/interp/interpreter.h"

#include <fmt/core.h>

#include <new>
#include <optional>
#include <stdexcept>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/base/restore.h"
#include "engine/base/text.h"
#include "engine/core/scalar_math.h"
#include "engine/interp/arguments.h"
#include "engine/interp/detail/machine.h"

namespace assay::interp {

using core::Value;
namespace math = core::math;

namespace {

// An operand of a static type, unchecked beyond its tag.
template <core::TypeKind>
struct Read;
template <>
struct Read<core::TypeKind::integer> {
  using Number = int64_t;
  static int64_t of(const Value& v) { return v.to_int(); }
};
template <>
struct Read<core::TypeKind::floating> {
  using Number = double;
  static double of(const Value& v) { return v.to_float(); }
};
template <>
struct Read<core::TypeKind::boolean> {
  using Number = bool;
  static bool of(const Value& v) { return v.to_bool(); }
};

const Value& list_item(const Value& list, const Value& index) {
  const core::Values& items = list.list().items;
  int64_t at = index.to_int();
  if (at < 0) at += static_cast<int64_t>(items.size());
  base::check(at >= 0 && static_cast<size_t>(at) < items.size(), "list index out of range");
  return items[static_cast<size_t>(at)];
}

const Value& tuple_item(const Value& tuple, const Value& index) {
  const core::Values& items = tuple.tuple().items;
  int64_t at = index.to_int();
  if (at < 0) at += static_cast<int64_t>(items.size());
  base::check(at >= 0 && static_cast<size_t>(at) < items.size(), "tuple index out of range");
  return items[static_cast<size_t>(at)];
}

Value wait_for(const Value& future) {
  const core::FutureObject& object = future.future();
  if (object.error) throw base::Error(*object.error);
  return object.value;
}

// `File "net.py", line 12, in forward: return self.fc(x)`.
std::string frame_text(const Code& code, const base::SourceRange& range) {
  std::string function = code.name.substr(code.name.rfind('.') + 1);
  if (!range) return "in " + function;
  std::string out =
      fmt::format("File \"{}\", line {}, in {}", range.source->name, range.line(), function);
  const std::string& text = range.source->text;
  if (range.begin >= text.size()) return out;
  size_t begin = range.begin == 0 ? 0 : text.rfind('\n', range.begin - 1) + 1;  // npos + 1 is 0.
  size_t end = std::min(text.find('\n', range.begin), text.size());
  std::string_view line = base::trim(std::string_view(text).substr(begin, end - begin));
  return line.empty() ? out : fmt::format("{}: {}", out, line);
}

}  // namespace

void Machine::push(std::shared_ptr<const Code> code, uint32_t out) {
  base::check(limits.call_depth == 0 || frames_.size() < limits.call_depth,
              "maximum recursion depth exceeded: ", limits.call_depth, " active calls");
  size_t base = stack_.size();
  stack_.resize(base + code->registers);
  std::copy(code->constants.begin(), code->constants.end(),
            stack_.begin() + static_cast<std::ptrdiff_t>(base + code->parameters));
  frames_.push_back({std::move(code), base, 0, out});
}

Value Machine::pop(const Site& site) {
  Value result;
  if (site.inputs.size() == 1) {
    result = take(site.inputs[0]);
  } else if (!site.inputs.empty()) {
    core::Values results;
    for (uint32_t input : site.inputs) results.push_back(take(input));
    result = core::make_tuple(std::move(results));
  }
  Value entered = std::move(frames_.back().entered);
  stack_.resize(frames_.back().base);
  frames_.pop_back();
  if (!entered.is_none()) {
    auto autocast = autocast_region(context_, entered.object());
    contexts_.push_back({frames_.size(), std::move(entered), std::move(autocast)});
  }
  return result;
}

Value Machine::loop(size_t floor) {
  const Code* code = nullptr;
  const Instruction* first = nullptr;
  const Instruction* at = nullptr;
  const Site* site = nullptr;
  Value* regs = nullptr;
  // Inlined, so that the variables above can stay in registers of the processor.
  auto resume = [&]() __attribute__((always_inline)) {
    const Frame& frame = frames_.back();
    code = frame.code.get();
    first = code->instructions.data();
    at = first + frame.next;
    site = code->sites.data();
    regs = stack_.data() + frame.base;
  };
  // Also tells unwind() which instruction was at work.
  auto suspend = [&]() __attribute__((always_inline)) {
    frames_.back().next = static_cast<size_t>(at - first);
  };
  auto jump = [&](uint32_t target) { at = first + target; };
  auto read = [&](uint32_t operand) -> Value& { return regs[operand & ~last_bit]; };
  resume();
  try {
    while (true) {
      const Instruction& i = *at++;
      switch (i.opcode) {
        case Opcode::move:
          if (i.b & last_bit)
            regs[i.a] = std::move(read(i.b));
          else
            regs[i.a] = read(i.b);
          break;
        case Opcode::drop:
          regs[i.a] = Value();
          break;
        case Opcode::jump:
          jump(i.a);
          break;
        case Opcode::jump_unless:
          if (!read(i.b).to_bool()) jump(i.a);
          break;
        case Opcode::loop_start:
          regs[i.a] = int64_t{0};
          if (regs[i.a + 1].to_int() <= 0 || !read(i.b).to_bool()) jump(i.c);
          break;
        case Opcode::loop_next: {
          tick();
          int64_t count = regs[i.a].count_up();
          if (count < regs[i.a + 1].to_int() && regs[i.b].to_bool()) jump(i.c);
          break;
        }
        case Opcode::count_next:
          tick();
          if (regs[i.a].count_up() < regs[i.a + 1].to_int()) jump(i.c);
          break;
        case Opcode::finish: {
          uint32_t out = frames_.back().out;
          Value result = pop(site[i.a]);
          if (frames_.size() == floor) return result;
          resume();
          regs[out] = std::move(result);
          break;
        }
        case Opcode::call_operator:
          tick();
          call_operator(site[i.b], i.a);
          break;
        case Opcode::call_native:
          tick();
          call_native(site[i.b], i.a);
          break;
        case Opcode::call_method: {
          tick();
          const Site& s = site[i.b];
          suspend();
          call(method_code(s, read(s.inputs[0]), s.name), s.inputs, i.a);
          resume();
          break;
        }
        case Opcode::call_function:
          tick();
          suspend();
          call(function_code(site[i.b]), site[i.b].inputs, i.a);
          resume();
          break;
        case Opcode::call_value:
          tick();
          suspend();
          call_value(site[i.b], i.a);
          resume();
          break;
        case Opcode::call_outside:
          tick();
          suspend();
          call_outside(site[i.b], i.a);
          resume();
          break;
        case Opcode::enter:
          suspend();
          enter(site[i.b], i.a);
          resume();
          break;
        case Opcode::leave:
          suspend();
          leave(site[i.b], i.a);
          resume();
          break;
        case Opcode::fork: {
          tick();
          suspend();
          Value future = fork(site[i.b]);
          resume();
          regs[i.a] = std::move(future);
          break;
        }
        case Opcode::wait:
          regs[i.a] = wait_for(read(i.b));
          break;
        case Opcode::raise:
          raise(site[i.a]);
        case Opcode::print:
          print_line(site[i.a]);
          break;
        case Opcode::warn:
          show_warning(site[i.a]);
          break;
        case Opcode::unknown:
          base::unsupported(site[i.a].name);
        case Opcode::blank:
          regs[i.a] = blank(site[i.b].type);
          break;
        case Opcode::check_type:
          check_type(read(i.a), site[i.b].type);
          break;
        case Opcode::make_list:
        case Opcode::make_tuple:
        case Opcode::make_dict:
        case Opcode::make_object:
          make(i.opcode, site[i.b], regs[i.a]);
          break;
        case Opcode::unpack_list:
        case Opcode::unpack_tuple:
          unpack(i.opcode, site[i.b], regs + i.a);
          break;
        case Opcode::tuple_index:
          regs[i.a] = tuple_item(read(i.b), read(i.c));
          break;
        case Opcode::tuple_slice:
          regs[i.a] = tuple_slice(site[i.b]);
          break;
        case Opcode::get_attribute:
          regs[i.a] = get_attribute(site[i.b]);
          break;
        case Opcode::set_attribute:
          set_attribute(site[i.b]);
          break;
        case Opcode::container_item:
          regs[i.a] = container_item(site[i.b]);
          break;
        case Opcode::is_instance:
          regs[i.a] = is_instance(site[i.b]);
          break;
        case Opcode::sort_objects:
        case Opcode::sorted_objects: {
          suspend();
          Value made = sort(i.opcode, site[i.b]);
          resume();
          if (i.opcode == Opcode::sorted_objects) regs[i.a] = std::move(made);
          break;
        }
        case Opcode::is:
          regs[i.a] = read(i.b).same(read(i.c));
          break;
        case Opcode::is_not:
          regs[i.a] = !read(i.b).same(read(i.c));
          break;
        case Opcode::list_length:
          regs[i.a] = static_cast<int64_t>(read(i.b).list().items.size());
          break;
        case Opcode::list_item:
          regs[i.a] = list_item(read(i.b), read(i.c));
          break;
        case Opcode::list_append:
          read(i.a).list().items.push_back(read(i.b));
          break;
// Registers of numbers hold nothing to be emptied: no operand has `last_bit`.
#define INSTRUCTION(name, a, b, c, meaning)
#define UNARY(name, kind, type, result, expression)               \
  case Opcode::name: {                                            \
    const auto x = Read<core::TypeKind::type>::of(regs[i.b]);     \
    regs[i.a] = Read<core::TypeKind::result>::Number{expression}; \
    break;                                                        \
  }
#define BINARY(name, kind, left, right, result, expression)       \
  case Opcode::name: {                                            \
    const auto x = Read<core::TypeKind::left>::of(regs[i.b]);     \
    const auto y = Read<core::TypeKind::right>::of(regs[i.c]);    \
    regs[i.a] = Read<core::TypeKind::result>::Number{expression}; \
    break;                                                        \
  }
#include "engine/interp/instruction.def"
#undef INSTRUCTION
#undef UNARY
#undef BINARY
        default:
          __builtin_unreachable();  // Every row of instruction.def is above.
      }
    }
  } catch (...) {
    // The frame on top is the one whose instruction failed, unless a call had already pushed its
    // callee, which then has not run yet.
    if (code == frames_.back().code.get() && regs == registers()) suspend();
    throw;
  }
}

Value Machine::execute(size_t floor) {
  try {
    return loop(floor);
  } catch (...) {
    base::Error error = base::caught_error();
    unwind(floor, error);
    throw error;
  }
}

void Machine::unwind(size_t floor, base::Error& error) {
  args_.clear();
  while (frames_.size() > floor) {
    {
      const Frame& frame = frames_.back();
      size_t index = frame.next == 0 ? 0 : frame.next - 1;
      uint32_t at = frame.code->location_of.empty() ? 0 : frame.code->location_of[index];
      base::SourceRange range = frame.code->locations[at].original();
      error.at(range);
      error.add_context(frame_text(*frame.code, range));
    }
    close_contexts(frames_.size(), error);
    stack_.resize(frames_.back().base);
    frames_.pop_back();
  }
}

// Leaves the with-blocks that a frame that failed has opened; what goes wrong meanwhile is less
// telling than the first error, unless it is that the program reached a limit.
void Machine::close_contexts(size_t depth, base::Error& error) {
  while (!contexts_.empty() && contexts_.back().depth == depth) {
    Value object = std::move(contexts_.back().object);
    contexts_.pop_back();
    if (exhausted_) continue;
    try {
      auto code = code_of(unit_.method(*object.object().type, "__exit__"));
      size_t floor = frames_.size();
      push(std::move(code), 0);
      registers()[0] = std::move(object);
      execute(floor);
    } catch (const base::Error& later) {
      if (exhausted_) error = later;
    }
  }
}

void Machine::start_limits() {
  steps_ = 0;
  exhausted_ = false;
  chunk_ = budget_ = limits.steps ? std::min<uint64_t>(limits.steps, 256) : 256;
}

void Machine::refill() {
  steps_ += chunk_;
  chunk_ = budget_ = 256;
  exhausted_ = true;  // Unless all is well.
  if (limits.steps) {
    if (steps_ >= limits.steps) {
      base::fail_for_want_of(base::Resource::time, "the program took more than ", limits.steps,
                             " steps");
    }
    chunk_ = budget_ = std::min<uint64_t>(256, limits.steps - steps_);
  }
  base::check_deadline();
  if (base::HeapLimit::exceeded()) {
    base::fail_for_want_of(base::Resource::memory, "the program's lists and texts took more than ",
                           limits.memory, " bytes");
  }
  exhausted_ = false;
}

Value Machine::run(std::shared_ptr<const Code> code, core::Values args) {
  base::check(code->parameters == args.size(), "'", code->name, "' takes ", code->parameters,
              " arguments, but ", args.size(), " were given");
  size_t floor = frames_.size();
  std::optional<core::MemoryScope> memory;
  std::optional<base::DeadlineScope> deadline;
  std::optional<base::HeapLimit> heap;
  if (floor == 0) {
    start_limits();
    warned_.clear();
    if (limits.time.count() > 0) deadline.emplace(limits.time);
    if (limits.memory) {
      memory.emplace(base::make_ref<core::MemoryBudget>(limits.memory));
      heap.emplace(limits.memory);
    }
  }
  base::Restore location(context_.location, context_.location);
  push(std::move(code), 0);
  std::move(args.begin(), args.end(), registers());
  args.clear();
  return execute(floor);
}

std::shared_ptr<const Code> Machine::code_of(const ir::Function& function) {
  const ir::Graph& graph = function.graph();  // Defines it, which may change the version.
  std::shared_ptr<const Code>& known = codes_[&function];
  if (!known || known->version != function.version()) {
    if (known) known->forget_lookups();
    known = lower(graph, function.qualified_name(), options, function.version());
  }
  return known;
}

void Machine::forget_code() {
  for (const auto& [function, code] : codes_) {
    if (code) code->forget_lookups();  // Null where the graph could not be lowered.
  }
  codes_.clear();
}

void Machine::forget_code(const ir::Function& function) {
  auto found = codes_.find(&function);
  if (found == codes_.end()) return;
  if (found->second) found->second->forget_lookups();
  codes_.erase(found);
}

Interpreter::Interpreter(ir::Unit& unit, ops::Context& context)
    : unit_(unit), machine_(std::make_unique<Machine>(unit, context)) {}

Interpreter::~Interpreter() { machine_->forget_code(); }

void Interpreter::set_limits(const Limits& limits) { machine_->limits = limits; }

void Interpreter::set_outside(Outside outside) { machine_->outside = std::move(outside); }

void Interpreter::set_print(std::function<void(std::string_view)> sink) {
  machine_->print = std::move(sink);
}

void Interpreter::set_warn(Warn sink) { machine_->warn = std::move(sink); }

void Interpreter::set_options(const LowerOptions& options) {
  machine_->options = options;
  machine_->forget_code();
}

Value Interpreter::run(const ir::Function& function, core::Values args) {
  return machine_->run(machine_->code_of(function), std::move(args));
}

Value Interpreter::call(const ir::Function& function, core::Values args, const Keywords& keywords) {
  return run(function, bind_arguments(function.schema(), args, keywords));
}

Value Interpreter::call_method(const core::ObjectRef& object, std::string_view method,
                               core::Values args, const Keywords& keywords) {
  args.insert(args.begin(), Value(object));
  return call(unit_.method(*object->type, method), std::move(args), keywords);
}

void Interpreter::forget(const ir::Function& function) { machine_->forget_code(function); }

std::shared_ptr<const Code> Interpreter::code_of(const ir::Function& function) {
  return machine_->code_of(function);
}

}  // namespace assay::interp
