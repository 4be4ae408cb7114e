#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "verify/observation/observation.h"

namespace assay::verify {

/// How gradients are asked for.
struct FlowWish {
  /// Shows what a difference means. Where gradients are computed, inputs and parameters are first
  /// moved by a few roundings: how far rounding alone may move gradients. Where only cuts are
  /// followed, what was computed unrecorded is moved: whether an output depends on it at all.
  bool nudged = false;
  /// Lines that switch gradients off, and are to do nothing.
  std::vector<SourceLocation> ignored = {};
};

/// How gradients flow through a call whose floating inputs ask for them. Two runs that give the
/// same outputs may differ in it: no element of an output says where gradients end.
struct GradientFlow {
  enum class Kind {
    unknown,  ///< `reason` says why.
    values,   ///< PyTorch computed them.
    cuts,     ///< The engine, which computes none, followed where they end.
  };
  Kind kind = Kind::unknown;
  std::string reason;
  /// What PyTorch raised on the way back from the outputs to inputs that ask for gradients; empty
  /// where it raised nothing. Those of parameters may be known all the same.
  std::string failed;

  /// Of a large tensor, as many elements are told, evenly spread.
  static constexpr size_t most = 1024;
  /// Gradients of the outputs, weighted with fixed numbers, by what they are with respect to:
  /// "args[0]", "parameter fc.weight"; none where no gradient comes. Beside cuts: the outputs
  /// themselves ("output[0]").
  std::map<std::string, std::vector<double>> values;
  /// Of the coarsest type that they went through: the distance from 1 to the next number.
  double precision = 0;

  /// By outputs: what ends on the way to each (trace::CutFollower), sorted.
  std::map<std::string, std::vector<std::string>> cuts;
  /// By outputs: the lines at which what reaches them was computed without recording, where it was
  /// a program that told.
  std::map<std::string, std::vector<SourceLocation>> unrecorded;

  /// Beside cuts: the functions that the model gave a derivative of its own
  /// (torch.autograd.Function). What gradients become there, only PyTorch computes.
  std::vector<std::string> own_derivatives;

  /// The user's lines that switched gradients off, as far as it was Python that did so.
  std::vector<SourceLocation> switches;

  static GradientFlow unknown(std::string reason) {
    GradientFlow flow;
    flow.reason = std::move(reason);
    return flow;
  }
};

}  // namespace assay::verify
