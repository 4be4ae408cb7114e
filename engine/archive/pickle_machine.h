#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/archive/pickle_constructors.h"
#include "engine/archive/pickle_stream.h"
#include "engine/archive/unpickler.h"

namespace assay::archive {

/// Something on the unpickling stack or in its memo. 24 bytes, so that a hostile pickle of
/// one-byte opcodes stays within a small multiple of its own size.
struct PickleItem {
  enum class Kind : uint8_t {
    value,        ///< A finished value.
    storage,      ///< `value` is a one-dimensional tensor over a storage.
    constructor,  ///< A function of the closed set; `index` is its PickleConstructor.
    type,         ///< A class, enum or named tuple; `index` into the machine's types.
    raw_tuple,    ///< A tuple with members that are no values; `index` into the raw tuples.
    mark,
  };

  core::Value value;
  uint32_t index = 0;
  uint32_t node : 29 = 0;  ///< Which container it is, for the nesting bound; 0 for a leaf.
  Kind kind : 3 = Kind::value;
};

/// The stack machine that executes one pickle.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const PickleContext& context)
      : stream_(bytes),
        context_(context),
        own_visits_(bytes.size()),
        visits_(context.visits ? *context.visits : own_visits_) {}
  core::Value run();

 private:
  using Items = std::vector<PickleItem>;

  bool step(const PickleInstruction& in);
  bool step_scalar(const PickleInstruction& in);
  bool step_container(const PickleInstruction& in);
  bool step_memo(const PickleInstruction& in);
  void step_object(const PickleInstruction& in);

  void push(core::Value value);
  void push_container(core::Value value);
  PickleItem pop();
  PickleItem& top();
  core::Value pop_value();
  Items pop_to_mark();
  void push_tuple(Items members);
  void append_to(PickleItem& list, Items items);
  void put_into(PickleItem& dict, Items keys_and_values);
  void memo_put(int64_t index);
  void memo_get(int64_t index);
  void find_global(std::string_view module, std::string_view name);
  Items arguments(PickleItem tuple);
  void reduce();
  void make_object();
  void build();
  void load_persistent();
  PickleItem instance_of(const core::TypePtr& type, Items args);
  PickleItem call(PickleConstructor constructor, Items args);
  PickleItem rebuild_tensor(const Items& args);
  core::Value ordered_dict(const Items& args);
  PickleItem tag_list(const Items& args, core::TypePtr type);

  /// Notes that `child` is now inside `parent`, and refuses too deep nesting. A list, dict or tuple
  /// that is inside another container, or was given to a constructor, takes in no further one:
  /// picklers complete what they write before they put it anywhere, and so none can come to hold
  /// itself (counts of references would never free it). An object gets its state, once, when others
  /// may hold it already, which deepens all its holders by an unknown path, so that this counts in
  /// full against the bound.
  void nest(PickleItem& parent, const PickleItem& child);
  uint32_t new_node();

  struct Node {
    uint32_t depth = 1;
    bool held = false;     ///< It is inside another container, or a constructor took it.
    bool unbuilt = false;  ///< It is an object that has not got its state.
  };
  PickleStream stream_;
  const PickleContext& context_;
  VisitBudget own_visits_;
  VisitBudget& visits_;
  Items stack_;
  Items memo_;
  std::vector<size_t> marks_;
  std::vector<core::TypePtr> types_;
  std::vector<Items> raw_tuples_;
  std::vector<core::DType> storage_types_;
  std::vector<Node> nodes_{Node{0, false}};
  uint32_t late_growth_ = 0;
  size_t unbuilt_ = 0;
};

}  // namespace assay::archive
