#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/value.h"
#include "engine/ir/unit.h"

namespace assay::script {

/// Compiles the code of an archive, name by name as it is asked for. `__torch__.a.b.Net` lives in
/// the file `__torch__/a/b.py`. Classes are defined when their name is first looked up, functions
/// and methods are compiled on first use, all in `unit`; the importer must outlive it. It makes
/// itself the unit's resolver.
class Importer {
 public:
  /// The text of `code/<file>`; null if the archive has no such file.
  using FindSource = std::function<std::shared_ptr<const base::Source>(const std::string& file)>;

  /// `constants` are what the code calls CONSTANTS.c0, c1, …
  Importer(ir::Unit& unit, core::Values constants, FindSource find_source);
  ~Importer();

  /// Sets CONSTANTS anew, for constants that can only be read once the importer is there (objects
  /// of the archive's classes).
  void set_constants(core::Values constants);
  /// Called with each function right after it was compiled, to change its graph.
  void set_revise(std::function<void(ir::Function&)> revise);

  /// A class, interface, enum or named tuple by its qualified name. Input error if the archive does
  /// not define it.
  core::TypePtr resolve_type(const std::string& qualified);
  /// The type that a tag in a pickle names: "List[int]", "Dict[str, __torch__.Net]".
  core::TypePtr parse_type(const std::string& text);

  /// Defines methods of a class from a source of plain functions, as format 1 stores them.
  void define_methods(const core::ClassTypePtr& type,
                      const std::shared_ptr<const base::Source>& source);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay::script
