#include <gtest/gtest.h>

#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

namespace assay::cli {
namespace {

using testing::expect_refusal;
using testing::Folder;

TEST(Report, WhatIsNoReportIsRefused) {
  Folder folder;
  auto of = [&](const std::string& text) { return "assay report " + folder.put("r.json", text); };
  expect_refusal("assay report", {"assay report run.json"});
  expect_refusal("assay report nothing.json", {"cannot open nothing.json: No such file"});
  expect_refusal("assay report .", {"is a folder"});
  expect_refusal(of(""), {"r.json", "not JSON"});
  expect_refusal(of("[1, 2"), {"r.json", "not JSON", "column"});
  expect_refusal(of(std::string(10 * testing::beyond_any_stack, '[')), {"r.json"});
  expect_refusal(of("{}"), {"r.json", "no assay report", "assay check --json"});
  expect_refusal(of("3"), {"r.json", "no assay report"});
  expect_refusal(of(R"({"schema_version": 99})"), {"r.json"});
  expect_refusal(of(R"({"schema_version": 1})"), {"r.json"});
  expect_refusal(of(R"({"schema_version": 1, "findings": 3, "run": []})"), {"r.json"});
  expect_refusal(of("{}") + " --format tea", {"unknown format 'tea'", "html"});
}

}  // namespace
}  // namespace assay::cli
