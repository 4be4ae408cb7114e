#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/archive/visit_budget.h"
#include "engine/core/value.h"

namespace assay::archive {

/// A storage that a pickle refers to by persistent id.
struct StorageId {
  core::DType dtype = core::DType::float32;
  std::string key;       ///< Name of the record that holds the bytes.
  std::string location;  ///< "cpu", "cuda:0".
  int64_t numel = 0;     ///< As claimed by the pickle.
};

/// What a pickle refers to outside itself. Each function may be empty; a pickle that needs it is
/// then refused.
struct PickleContext {
  /// The class, enum or named tuple of a qualified name `__torch__...`.
  std::function<core::TypePtr(const std::string&)> resolve_type;
  /// The type that a type expression such as "List[int]" names.
  std::function<core::TypePtr(const std::string&)> parse_type;
  /// Gives a freshly made object its state (runs `__setstate__`, or sets the attributes).
  std::function<void(const core::ObjectRef&, const core::Value& state)> set_state;
  /// A one-dimensional tensor over the whole of a storage.
  std::function<core::Tensor(const StorageId&)> load_storage;
  /// The tensor of a number, for pickles that refer to a table of tensors.
  std::function<core::Tensor(int64_t)> tensor_from_id;
  /// What the pickle may look at again and again; null for a budget of its own.
  VisitBudget* visits = nullptr;
};

/// Reads a pickle as TorchScript archives hold it. Only the opcodes of pickle.def are known, and
/// only these constructors are called: tensors and parameters, OrderedDict, the typed lists and
/// type tags of torch.jit._pickle, torch.device, complex, dtypes, and classes that `resolve_type`
/// knows. Anything else is one input error that names it (an unsupported error for tensors that
/// PyTorch has and assay has not: quantized, sparse).
///
/// Memory and time are bounded by a constant times the bytes of the pickle; nesting by
/// `max_nesting`.
core::Value unpickle(std::string_view bytes, const PickleContext& context);

inline constexpr uint32_t max_nesting = 2000;

}  // namespace assay::archive
