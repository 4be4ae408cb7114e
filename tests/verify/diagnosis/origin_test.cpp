#include "verify/diagnosis/origin.h"

#include <gtest/gtest.h>

namespace assay::verify::diagnosis {
namespace {

/// What is told of a class at a line with this text.
Finding told(const char* class_id, const char* text, Proof proof = Proof::suspected) {
  Finding finding;
  finding.class_id = class_id;
  finding.cause.file = "model.py";
  finding.cause.line = 3;
  finding.cause.proof = proof;
  move_to_origin(
      finding, [&](const std::string&, int line) { return line == 3 ? text : ""; }, nullptr);
  return finding;
}

TEST(Origin, WhatAnOperatorRefusesIsNoCheckToBeScripted) {
  std::string hint = told("AS114", "    return torch.stack(rows)").hint;
  EXPECT_NE(hint.find("an operator refuses"), std::string::npos) << hint;
  EXPECT_EQ(told("AS114", "    assert rows").hint, "");
  EXPECT_EQ(told("AS114", "    raise ValueError(n)").hint, "");
  EXPECT_EQ(told("AS114", "    self.check_lengths(rows)").hint, "");
  EXPECT_EQ(told("AS114", "    return torch.stack(rows)", Proof::proven).hint, "");
  EXPECT_EQ(told("AS103", "    return torch.stack(rows)").hint, "");
}

}  // namespace
}  // namespace assay::verify::diagnosis
