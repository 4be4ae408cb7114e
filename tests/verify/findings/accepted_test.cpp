#include "verify/findings/accepted.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::verify {
namespace {

Finding finding(const std::string& fingerprint) {
  Finding f;
  f.class_id = "AS102";
  f.fingerprint = fingerprint;
  return f;
}

Finding marked(const std::vector<Accepted>& accepted, const std::string& today = "2026-11-24") {
  Finding f = finding("abc");
  mark_accepted(accepted, today, f);
  return f;
}

std::string refusal(const std::string& list) {
  try {
    accepted_by_list(list, "known.json");
  } catch (const base::Error& e) {
    return e.message();
  }
  return "taken";
}

TEST(Accepted, AnEarlierReportsFindingsAreKnown) {
  auto accepted = accepted_by_report(
      R"({"schema_version": "1.6", "run": {"times": {"start": "2026-01-02T03:04:05Z"}}, "findings":
          [{"fingerprint": "abc", "class": "AS102"}, {"fingerprint": "x", "state": "xpass"}]})",
      "run.json");
  ASSERT_EQ(accepted.size(), 1u);
  Finding f = marked(accepted);
  EXPECT_EQ(f.state, FindingState::known);
  EXPECT_EQ(f.first_seen, "2026-01-02T03:04:05Z");
  EXPECT_EQ(f.state_reason, "known: run.json has it");
  EXPECT_TRUE(no_longer_failing(accepted, {}).empty());  // It is no promise that it fails.
}

TEST(Accepted, WhatAReportKnewStaysKnownSinceThen) {
  auto accepted = accepted_by_report(
      R"({"schema_version": "1.6", "run": {"times": {"start": "2026-05-05T00:00:00Z"}}, "findings":
          [{"fingerprint": "abc", "state": "known", "first_seen": "2026-01-02T03:04:05Z"}]})",
      "run.json");
  EXPECT_EQ(marked(accepted).first_seen, "2026-01-02T03:04:05Z");
}

TEST(Accepted, AListsFaultsAreExpected) {
  auto accepted = accepted_by_list(
      R"([{"fingerprint": "abc", "class": "AS102", "reason": "fixed in spring", "owner": "Ann",
           "expires": "2026-12-31"}])",
      "known.json");
  Finding f = marked(accepted);
  EXPECT_EQ(f.state, FindingState::xfail);
  EXPECT_EQ(f.state_reason, "accepted: fixed in spring (Ann), until 2026-12-31 by known.json");
  EXPECT_EQ(marked(accepted, "2026-12-31").state, FindingState::xfail);
  Finding late = marked(accepted, "2027-01-01");
  EXPECT_EQ(late.state, FindingState::fresh);
  EXPECT_NE(late.state_reason.find("no longer accepted"), std::string::npos);
}

TEST(Accepted, OthersAreNew) {
  auto accepted = accepted_by_list(R"([{"fingerprint": "other", "reason": "why"}])", "known.json");
  EXPECT_EQ(marked(accepted).state, FindingState::fresh);
  EXPECT_TRUE(marked(accepted).state_reason.empty());
}

TEST(Accepted, AnEntryWhoseFaultIsGoneIsAFindingItself) {
  auto accepted = accepted_by_list(R"([{"fingerprint": "abc", "class": "AS102", "reason": "why"}])",
                                   "known.json");
  EXPECT_TRUE(no_longer_failing(accepted, {finding("abc")}).empty());
  auto gone = no_longer_failing(accepted, {finding("def")});
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].state, FindingState::xpass);
  EXPECT_EQ(gone[0].title, "pinned size");
  EXPECT_NE(gone[0].state_reason.find("known.json accepts it (why)"), std::string::npos);
}

TEST(Accepted, ListsOfAnotherFormAreRefusedWithTheEntry) {
  EXPECT_EQ(refusal("[1, 2"), "known.json is not JSON");
  EXPECT_NE(refusal("{}").find("no list of accepted faults"), std::string::npos);
  EXPECT_NE(refusal("[3]").find("entry 1 is no object"), std::string::npos);
  EXPECT_NE(refusal(R"([{"reason": "why"}])").find("entry 1 has no fingerprint"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"fingerprint": "a"}])").find("has no reason"), std::string::npos);
  EXPECT_NE(refusal(R"([{"fingerprint": "a", "reason": "b", "until": "c"}])").find("'until'"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"fingerprint": "a", "reason": 3}])").find("'reason' is not a text"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"([{"fingerprint": "a", "reason": "b", "expires": "soon"}])").find("2026-12-31"),
      std::string::npos);
  EXPECT_EQ(refusal("[]"), "taken");
}

TEST(Accepted, ReportsOfAnotherFormAreRefused) {
  for (const char* text : {"", "3", "{}", R"({"schema_version": "2.0", "findings": []})",
                           R"({"schema_version": "1.6", "findings": 3})"})
    EXPECT_THROW(accepted_by_report(text, "run.json"), base::Error) << text;
}

}  // namespace
}  // namespace assay::verify
