#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/archive/zip_writer.h"

namespace assay::cli::testing {

/// More levels than any stack holds: under sanitizers a level takes far more than 2 KB of its 8 MB.
#ifdef ASSAY_SANITIZED
inline constexpr int beyond_any_stack = 5000;
#else
inline constexpr int beyond_any_stack = 100000;
#endif

/// The parts of a small archive; a test changes the one that it is about.
struct Archive {
  std::string code;
  std::string data = std::string("\x80\x02") + "c__torch__\nNet\n)\x81}(X\x08" +
                     std::string(3, '\0') + "training\x89ub.";
  std::string constants = "\x80\x02).";
  std::string version = "3\n";
  std::vector<std::pair<std::string, std::string>> more = {};

  std::string bytes() const {
    archive::ZipWriter zip("m");
    zip.add("data.pkl", data);
    zip.add("code/__torch__.py", code);
    zip.add("constants.pkl", constants);
    zip.add("version", version);
    for (const auto& [name, contents] : more) zip.add(name, contents);
    return zip.finish();
  }
};

/// The class `Net` with more attributes, without a method.
inline std::string net(const std::string& attributes = "") {
  return "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n" +
         attributes;
}

/// `Net` with a forward method of these lines, of which the last returns.
inline std::string net_with(const std::vector<std::string>& lines,
                            const std::string& gives = "Tensor") {
  std::string code =
      net() + "  def forward(self: __torch__.Net,\n    x: Tensor) -> " + gives + ":\n";
  for (const std::string& line : lines) code += "    " + line + "\n";
  return code;
}

}  // namespace assay::cli::testing
