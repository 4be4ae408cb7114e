#include "engine/api/save.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/api/load.h"
#include "engine/core/elements.h"
#include "engine/core/print.h"
#include "tests/engine/api/archive_test.h"
#include "tests/engine/api/random_program.h"

namespace assay::api {
namespace {

TEST(Save, pytorch_loads_what_assay_wrote) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  for (const char* name : {"attributes", "flow", "state", "traced"}) {
    Module module = load(engine, (*archives() / (std::string(name) + ".pt")).string());
    save(module, (*archives() / (std::string(name) + ".assay.pt")).string());
  }
  EXPECT_TRUE(run_python("check " + archives()->string()));
}

TEST(Save, keeps_shared_storages_extra_files_and_source_lines) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  Module module = load(engine, (*archives() / "attributes.pt").string());
  Module again = load_bytes(engine, save_bytes(module, "copy", {{"notes.txt", "hello"}}));
  EXPECT_EQ(again.importer()->extra_files(), std::vector<std::string>{"notes.txt"});
  EXPECT_EQ(again.importer()->extra_file("notes.txt"), "hello");
  EXPECT_EQ(again.buffers()[0].second.to_tensor().storage(),
            again.buffers()[1].second.to_tensor().storage());
  EXPECT_EQ(again.code("forward"), module.code("forward"));
  again.graph("forward").for_each([&](ir::Node* node) {
    if (!node->is("aten::sum")) return;
    EXPECT_NE(node->range().original().picture().find("self.part.sum()"), std::string::npos);
  });
}

TEST(Save, writing_the_same_module_twice_gives_the_same_bytes) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  Module module = load(engine, (*archives() / "flow.pt").string());
  EXPECT_EQ(save_bytes(module), save_bytes(module));
}

/// The input of the random programs: 0, 1/4, ... in two rows; and their result as doubles.
std::vector<double> result_of(Module& module) {
  core::Tensor x = core::Tensor::empty(core::Dims{2, 3}, core::DType::float32);
  for (int i = 0; i < 6; ++i) x.data<float>()[i] = static_cast<float>(i) / 4;
  std::vector<double> out;
  for (const core::Scalar& item : core::elements(module.forward({x}).to_tensor())) {
    out.push_back(item.to_double());
  }
  return out;
}

RC_GTEST_PROP(Save, archive_round_trip, (uint64_t seed)) {
  Engine engine;
  Module first = load_bytes(engine, RandomProgram(seed).archive());
  std::string bytes = save_bytes(first);
  Module second = load_bytes(engine, bytes);
  auto same = [](const Module::Named& a, const Module::Named& b) {
    RC_ASSERT(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      RC_ASSERT(a[i].first == b[i].first);
      RC_ASSERT(a[i].second.type()->annotation() == b[i].second.type()->annotation());
      RC_ASSERT(core::display(a[i].second) == core::display(b[i].second));
    }
  };
  same(first.parameters(), second.parameters());
  same(first.attributes(), second.attributes());
  RC_ASSERT(result_of(second) == result_of(first));
  // The text of the code may change when it is read and written again, as it does in PyTorch; what
  // it does may not, however often that is done.
  Module third = load_bytes(engine, save_bytes(second));
  RC_ASSERT(result_of(third) == result_of(first));
}

TEST(Save, pytorch_runs_random_programs_with_equal_results) {
  if (!has_torch()) GTEST_SKIP() << "no Python with PyTorch";
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("assay_random_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  Engine engine;
  constexpr uint64_t programs = 60;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    std::string bytes = RandomProgram(seed).archive();
    Module module = load_bytes(engine, bytes);
    std::string stem = folder / std::to_string(seed);
    std::ofstream(stem + ".original.pt", std::ios::binary) << bytes;
    save(module, stem + ".assay.pt");
    std::ofstream(stem + ".code") << module.code("forward");
    std::ofstream expected(stem + ".txt");
    expected.precision(17);
    for (double item : result_of(module)) expected << item << "\n";
  }
  ASSERT_TRUE(run_python("random " + folder.string())) << "the archives stay in " << folder;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace assay::api
