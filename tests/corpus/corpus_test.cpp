// The corpus is whole: every case has its parts, and assay can read them. That its labels are right
// is confirmed against PyTorch by corpus/confirm.py.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "verify/findings/finding.h"
#include "verify/run/recording.h"
#include "verify/spec/parser.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

/// All but those whose export is refused, of which there is no archive.
std::vector<std::string> cases() {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator("corpus")) {
    if (entry.path().filename() != "expected.json") continue;
    auto expected = nlohmann::json::parse(text_of(entry.path()));
    if (expected.at("verdict") != "refused") found.push_back(entry.path().parent_path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, has_its_parts) {
  fs::path folder = GetParam();
  auto expected = nlohmann::json::parse(text_of(folder / "expected.json"));
  for (const char* part : {"model.py", "probes.py", "calls.rec"})
    EXPECT_TRUE(fs::exists(folder / part)) << part;
  for (const char* archive : {"subject", "reference"})
    EXPECT_TRUE(fs::exists(folder / expected.at(archive).get<std::string>())) << archive;
  bool fault = expected.at("verdict") == "fault";
  EXPECT_EQ(fault, expected.contains("cause"));
  EXPECT_EQ(fault, expected.contains("axis"));
  if (expected.contains("class")) {
    auto row = verify::find_failure_class(expected.at("class").get<std::string>());
    ASSERT_TRUE(row);
    EXPECT_EQ(fault, row->level == verify::Level::fail);
  }
}

TEST_P(Corpus, spec_is_readable) {
  fs::path file = fs::path(GetParam()) / "spec.json";
  verify::Spec spec = verify::parse_spec_json(text_of(file), file.string());
  EXPECT_EQ(verify::parse_spec_json(verify::spec_json(spec), "again"), spec);
}

TEST_P(Corpus, recording_is_readable) {
  fs::path folder = GetParam();
  verify::Recording recording = verify::read_recording((folder / "calls.rec").string());
  EXPECT_EQ(recording.header.model, "model.py:Net");
  EXPECT_EQ(recording.header.spec, text_of(folder / "spec.json"));
  bool returned = false;
  for (const verify::RecordedCall& call : recording.calls)
    returned = returned || call.observation.ending == verify::Ending::returned;
  EXPECT_TRUE(returned);
}

INSTANTIATE_TEST_SUITE_P(Cases, Corpus, ::testing::ValuesIn(cases()), [](const auto& param) {
  std::string name = param.param.substr(std::string("corpus/").size());
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace assay
