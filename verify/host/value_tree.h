#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/core/value.h"
#include "verify/host/frame.h"

namespace assay::verify::host {

/// Values to value trees: `{"t": "tensor", "ref": ...}` and so on, tensors beside them. One writer
/// per frame: the same tensor object gets the same `ref`, tensors over the same memory the same
/// `storage` number.
class TreeWriter {
 public:
  nlohmann::json tree(const core::Value& value);
  nlohmann::json trees(const core::Values& values);
  const std::vector<NamedBytes>& tensors() const { return tensors_; }

 private:
  nlohmann::json tensor_tree(const core::Tensor& tensor);
  nlohmann::json tuple_tree(const core::TupleObject& tuple);
  nlohmann::json object_tree(const core::Object& object);

  std::vector<NamedBytes> tensors_;
  std::map<const core::TensorImpl*, std::string> refs_;
  std::map<const core::Storage*, int64_t> storages_;
  std::vector<core::Tensor> keep_;  // So that no address is used twice.
};

/// Value trees to values. One reader per frame, for sharing: same `ref`, same tensor object; same
/// `storage`, same memory. Input error on anything that is no tree, or that claims more memory than
/// its frame could justify.
class TreeReader {
 public:
  explicit TreeReader(const Frame& frame) : frame_(frame) {}

  core::Value value(const nlohmann::json& tree);
  core::Values values(const nlohmann::json& trees);
  /// By the number that a tree gave it; null where no tensor read so far lies in it.
  core::StorageRef storage(int64_t number) const;

 private:
  core::Tensor tensor(const nlohmann::json& tree);
  core::StorageRef room(const nlohmann::json& tree, size_t bytes, core::Device device);
  core::Value tuple(const nlohmann::json& tree);
  core::Value dict(const nlohmann::json& tree);
  core::Value enumeration(const nlohmann::json& tree);
  core::Value object(const nlohmann::json& tree);

  const Frame& frame_;
  std::map<std::string, core::Tensor> made_;
  std::map<int64_t, core::StorageRef> storages_;
  size_t claimed_ = 0;
};

/// The elements of a tensor on the host, row-major.
std::string row_major_bytes(const core::Tensor& tensor);

}  // namespace assay::verify::host
