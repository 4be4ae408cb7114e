#include "verify/host/frame.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "verify/host/observation_tree.h"
#include "verify/host/value_tree.h"
#include "verify/observation/aliases.h"

namespace assay::verify::host {
namespace {

using core::DType;
using core::Tensor;
using core::Value;
using core::Values;
using nlohmann::json;

constexpr DType kDTypes[] = {DType::boolean, DType::uint8,   DType::int64,    DType::float16,
                             DType::float32, DType::float64, DType::complex64};

Tensor filled(core::Dims shape, DType dtype, std::string_view bytes) {
  Tensor t = Tensor::empty(shape, dtype);
  size_t count = static_cast<size_t>(t.numel()) * t.item_size();
  for (size_t i = 0; i < count; ++i)
    t.device_address()[i] = static_cast<std::byte>(bytes.empty() ? 0 : bytes[i % bytes.size()]);
  return t;
}

Tensor random_tensor() {
  core::Dims shape;
  for (int64_t size : *rc::gen::resize(
           3, rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 4))))
    shape.push_back(size);
  Tensor t =
      filled(shape, *rc::gen::elementOf(std::vector<DType>(std::begin(kDTypes), std::end(kDTypes))),
             *rc::gen::arbitrary<std::string>());
  if (t.dim() >= 2 && *rc::gen::arbitrary<bool>()) {
    core::Dims sizes = t.sizes(), strides = t.strides();
    std::swap(sizes[0], sizes[1]);
    std::swap(strides[0], strides[1]);
    t = t.view(sizes, strides, t.offset());
  }
  return t;
}

Value random_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 9 : 6)) {
    case 0:
      return Value();
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<int64_t>();
    case 3:
      return *rc::gen::arbitrary<double>();
    case 4:
      return *rc::gen::string<std::string>() + "\xc3\xa9";
    case 5:
      return random_tensor();
    default:
      break;
  }
  Values items;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) items.push_back(random_value(depth - 1));
  if (*rc::gen::arbitrary<bool>()) return core::make_tuple(items);
  auto dict = core::make_dict(core::string_type(), core::any_type());
  for (size_t i = 0; i < items.size(); ++i) dict->set(fmt::format("k{}", 9 - i), items[i]);
  return dict;
}

Frame frame_of(const std::string& bytes) {
  MemorySource source{std::string_view(bytes)};
  return *read_frame(source);
}

std::string bytes_of(const Value& value) {
  TreeWriter writer;
  json tree = writer.tree(value);
  return frame_bytes({{"v", tree}}, writer.tensors());
}

Value value_of(const std::string& bytes) {
  Frame frame = frame_of(bytes);
  return TreeReader(frame).value(frame.message->at("v"));
}

bool is_text(const std::string& s) {  // What JSON can carry unchanged.
  for (unsigned char c : s)
    if (c >= 0x80) return false;
  return true;
}

RC_GTEST_PROP(Frame, values_survive_a_round_trip, ()) {
  Value value = random_value(3);
  std::string bytes = bytes_of(value);
  // The text form of a frame is canonical, so equal values give equal bytes.
  RC_ASSERT(bytes_of(value_of(bytes)) == bytes);
}

TEST(Frame, keeps_text_numbers_and_order) {
  auto dict = core::make_dict(core::string_type(), core::any_type());
  dict->set("z", 1);
  dict->set("a", std::string("h\xc3\xa9\0!", 5));
  dict->set("inf", -std::numeric_limits<double>::infinity());
  Value back = value_of(bytes_of(dict));
  ASSERT_EQ(back.dict().size(), 3u);
  EXPECT_EQ(back.dict().entries()[0].key.to_string(), "z");
  EXPECT_EQ(back.dict().entries()[1].value.to_string(), std::string("h\xc3\xa9\0!", 5));
  EXPECT_EQ(back.dict().entries()[2].value.to_float(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(is_text(bytes_of(dict).substr(8)));
}

TEST(Frame, keeps_sharing_strides_and_offsets) {
  Tensor base = filled({3, 4}, DType::float32, "abcdefgh");
  Tensor part = base.view(core::Dims{3, 2}, core::Dims{4, 2}, 1);
  Tensor wide = base.view(core::Dims{2, 3}, core::Dims{0, 1}, 4);
  Value back = value_of(bytes_of(core::make_tuple({part, base, base, wide})));
  const Values& items = back.tuple().items;
  Tensor first = items[0].to_tensor(), second = items[1].to_tensor();
  EXPECT_TRUE(second.same(items[2].to_tensor()));
  EXPECT_EQ(first.storage(), second.storage());
  EXPECT_EQ(first.offset(), 1);
  EXPECT_EQ(first.stride(1), 2);
  EXPECT_EQ(items[3].to_tensor().stride(0), 0);
  EXPECT_EQ(row_major_bytes(first), row_major_bytes(part));
  EXPECT_EQ(row_major_bytes(second), row_major_bytes(base));
  auto groups = alias_groups({{"output", back}, {"other", filled({2}, DType::int64, "x")}});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0],
            (std::vector<std::string>{"output[0]", "output[1]", "output[2]", "output[3]"}));
}

TEST(Frame, several_follow_one_another) {
  std::string bytes = frame_bytes({{"n", 1}}) + frame_bytes({{"n", 2}});
  MemorySource source{std::string_view(bytes)};
  EXPECT_EQ(read_frame(source)->message->at("n"), 1);
  EXPECT_EQ(read_frame(source)->message->at("n"), 2);
  EXPECT_FALSE(read_frame(source).has_value());
}

TEST(Frame, every_truncation_is_an_input_error) {
  std::string bytes = bytes_of(core::make_tuple({filled({2, 3}, DType::float32, "ab"), 7}));
  for (size_t length = 1; length < bytes.size(); ++length) {
    MemorySource source(std::string_view(bytes).substr(0, length));
    EXPECT_THROW(read_frame(source), base::Error) << length;
  }
}

/// Reads as far as it goes: anything but an input error or a value is a fault.
void survive(const std::string& bytes) {
  try {
    value_of(bytes);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input) << error.message();
  } catch (const json::exception&) {
    // The test's own look-up of "v".
  }
}

TEST(Frame, every_flipped_bit_is_survived) {
  Tensor base = filled({2, 3}, DType::float32, "ab");
  Tensor turned = base.view(core::Dims{3, 2}, core::Dims{1, 3}, 0);
  const std::string bytes = bytes_of(core::make_tuple({turned, base, 7, "text"}));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ (1 << bit));
      survive(broken);
    }
  }
}

void expect_refused(const json& message, const std::string& part,
                    const std::vector<NamedBytes>& tensors = {}) {
  Frame frame = frame_of(frame_bytes({{"v", message}}, tensors));
  try {
    TreeReader(frame).value(frame.message->at("v"));
    FAIL() << "accepted " << message.dump();
  } catch (const base::Error& error) {
    EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
  }
}

TEST(ValueTree, refuses_what_it_cannot_back) {
  NamedBytes one{"t0", DType::float32, {1}, "abcd"};
  json tensor = {{"t", "tensor"}, {"ref", "t0"}, {"dtype", "float32"}, {"shape", {1}}};
  auto with = [&](const char* key, json value) {
    json changed = tensor;
    changed[key] = std::move(value);
    return changed;
  };
  expect_refused(with("ref", "t9"), "no tensor \"t9\"", {one});
  expect_refused(with("dtype", "float64"), "differs", {one});
  expect_refused(with("shape", {2}), "differs", {one});
  expect_refused(with("offset", int64_t{1} << 40), "claim", {one});
  expect_refused(with("offset", -1), "negative", {one});
  expect_refused(with("strides", {1, 1}), "as many strides", {one});
  expect_refused(with("device", "moon"), "device", {one});
  expect_refused({{"t", "wish"}, {"v", 1}}, "unknown kind");
  expect_refused({{"t", "int"}, {"v", 1.5}}, "whole number");
}

TEST(Frame, refuses_false_claims) {
  auto refused = [](std::string header, const std::string& part) {
    std::string bytes;
    for (uint64_t i = 0, n = header.size(); i < 8; ++i)
      bytes += static_cast<char>(n >> (8 * i) & 0xff);
    bytes += header;
    MemorySource source{std::string_view(bytes)};
    try {
      read_frame(source);
      FAIL() << "accepted " << header.substr(0, 80);
    } catch (const base::Error& error) {
      EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
    }
  };
  refused(R"({"__message__":3})", "not an object");
  refused("[1", "JSON");
  refused(std::string(100000, '['), "nested");
  std::string start = R"({"__message__":{},"a":{"dtype":"F32","shape":)";
  refused(start + R"([1],"data_offsets":[0,8]}})", "8 bytes for 1");
  refused(start + R"([1],"data_offsets":[4,8]}})", "begins at byte 4");
  refused(start + R"([1099511627776],"data_offsets":[0,4398046511104]}})", "outside");
  refused(start + R"([250000000],"data_offsets":[0,1000000000]}})", "early");
  refused(start + R"([9223372036854775807,9],"data_offsets":[0,4]}})", "");
  std::string huge("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  MemorySource source{std::string_view(huge)};
  EXPECT_THROW(read_frame(source), base::Error);
}

TEST(ObservationTree, survives_a_round_trip) {
  Observation seen;
  seen.ending = Ending::raised;
  seen.failure =
      Failure{"ValueError", "no", "run", {"m.py", 3, "forward"}, {{"m.py", 3, "forward"}}};
  Tensor x = filled({2}, DType::float32, "xyz");
  seen.args_after = {x};
  seen.kwargs_after = {{"k", 2}};
  seen.inputs_changed = true;
  seen.state = {{"count", StateChange::Kind::attribute, false, 4},
                {"gone", StateChange::Kind::buffer, true, {}}};
  seen.aliases = {{"args[0]", "state:memo"}};
  seen.warnings = {{"TracerWarning", "careful", {"m.py", 2, ""}}};
  seen.printed = "hello";
  seen.wall_seconds = 0.5;
  seen.device_usage = DeviceUsage{{{"aten.add.Tensor", 2}}, {{"cpu", 1}}, 0, 1};

  TreeWriter writer;
  json tree = observation_tree(seen, writer);
  Frame frame = frame_of(frame_bytes({{"o", tree}}, writer.tensors()));
  TreeReader reader(frame);
  Observation back = read_observation(frame.message->at("o"), reader);
  TreeWriter second;
  EXPECT_EQ(observation_tree(back, second), tree);
  EXPECT_EQ(back.failure->place.line, 3);
  EXPECT_TRUE(back.state[1].removed);
  EXPECT_EQ(row_major_bytes(back.args_after[0].to_tensor()), row_major_bytes(x));
}

}  // namespace
}  // namespace assay::verify::host
