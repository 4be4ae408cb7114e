#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/ops/catalog.h"
#include "verify/graph/program.h"
#include "verify/lint/weights.h"

namespace assay::verify::lint {

/// What the steps of a program have to do with each other: who reads whom, what follows the inputs,
/// which weights are near. Built in time proportional to the program.
class Flow {
 public:
  Flow(const Program& program, const Weights& weights);

  /// One operand of a step.
  struct Place {
    size_t step;
    size_t operand;
  };
  /// Every operand that reads the results of a step, in order.
  const std::vector<Place>& readers(size_t step) const { return readers_[step]; }

  /// Whether values or sizes of an input reach what is read, through memory that is written, too.
  bool follows_input(const Operand& operand) const;
  bool follows_input(size_t step) const { return follows_[step]; }
  /// Whether the step's result is worked out from sizes and numbers alone.
  bool is_size(size_t step) const { return is_size_[step]; }

  /// The step that a list is gathered for, and as which of its operands: the first reader of a
  /// list, of a list of lists, and so on; the place itself where its step gathers nothing.
  Place served(Place place) const;

  /// The dimensions of the weights that fix the sizes here: those that the step itself reads, and
  /// the nearest ones before and behind it.
  std::set<int64_t> dims_near(size_t step) const;
  /// Whether the step reads weights, or what was made of weights alone.
  bool reads_weights(size_t step) const {
    std::set<int64_t> dims;
    return add_weights_of(step, dims);
  }

 private:
  void find_readers();
  void find_sizes();
  void find_followers();
  /// The ids of values: steps first, then the graph's inputs, then parameters in order of reading.
  size_t value_id(const Operand& operand) const;
  const std::vector<Place>& readers_of(size_t value) const;
  /// Adds the dimensions of the weights that a step reads; whether there are any.
  bool add_weights_of(size_t step, std::set<int64_t>& dims) const;
  /// Adds those of the nearest steps behind a step, or before it.
  void add_weights_beyond(size_t step, bool forward, std::set<int64_t>& dims) const;

  const Program& program_;
  const Weights& weights_;
  std::vector<std::vector<Place>> readers_;
  std::vector<std::vector<Place>> input_readers_;
  std::map<std::string, size_t> parameter_ids_;
  std::vector<std::vector<Place>> path_readers_;  ///< By these ids.
  std::vector<bool> follows_;                     ///< By step.
  std::set<std::string>
      written_paths_;  ///< Parameters that a step writes what follows an input to.
  std::vector<bool> is_size_;
};

/// The operator of a step; null for what is none.
const ops::Operator* operator_of(const Step& step);
/// Whether an operator takes a tensor at all, or a list of them.
bool takes_tensors(const ops::Operator& op);
/// Whether a step makes tensors out of numbers alone.
bool makes_tensors(const Step& step);
/// Whether a type holds tensors: a tensor, or lists, tuples and options of them.
bool holds_tensors(const core::TypePtr& type);

}  // namespace assay::verify::lint
