#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/core/value.h"

namespace assay::archive {

/// What the values being pickled refer to outside themselves.
struct PickleSink {
  /// Takes a tensor's storage and gives the name of the record that holds it; the same storage
  /// always the same name.
  std::function<std::string(const core::StorageRef&)> store;
  /// The state of an object whose class defines `__getstate__`; nothing for all others, which are
  /// written by their attributes.
  std::function<std::optional<core::Value>(const core::ObjectRef&)> get_state;
};

/// The value as a pickle of protocol 2, written as PyTorch's own TorchScript pickler writes it, so
/// that PyTorch and `unpickle` read it back. Tensors, lists, dicts and objects that occur several
/// times are written once, and tensors on meta as zeros of their shape. Input error for what a
/// pickle cannot hold: functions, generators, futures, tensors on fake devices.
std::string pickle(const core::Value& value, const PickleSink& sink);

}  // namespace assay::archive
