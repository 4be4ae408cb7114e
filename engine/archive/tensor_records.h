#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "engine/archive/unpickler.h"
#include "engine/archive/zip_reader.h"
#include "engine/core/tensor.h"

namespace assay::archive {

/// The storages of one folder of an archive (`data/`, `constants/`), by key. Tensors that name the
/// same key share their bytes. Bytes stay where they lie in the mapped file when they are stored
/// uncompressed, in the host's byte order and aligned for their dtype; otherwise they are copied.
class TensorRecords {
 public:
  /// Where a saved device's storages go: the identity, or what `map_location` asks for.
  using MapDevice = std::function<core::Device(core::Device)>;

  /// `folder` ends in '/'.
  TensorRecords(std::shared_ptr<const ZipReader> zip, std::string folder, bool big_endian,
                MapDevice map_device);

  /// A one-dimensional tensor of `id.numel` elements over the whole storage. Input error if there
  /// is no such record or it has fewer bytes than the pickle claims.
  core::Tensor load(const StorageId& id);

 private:
  struct Loaded {
    core::StorageRef storage;
    core::DType dtype;
  };
  core::StorageRef read(const ZipRecord& record, const StorageId& id) const;
  core::StorageRef read_to_host(const ZipRecord& record, core::DType dtype) const;

  std::shared_ptr<const ZipReader> zip_;
  std::string folder_;
  bool big_endian_;
  MapDevice map_device_;
  std::unordered_map<std::string, Loaded> loaded_;
};

}  // namespace assay::archive
