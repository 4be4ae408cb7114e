#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/core/value.h"

namespace assay::ops {

struct Operator;

/// The one hook of the dispatcher: told of every operator call. Tracing, profiling, provenance and
/// the device ledger are observers. An implementation must not call operators through the same
/// context and must not keep references to the spans.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void before(const Operator&, std::span<const core::Value> /*args*/) {}
  /// `kernel` names the candidate that ran ("reference", "onednn", "composite", "rule").
  virtual void after(const Operator&, std::span<const core::Value> /*args*/,
                     std::span<const core::Value> /*results*/, std::string_view /*kernel*/) {}
  /// Bytes were allocated on a device for a result.
  virtual void allocated(core::Device, size_t /*bytes*/) {}
  /// Bytes moved between devices.
  virtual void copied(core::Device /*from*/, core::Device /*to*/, size_t /*bytes*/) {}
  /// The host waited for a device to read values (item, nonzero, printing).
  virtual void synchronized(core::Device) {}
};

}  // namespace assay::ops
