#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/archive/file_bytes.h"
#include "engine/archive/importer.h"
#include "engine/archive/tensor_records.h"
#include "engine/archive/upgraders.h"
#include "engine/archive/zip_reader.h"
#include "engine/core/value.h"
#include "engine/ir/unit.h"

namespace assay::script {
class Importer;
}

namespace assay::archive {

/// A TorchScript archive: a zip file with one root folder that holds `version`, `code/`,
/// `constants.pkl`, `data.pkl` and the tensors' records. Format versions 1 to 10 are read; the
/// older layout with `model.json` (PyTorch 1.0 and 1.1) is an unsupported error. The archive is
/// not trusted.
///
/// Code is parsed when a class or function of it is first needed, also long after loading: the
/// reader must outlive the unit that it reads into.
class Reader final : public Importer {
 public:
  explicit Reader(FileBytes file);
  explicit Reader(std::shared_ptr<const ZipReader> zip);
  ~Reader() override;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void check_unchanged() const override { zip_->file().check_unchanged(); }

  /// Operator set version of the archive's code (1 to 10).
  int64_t version() const { return version_; }
  const std::string& root() const { return root_; }

  /// Names of the bundled files below `extra/`, without that folder; and the contents of one.
  std::vector<std::string> extra_files() const override;
  std::string extra_file(std::string_view name) const override;

  /// The source files below `code/` ("__torch__/torch/nn/modules/linear.py"), and one of them, with
  /// its map to the original program; null if there is none of this name.
  std::vector<std::string> source_files() const override;
  std::shared_ptr<const base::Source> source(std::string_view file) const;

  std::string source_text(std::string_view file) const override;

  core::ObjectRef read_module(ir::Unit& unit, const ReadOptions& options, const Run& run) override;

 private:
  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;
  void read_version();
  void set_state(ir::Unit& unit, const core::ObjectRef& object, const core::Value& state,
                 const Run& run, VisitBudget& visits) const;
  TensorRecords records(std::string_view folder, TensorRecords::MapDevice map_device) const;

  std::shared_ptr<const ZipReader> zip_;
  std::string root_;  // Ends in '/'.
  int64_t version_ = 0;
  bool big_endian_ = false;
  std::unique_ptr<script::Importer> importer_;
  Upgrades upgrades_{0};
};

}  // namespace assay::archive
