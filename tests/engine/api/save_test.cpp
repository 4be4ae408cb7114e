#include "engine/api/save.h"

#include <gtest/gtest.h>

#include "engine/api/load.h"
#include "tests/engine/api/archive_test.h"

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
  EXPECT_EQ(again.reader()->extra_files(), std::vector<std::string>{"notes.txt"});
  EXPECT_EQ(again.reader()->extra_file("notes.txt"), "hello");
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

}  // namespace
}  // namespace assay::api
