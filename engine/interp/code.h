#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/core/value.h"
#include "engine/interp/instruction.h"
#include "engine/ops/catalog.h"
#include "engine/ops/context.h"

namespace assay::ir {
class Function;
}

namespace assay::ops {
struct NativeMethod;
}

namespace assay::interp {

struct Code;

/// What an instruction needs beyond its operands: an input list and a constant fact.
struct Site {
  std::vector<uint32_t> inputs;  ///< Registers, with last_bit.
  uint32_t outputs = 1;          ///< Number of registers written from the instruction's `a` on.
  const ops::Operator* op = nullptr;
  const ops::NativeMethod* native = nullptr;  ///< The C++ method to be called.
  std::string name = {};         ///< Of an attribute, method, function; why an operator is unknown.
  core::TypePtr type = nullptr;  ///< Of the list, tuple, dict, object or future to be made.
  core::ClassTypePtr made = nullptr;  ///< Of the object to be made.
  std::vector<core::TypePtr> types = {};
  int64_t begin = 0;
  int64_t end = 0;
  std::shared_ptr<const Code> code = nullptr;  ///< Of a fork.
  uint32_t location = 0;

  /// What the last lookup by class found; the same class most often comes again.
  struct Cache {
    core::ClassTypePtr seen = nullptr;
    size_t slot = 0;
    ir::Function* function = nullptr;
    std::shared_ptr<const Code> code = nullptr;
  };
  mutable Cache cache = {};
};

/// A compiled graph. Registers 0.. hold the parameters, then the constants, then everything else.
struct Code {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<Site> sites;
  std::vector<base::SourceRange> locations;
  std::vector<uint32_t> location_of;  ///< For each instruction, an index into `locations`.
  core::Values constants;
  uint32_t parameters = 0;
  uint32_t registers = 0;
  uint64_t version = 0;  ///< Of the function it was compiled from.

  /// Forgets what sites looked up. Functions that call each other hold each other's code there, so
  /// whoever drops code calls this first.
  void forget_lookups() const;

  /// One instruction a line: `12 add_int r3 = r1, r2!`; `!` marks a register's last use.
  std::string str() const;
};

}  // namespace assay::interp
