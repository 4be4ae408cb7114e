#include "verify/run/recording.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/error.h"
#include "verify/host/value_tree.h"

namespace assay::verify {
namespace {

using core::DType;
using core::Tensor;

std::string temp(const std::string& name) { return ::testing::TempDir() + name; }

std::string file_bytes(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

RecordedCall sample_call(float first) {
  Tensor x = Tensor::empty(core::Dims{3}, DType::float32);
  for (int i = 0; i < 3; ++i) x.data<float>()[i] = first + static_cast<float>(i);
  RecordedCall call;
  call.args = {x, 4};
  call.kwargs = {{"scale", 0.5}};
  call.mode = "train";
  call.seed = ~uint64_t{0};
  call.case_json = "{}";
  call.observation.ending = Ending::returned;
  call.observation.outputs = core::make_tuple({x.alias(), core::Value()});
  call.observation.args_after = call.args;
  call.observation.kwargs_after = call.kwargs;
  call.observation.aliases = {{"args[0]", "output[0]"}};
  return call;
}

std::string write_sample() {
  std::string path = temp("sample.rec");
  RecordingWriter writer(
      path,
      {"model.py:Net", "ab12", "1.13.1", "3.11.2", R"({"inputs":{}})", {{"lin.weight", "ab"}}});
  writer.add(sample_call(1));
  RecordedCall failed = sample_call(5);
  failed.observation.ending = Ending::raised;
  failed.observation.outputs = {};
  failed.observation.failure = Failure{"ValueError", "no", "run", {"model.py", 4, "forward"}, {}};
  failed.observation.inputs_changed = true;
  writer.add(failed);
  writer.finish();
  return path;
}

TEST(Recording, keeps_calls_and_observations) {
  Recording back = read_recording(write_sample());
  EXPECT_EQ(back.header.model, "model.py:Net");
  EXPECT_EQ(back.header.torch, "1.13.1");
  EXPECT_EQ(back.header.spec, R"({"inputs":{}})");
  EXPECT_EQ(back.header.weights, (WeightHashes{{"lin.weight", "ab"}}));
  ASSERT_EQ(back.calls.size(), 2u);
  const RecordedCall& first = back.calls[0];
  EXPECT_EQ(first.mode, "train");
  EXPECT_EQ(first.seed, ~uint64_t{0});
  EXPECT_EQ(first.case_json, "{}");
  EXPECT_EQ(first.args[0].to_tensor().data<float>()[2], 3);
  EXPECT_EQ(first.kwargs[0].second.to_float(), 0.5);
  EXPECT_EQ(first.observation.outputs.tuple().items[0].to_tensor().data<float>()[1], 2);
  EXPECT_EQ(first.observation.aliases, sample_call(1).observation.aliases);
  EXPECT_EQ(first.observation.args_after.size(), 2u);
  EXPECT_EQ(back.calls[1].observation.failure->place.line, 4);
  EXPECT_EQ(back.calls[1].observation.args_after[0].to_tensor().data<float>()[0], 5);
}

TEST(Recording, keeps_exports_and_what_left_their_graphs) {
  std::string path = temp("exports.rec");
  RecordingWriter writer(path, {"model.py:Net", "", "1.13.1", "3.11.2", "", {}});
  RecordedExport made;
  made.args = {4};
  made.mode = "train";
  made.call = 3;
  made.meta = true;
  made.state = "changed";
  made.seed = 3;
  SourceLocation place{"model.py", 4, "forward"};
  made.escapes = {{"bool", core::Scalar(true), place},
                  {"len", core::Scalar(7), place},
                  {"item", core::Scalar(0.5), place},
                  {"numpy", std::nullopt, place},
                  {"tolist", std::nullopt, place, {core::Scalar(3), core::Scalar(0.5)}}};
  made.archive = std::string("PK\0\1", 4);
  made.taken = host::TakenArguments{{{0}, {1, "x"}}, {{2}}};
  writer.add(made);
  writer.finish();
  Recording back = read_recording(path);
  ASSERT_EQ(back.exports.size(), 1u);
  const RecordedExport& e = back.exports[0];
  EXPECT_EQ(e.args[0].to_int(), 4);
  EXPECT_EQ(e.mode, "train");
  EXPECT_EQ(e.call, 3);
  EXPECT_TRUE(e.meta);
  EXPECT_EQ(e.state, "changed");
  EXPECT_EQ(e.seed, 3u);
  EXPECT_EQ(e.archive, made.archive);
  EXPECT_EQ(e.taken->inputs, made.taken->inputs);
  EXPECT_EQ(e.taken->absent, made.taken->absent);
  ASSERT_EQ(e.escapes.size(), 5u);
  EXPECT_EQ(e.escapes[0].kind, "bool");
  EXPECT_TRUE(e.escapes[0].value->is_bool());
  EXPECT_EQ(e.escapes[1].value->to_int(), 7);
  EXPECT_EQ(e.escapes[2].value->to_double(), 0.5);
  EXPECT_FALSE(e.escapes[3].value.has_value());
  EXPECT_EQ(e.escapes[3].place.line, 4);
  EXPECT_EQ(e.escapes[3].place.function, "forward");
  EXPECT_TRUE(e.escapes[3].numbers.empty());
  ASSERT_EQ(e.escapes[4].numbers.size(), 2u);
  EXPECT_EQ(e.escapes[4].numbers[0].to_int(), 3);
  EXPECT_EQ(e.escapes[4].numbers[1].to_double(), 0.5);
}

TEST(Recording, one_that_is_not_finished_leaves_what_was_there) {
  std::string path = write_sample(), before = file_bytes(path);
  {
    RecordingWriter writer(path, {});
    writer.add(sample_call(2));
  }
  EXPECT_EQ(file_bytes(path), before);
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST(Recording, what_cannot_be_written_is_told_with_the_reason) {
  auto message = [](const std::string& path) {
    try {
      RecordingWriter writer(path, {});
      writer.finish();
    } catch (const base::Error& error) {
      return error.message();
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("/nowhere/a.rec"), "cannot write /nowhere/a.rec: No such file or directory");
  EXPECT_EQ(message("/dev/full"), "cannot write /dev/full: No space left on device");
}

TEST(Recording, one_that_was_cut_off_is_told) {
  std::string bytes = file_bytes(write_sample());
  for (size_t length = 0; length < bytes.size(); length += 7) {
    std::string path = temp("cut.rec");
    write_file(path, bytes.substr(0, length));
    EXPECT_THROW(read_recording(path), base::Error) << length;
  }
}

TEST(Recording, flipped_bits_are_survived) {
  const std::string bytes = file_bytes(write_sample());
  std::string path = temp("flipped.rec");
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ (1 << (i % 8)));
    write_file(path, broken);
    try {
      read_recording(path);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::input) << error.message();
    }
  }
}

TEST(Recording, another_file_is_named_in_the_error) {
  std::string path = temp("text.rec");
  write_file(path, "this is no recording at all");
  try {
    read_recording(path);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(error.message().find("text.rec is no recording"), std::string::npos);
  }
  EXPECT_THROW(read_recording(temp("absent.rec")), base::Error);
}

}  // namespace
}  // namespace assay::verify
