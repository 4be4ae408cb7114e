#include "engine/archive/pickler.h"

#include <bit>
#include <cstring>
#include <unordered_map>

#include "engine/archive/pickle_constructors.h"
#include "engine/archive/pickle_stream.h"
#include "engine/archive/unpickler.h"
#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::Value;
using Op = PickleOp;

class Pickler {
 public:
  explicit Pickler(const PickleSink& sink) : sink_(sink) {}

  std::string run(const Value& value) {
    op(Op::proto);
    byte(2);
    write(value);
    op(Op::stop);
    return std::move(out_);
  }

 private:
  void op(Op code) { out_ += static_cast<char>(code); }
  void byte(uint64_t value) { out_ += static_cast<char>(value); }
  void little_endian(uint64_t value, size_t count) {
    for (size_t i = 0; i < count; ++i) byte(value >> (8 * i) & 0xff);
  }

  void remember(const std::string& key) { memoize(names_[key] = next_memo_++); }
  void remember(const void* object) { memoize(objects_[object] = next_memo_++); }
  void memoize(uint32_t index) {
    op(index < 256 ? Op::binput : Op::long_binput);
    little_endian(index, index < 256 ? 1 : 4);
  }
  void recall(uint32_t index) {
    op(index < 256 ? Op::binget : Op::long_binget);
    little_endian(index, index < 256 ? 1 : 4);
  }
  bool recalled(const std::string& key) {
    auto found = names_.find(key);
    if (found == names_.end()) return false;
    recall(found->second);
    return true;
  }
  bool recalled(const void* object) {
    auto found = objects_.find(object);
    if (found == objects_.end()) return false;
    recall(found->second);
    return true;
  }

  void write(const Value& value) {
    base::check(++depth_ <= max_nesting, "a value is nested too deeply to be saved");
    switch (value.tag()) {
      case Value::Tag::none:
        op(Op::none);
        break;
      case Value::Tag::boolean:
        op(value.to_bool() ? Op::new_true : Op::new_false);
        break;
      case Value::Tag::integer:
        integer(value.to_int());
        break;
      case Value::Tag::floating:
        floating(value.to_float());
        break;
      case Value::Tag::string:
        string(value.to_string());
        break;
      case Value::Tag::tensor:
        tensor(value.to_tensor());
        break;
      case Value::Tag::list:
        list(value.list());
        break;
      case Value::Tag::tuple:
        shared_tuple(value);
        break;
      case Value::Tag::dict:
        dict(value.dict());
        break;
      case Value::Tag::object:
        object(value.ref<core::Object>());
        break;
      default:
        rare(value);
    }
    --depth_;
  }

  void rare(const Value& value) {
    if (value.is_device()) {
      global("torch", "device");
      tuple({Value(value.to_device().text())});
    } else if (value.is_complex()) {
      global("builtins", "complex");
      tuple({Value(value.to_complex().real()), Value(value.to_complex().imag())});
    } else if (value.is_enum()) {
      class_name(value.enumeration().type->name());
      write(value.enumeration().value);  // Not in a tuple: TorchScript's own form.
    } else {
      base::fail("a value of type ", value.kind_name(), " cannot be saved");
    }
    op(Op::reduce);
  }

  void integer(int64_t value) {
    if (value >= 0 && value <= 0xff) {
      op(Op::binint1);
      byte(static_cast<uint64_t>(value));
    } else if (value >= 0 && value <= 0xffff) {
      op(Op::binint2);
      little_endian(static_cast<uint64_t>(value), 2);
    } else if (value >= INT32_MIN && value <= INT32_MAX) {
      op(Op::binint);
      little_endian(static_cast<uint64_t>(value), 4);
    } else {
      op(Op::long1);
      byte(8);
      little_endian(static_cast<uint64_t>(value), 8);
    }
  }

  void floating(double value) {
    op(Op::binfloat);
    uint64_t bits = std::bit_cast<uint64_t>(value);
    for (int shift = 56; shift >= 0; shift -= 8) byte(bits >> shift & 0xff);
  }

  void string(const std::string& text) {
    if (recalled("'" + text)) return;
    base::check(text.size() <= UINT32_MAX, "a text is too long to be saved");
    op(Op::binunicode);
    little_endian(text.size(), 4);
    out_ += text;
    remember("'" + text);
  }

  void global(const std::string& module, const std::string& name) {
    std::string key = module + "\n" + name + "\n";
    if (recalled(key)) return;
    op(Op::global);
    out_ += key;
    remember(key);
  }

  void class_name(const std::string& qualified) {
    size_t dot = qualified.rfind('.');
    base::check(dot != std::string::npos, "class ", qualified, " has no qualified name");
    global(qualified.substr(0, dot), qualified.substr(dot + 1));
  }

  /// Only a tuple that something else holds too can come a second time.
  void shared_tuple(const Value& value) {
    const core::TupleObject& object = value.tuple();
    bool shared = object.use_count() > 1 && !object.items.empty();
    if (shared && recalled(&object)) return;
    tuple(object.items);
    if (shared) remember(&object);
  }

  void tuple(const core::Values& items) {
    if (items.empty()) return op(Op::empty_tuple);
    bool long_form = items.size() > 3;
    if (long_form) op(Op::mark);
    for (const Value& item : items) write(item);
    op(long_form           ? Op::tuple
       : items.size() == 1 ? Op::tuple1
       : items.size() == 2 ? Op::tuple2
                           : Op::tuple3);
  }

  void plain_list(const core::ListObject& object) {
    op(Op::empty_list);
    if (object.items.empty()) return;
    op(Op::mark);
    for (const Value& item : object.items) write(item);
    op(Op::appends);
  }

  /// Lists of the four commonest types have constructors of their own.
  void list(const core::ListObject& object) {
    if (recalled(&object)) return;
    const char* builder = object.element->is(core::TypeKind::integer)    ? "build_intlist"
                          : object.element->is(core::TypeKind::floating) ? "build_doublelist"
                          : object.element->is(core::TypeKind::boolean)  ? "build_boollist"
                          : object.element->is(core::TypeKind::tensor)   ? "build_tensorlist"
                                                                         : nullptr;
    global("torch.jit._pickle", builder ? builder : "restore_type_tag");
    plain_list(object);
    if (builder) {
      op(Op::tuple1);
    } else {
      string(core::list_of(object.element)->annotation());
      op(Op::tuple2);
    }
    op(Op::reduce);
    remember(&object);
  }

  void dict(const core::DictObject& object) {
    if (recalled(&object)) return;
    global("torch.jit._pickle", "restore_type_tag");
    op(Op::empty_dict);
    if (object.size() > 0) {
      op(Op::mark);
      for (const auto& entry : object.entries()) {
        write(entry.key);
        write(entry.value);
      }
      op(Op::setitems);
    }
    string(core::dict_of(object.key, object.value)->annotation());
    op(Op::tuple2);
    op(Op::reduce);
    remember(&object);
  }

  void dims(core::DimSpan values) {
    op(Op::mark);
    for (int64_t value : values) integer(value);
    op(Op::tuple);
  }

  void tensor(const core::Tensor& given) {
    if (recalled(given.impl())) return;
    core::Tensor t = with_elements(given);
    auto type = t.device().type;
    base::check(type == core::DeviceType::cpu || type == core::DeviceType::cuda,
                "a tensor on device ", t.device().text(), " cannot be saved");
    global("torch._utils", "_rebuild_tensor_v2");
    op(Op::mark);
    op(Op::mark);
    string("storage");
    global("torch", std::string(storage_class_of(t.dtype())));
    string(sink_.store(t.storage()));
    string(t.device().text());
    integer(static_cast<int64_t>(t.storage()->nbytes() / t.item_size()));
    op(Op::tuple);
    op(Op::binpersid);
    integer(t.offset());
    dims(t.sizes());
    dims(t.strides());
    op(given.requires_grad() ? Op::new_true : Op::new_false);
    global("collections", "OrderedDict");
    op(Op::empty_tuple);
    op(Op::reduce);
    op(Op::tuple);
    op(Op::reduce);
    remember(given.impl());
    kept_.push_back(given);
    if (t.impl() != given.impl()) kept_.push_back(t);
  }

  /// A tensor on meta as zeros of its shape over one element.
  static core::Tensor with_elements(const core::Tensor& t) {
    if (t.device().type != core::DeviceType::meta) return t;
    core::Tensor zero = core::Tensor::empty(core::Dims{1}, t.dtype());
    std::memset(zero.storage()->data(), 0, zero.storage()->nbytes());
    return zero.view(t.sizes(), core::Dims(t.sizes().size(), 0), 0);
  }

  void object(const core::ObjectRef& instance) {
    if (recalled(instance.get())) return;
    class_name(instance->type->name());
    op(Op::empty_tuple);
    op(Op::newobj);
    std::optional<Value> state;
    if (sink_.get_state) state = sink_.get_state(instance);
    if (state) {
      write(*state);
      states_.push_back(std::move(*state));
    } else {
      op(Op::empty_dict);
      op(Op::mark);
      const auto& attributes = instance->type->attributes();
      for (size_t i = 0; i < attributes.size(); ++i) {
        string(attributes[i].name);
        write(instance->slots[i]);
      }
      op(Op::setitems);
    }
    op(Op::build);
    remember(instance.get());
  }

  const PickleSink& sink_;
  std::string out_;
  std::unordered_map<std::string, uint32_t> names_;
  std::unordered_map<const void*, uint32_t> objects_;
  uint32_t next_memo_ = 0;
  uint32_t depth_ = 0;
  // Memoized by address, so these must stay alive until the end.
  std::vector<core::Tensor> kept_;
  core::Values states_;
};

}  // namespace

std::string pickle(const Value& value, const PickleSink& sink) { return Pickler(sink).run(value); }

}  // namespace assay::archive
