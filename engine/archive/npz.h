#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/archive/file_bytes.h"
#include "engine/core/tensor.h"

namespace assay::archive {

using NamedTensors = std::vector<std::pair<std::string, core::Tensor>>;

/// An array to write: its elements row-major, numel * item size bytes.
struct NamedArray {
  std::string name;
  core::DType dtype;
  core::Dims shape;
  std::string bytes;
};

/// The arrays of a file of NumPy (`numpy.savez`, also compressed), in its order: a zip file with a
/// member `NAME.npy` for each. A Fortran-ordered array keeps its strides. The file is not trusted;
/// input error on anything else, and on arrays that no tensor can hold (texts, objects, records,
/// other byte orders), which it names.
NamedTensors read_npz(FileBytes file);

/// The bytes of such a file. Input error for element types that NumPy does not have (bfloat16), and
/// for two arrays of one name.
std::string npz_bytes(const std::vector<NamedArray>& arrays);

}  // namespace assay::archive
