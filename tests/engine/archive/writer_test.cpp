#include "engine/archive/writer.h"

#include <gtest/gtest.h>

#include "tests/engine/archive/small_archive_test.h"

namespace assay::archive {
namespace {

const std::string negative =
    "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return torch.neg(x)\n";

std::string written(Opened& opened, const WriteOptions& options = {}) {
  return write_module(opened.unit, opened.module, options, nullptr);
}

std::string member(const std::string& bytes, const std::string& name) {
  ZipReader zip = open_zip(bytes);
  const ZipRecord* record = zip.find(name);
  return record ? zip.read(*record) : "(none)";
}

TEST(Writer, WritesCodeThatReadsBack) {
  Opened first(zip_of(net_members(negative)));
  std::string bytes = written(first);
  EXPECT_EQ(member(bytes, "archive/code/__torch__.py"),
            "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n" +
                negative);
  Opened second(bytes);
  EXPECT_FALSE(second.module->attribute("training").to_bool());
  EXPECT_EQ(written(second), bytes);
}

/// As PyTorch: the oldest version whose readers give the operators their present meaning.
TEST(Writer, TheVersionIsTheOldestThatFits) {
  auto version = [](const std::string& line) {
    Opened opened(zip_of(net_members(
        "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return " + line + "\n",
        {{"version", "10\n"}})));
    return member(written(opened), "archive/version");
  };
  EXPECT_EQ(version("torch.neg(x)"), "3\n");
  EXPECT_EQ(version("torch.div(x, x)"), "4\n");
  EXPECT_EQ(version("torch.gelu(x, approximate=\"none\")"), "10\n");
}

TEST(Writer, ExtraFilesAndSourceMapsGoAlong) {
  Opened opened(zip_of(net_members(negative)));
  WriteOptions options;
  options.root = "copy";
  options.extra_files = {{"a/b.txt", std::string("\0\xff", 2)}};
  std::string bytes = written(opened, options);
  EXPECT_EQ(member(bytes, "copy/extra/a/b.txt"), std::string("\0\xff", 2));
  EXPECT_NE(member(bytes, "copy/code/__torch__.py.debug_pkl"), "(none)");
  options.source_ranges = false;
  EXPECT_EQ(member(written(opened, options), "copy/code/__torch__.py.debug_pkl"), "(none)");
}

TEST(Writer, SourceMapsLeadBackToTheFirstText) {
  Opened first(zip_of(net_members(negative)));
  Opened second(written(first));
  const ir::Node* node = second.graph().find_all("aten::neg").at(0);
  base::SourceRange origin = node->range().original();
  EXPECT_EQ(origin.place(), "code/__torch__.py:7");
  EXPECT_EQ(origin.source->text.substr(origin.begin, origin.end - origin.begin), "torch.neg");
}

TEST(Writer, WhatNoArchiveCanHoldIsRefused) {
  Opened opened(zip_of(net_members(negative)));
  opened.module->slots[0] =
      core::Value(base::make_ref<core::FunctionObject>("__torch__.f", core::Value()));
  EXPECT_THROW(written(opened), base::Error);
}

}  // namespace
}  // namespace assay::archive
