#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/archive/file_bytes.h"
#include "engine/archive/zip_reader.h"
#include "engine/base/error.h"
#include "engine/core/device.h"
#include "engine/core/value.h"
#include "engine/ir/unit.h"

namespace assay::archive {

struct ReadOptions {
  /// Puts every tensor on this device, wherever it was saved.
  std::optional<core::Device> map_location;
  /// Whether `cuda` devices exist (as fakes). If not, tensors saved on one are an input error.
  bool has_cuda = true;
};

/// A file with a program, opened. An importer brings a graph with its weights into the engine; it
/// must trust nothing that the file says. It may read code when a function is first needed, so it
/// must outlive the unit that it reads into.
class Importer {
 public:
  virtual ~Importer() = default;

  /// Calls a method that the file's own classes define (`__setstate__`).
  using Run = std::function<core::Value(ir::Function& method, core::Values args)>;

  /// Reads the module: its object with all state. Its classes and functions are defined in the unit
  /// as they are needed. May be called once. Errors: input, unsupported.
  virtual core::ObjectRef read_module(ir::Unit& unit, const ReadOptions& options,
                                      const Run& run) = 0;

  /// Input error if the file was written to since it was opened: tensors may lie in it.
  virtual void check_unchanged() const = 0;

  /// Names of further files that are bundled with the program; and the contents of one.
  virtual std::vector<std::string> extra_files() const = 0;
  virtual std::string extra_file(std::string_view name) const = 0;

  /// The source files that the program is compiled from ("__torch__/model.py"), and the text of
  /// one, whether or not it can be compiled; empty where there is none of this name.
  virtual std::vector<std::string> source_files() const = 0;
  virtual std::string source_text(std::string_view file) const = 0;
};

/// A file as formats look at it: its bytes and, where they are a zip file, its members.
class FileContents {
 public:
  explicit FileContents(FileBytes bytes);

  bool starts_with(std::string_view magic) const;
  std::string_view bytes() const;
  /// Null if the bytes are no zip file that can be read; zip_error then says why.
  const std::shared_ptr<const ZipReader>& zip() const { return zip_; }
  const std::optional<base::Error>& zip_error() const { return zip_error_; }
  /// Whether the zip file has this member in the folder of its first member.
  bool has_member(std::string_view name) const;

 private:
  FileBytes bytes_;
  std::shared_ptr<const ZipReader> zip_;
  std::optional<base::Error> zip_error_;
};

/// A kind of file that people may hand in as a program.
struct Format {
  std::string_view name;  ///< "a TorchScript archive (torch.jit.save)"
  std::string_view mark;  ///< What such a file is known by.
  /// By the first bytes or the names in the zip file; called in the order of formats().
  bool (*recognizes)(const FileContents& file);
  /// Null for a kind that is only known by name. Such files are refused as no valid input where
  /// they hold no program, as unsupported where they do.
  std::unique_ptr<Importer> (*open)(const FileContents& file);
  bool holds_program = true;
};

/// All kinds of files, the readable ones first.
std::span<const Format> formats();

/// The importer for what the file is. Input error that lists the formats for an unknown file; input
/// or `unsupported` error with a remedy for a known one that cannot be read.
std::unique_ptr<Importer> open_importer(FileBytes bytes);

}  // namespace assay::archive
