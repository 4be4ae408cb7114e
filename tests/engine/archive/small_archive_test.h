#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/archive/reader.h"
#include "engine/archive/writer.h"
#include "engine/base/error.h"
#include "engine/script/compiler.h"
#include "tests/engine/archive/zip_test.h"

namespace assay::archive {

using Members = std::vector<std::pair<std::string, std::string>>;

/// The pickle of an object of `__torch__.Net` whose only attribute is `training`.
inline std::string net_pickle() {
  return std::string("\x80\x02") + "c__torch__\nNet\n)\x81}(X\x08" + std::string(3, '\0') +
         "training\x89ub.";
}

/// A module class `Net` with this body behind its `training` attribute.
inline std::string net_code(const std::string& body) {
  return "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n" +
         body;
}

/// The members of a small archive; `more` replaces and adds.
inline Members net_members(const std::string& body, const Members& more = {}) {
  Members members{{"data.pkl", net_pickle()},
                  {"code/__torch__.py", net_code(body)},
                  {"constants.pkl", "\x80\x02)."},
                  {"version", "3\n"}};
  for (const auto& [name, contents] : more) {
    bool known = false;
    for (auto& member : members) {
      if (member.first == name) member.second = contents, known = true;
    }
    if (!known) members.emplace_back(name, contents);
  }
  return members;
}

/// An archive read into a unit, in the order in which they may go away.
struct Opened {
  explicit Opened(const std::string& bytes, const ReadOptions& options = {})
      : reader(std::make_unique<Reader>(FileBytes::copy(bytes))) {
    module = reader->read_module(unit, options, nullptr);
  }
  ir::Graph& graph(std::string_view method = "forward") {
    return unit.method(*module->type, method).graph();
  }

  std::unique_ptr<Reader> reader;
  ir::Unit unit;
  core::ObjectRef module;
};

/// The message of the error that reading these members raises; empty if there is none.
inline std::string reading_error(const Members& members) {
  try {
    Opened opened(zip_of(members));
  } catch (const base::Error& e) {
    return e.kind() == base::ErrorKind::internal ? "internal: " + e.message() : e.message();
  }
  return "";
}

}  // namespace assay::archive
