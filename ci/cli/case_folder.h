#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/cases/case.h"

namespace assay::cli {

/// A call that was saved, and what its file says beside the arguments.
struct SavedCall {
  verify::Call call;
  std::optional<std::string> method;
  std::optional<uint64_t> seed;
};

/// Reads a case folder (README.md says what is in it), one of its several calls as `FOLDER#2`, or a
/// file of NumPy (.npz), whose arrays become keywords. Input error, naming the file, on anything
/// else.
SavedCall load_call(const std::string& path);

/// Gives a file's arrays the places of a method's parameters: by name, or in order where they are
/// called arr_0, arr_1, ... as numpy.savez does. Input error for names that are no parameters.
void place_arrays(verify::Call& call, const std::vector<std::string>& parameters,
                  const std::string& path);

/// Moves every tensor of the call to the device.
void move_to(core::Device device, verify::Call& call);

/// Whether the path means a file of NumPy.
bool is_npz(const std::string& path);

/// Writes a call and its result as a case folder that `load_call` reads; the result alone where the
/// path ends in .npz. Input error where it cannot be written or hold such a value.
void save_call(const std::string& path, const SavedCall& saved, const core::Value& result);

}  // namespace assay::cli
