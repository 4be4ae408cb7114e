#pragma once

#include <fmt/core.h>

#include <random>
#include <string>
#include <vector>

#include "engine/archive/pickler.h"
#include "engine/archive/zip_writer.h"
#include "engine/base/text.h"
#include "engine/core/value.h"

namespace assay::api {

/// Archives with random state and a random, terminating `forward(x: Tensor) -> Tensor` over it: the
/// same for the same seed.
class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {}

  std::string archive() {
    std::string code = source();
    archive::ZipWriter zip("random");
    int stored = 0;
    archive::PickleSink sink;
    sink.store = [&](const core::StorageRef& storage) {
      std::string key = std::to_string(stored++);
      zip.add("data/" + key, {reinterpret_cast<const char*>(storage->data()), storage->nbytes()});
      return key;
    };
    sink.get_state = [](const core::ObjectRef&) { return std::nullopt; };
    zip.add("data.pkl", archive::pickle(core::Value(state()), sink));
    zip.add("code/__torch__.py", code);
    zip.add("constants.pkl", archive::pickle(core::Value(core::make_tuple({})), {}));
    zip.add("version", "3\n");
    return zip.finish();
  }

 private:
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  template <typename T>
  const T& any_of(const std::vector<T>& items) {
    return items[static_cast<size_t>(below(static_cast<int64_t>(items.size())))];
  }

  core::ObjectRef state() {
    auto type = std::make_shared<core::ClassType>("__torch__.Net", true);
    core::Values slots;
    auto add = [&](const char* name, core::TypePtr of, core::Value value,
                   core::ClassType::Role role = core::ClassType::Role::attribute) {
      type->add_attribute(name, std::move(of), role);
      slots.push_back(std::move(value));
    };
    core::Tensor w = core::Tensor::empty(core::Dims{3}, core::DType::float32);
    for (int i = 0; i < 3; ++i) w.device_data<float>()[i] = static_cast<float>(below(16)) / 4 - 2;
    auto table = core::make_dict(core::string_type(), core::int_type());
    for (int64_t i = below(4); i > 0; --i) table->set(fmt::format("k{}", i), below(1000) - 500);
    std::vector<int64_t> sizes(static_cast<size_t>(below(4)), below(1 << 30) * below(1 << 30));
    add("w", core::tensor_type(), w, core::ClassType::Role::parameter);
    add("training", core::bool_type(), below(2) == 1);
    add("k", core::int_type(), below(5));
    add("s", core::float_type(), static_cast<double>(below(100)) / 8 - 6);
    add("name", core::string_type(), fmt::format("a\n'\"\\{}", below(10)));
    add("sizes", core::list_of(core::int_type()), core::Value(core::make_int_list(sizes)));
    add("table", table_type(), core::Value(table));
    add("maybe", core::optional_of(core::int_type()), below(2) ? core::Value(7) : core::Value());
    add("pair", core::tuple_of({core::int_type(), core::tensor_type()}),
        core::Value(core::make_tuple({below(9), w})));
    auto object = base::make_ref<core::Object>(type);
    object->slots = std::move(slots);
    return object;
  }

  static core::TypePtr table_type() { return core::dict_of(core::string_type(), core::int_type()); }

  std::string source() {
    code_ =
        "class Net(Module):\n  __parameters__ = [\"w\", ]\n  __buffers__ = []\n  w : Tensor\n"
        "  training : bool\n  k : int\n  s : float\n  name : str\n  sizes : List[int]\n"
        "  table : Dict[str, int]\n  maybe : Optional[int]\n  pair : Tuple[int, Tensor]\n"
        "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n"
        "    y = torch.add(x, self.w)\n    n = self.k\n    s = self.s\n";
    tensors_ = {"x", "y"};
    statements(2, 3 + below(8));
    code_ += "    return y\n";
    return code_;
  }

  void line(size_t level, const std::string& text) {
    code_ += std::string(2 * level, ' ') + text + "\n";
  }

  std::string tensor() {
    std::string a = any_of(tensors_), b = any_of(tensors_);
    switch (below(8)) {
      case 0:
        return fmt::format("torch.add({}, {})", a, b);
      case 1:
        return fmt::format("torch.mul({}, {})", a, below(7) - 3);
      case 2:
        return fmt::format("torch.sub({}, {}, alpha={})", a, b, below(3));
      case 3:
        return fmt::format("torch.clamp({}, -8., 8.)", a);
      case 4:
        return fmt::format("torch.relu({})", a);
      case 5:
        return fmt::format("torch.neg({})", a);
      case 6:
        return fmt::format("torch.add({}, n)", a);
      default:
        return fmt::format("torch.mul({}, s)", a);
    }
  }

  void statements(size_t level, int64_t count) {
    size_t known = tensors_.size();
    for (int64_t i = 0; i < count; ++i) statement(level, known);
    tensors_.resize(known);  // What a block defines is not known behind it.
  }

  void statement(size_t level, size_t& known) {
    constexpr size_t deepest = 4;
    int64_t kind = below(level < deepest ? 9 : 5);
    std::string fresh = fmt::format("t{}", names_++);
    switch (kind) {
      case 0:
      case 1:
        line(level, fmt::format("y = torch.clamp({}, -1000., 1000.)", tensor()));
        break;
      case 2:
        line(level, fmt::format("{} = {}", fresh, tensor()));
        tensors_.push_back(fresh);
        break;
      case 3:
        line(level, fmt::format("n = torch.remainder(torch.add(n, {}), 5)", below(9)));
        break;
      case 4:
        line(level, fmt::format("{} = [{}, {}]", fresh, any_of(tensors_), any_of(tensors_)));
        line(level, fmt::format("y = torch.add({}[{}], {})", fresh, below(2), any_of(tensors_)));
        break;
      case 5:
      case 6:
        line(level, fmt::format("if torch.gt(n, {}):", below(5)));
        statements(level + 1, 1 + below(3));
        line(level + 1, fmt::format("y = {}", tensor()));
        line(level, "else:");
        line(level + 1, fmt::format("y = {}", tensor()));
        break;
      case 7:
        line(level, fmt::format("for i{} in range({}):", names_, below(4)));
        line(level + 1, fmt::format("y = torch.clamp(torch.add(y, i{}), -1000., 1000.)", names_));
        statements(level + 1, below(3));
        break;
      default:
        line(level, fmt::format("{} = (n, {})", fresh, any_of(tensors_)));
        line(level, fmt::format("n, y, = {}", fresh));
    }
    if (level == 2) known = tensors_.size();
  }

  std::mt19937_64 random_;
  std::string code_;
  std::vector<std::string> tensors_;
  int names_ = 0;
};

}  // namespace assay::api
