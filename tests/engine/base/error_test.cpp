#include "engine/base/error.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace assay::base {
namespace {

template <typename F>
Error raised(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was raised";
  return Error(ErrorKind::internal, "");
}

TEST(Error, KindsSayWhoHasToAct) {
  EXPECT_EQ(raised([] { fail("a", 1, 2.5); }).kind(), ErrorKind::input);
  EXPECT_EQ(raised([] { fail("a", 1, 2.5); }).message(), "a12.5");
  EXPECT_EQ(raised([] { unsupported("b"); }).kind(), ErrorKind::unsupported);
  EXPECT_EQ(raised([] { unreachable("c"); }).kind(), ErrorKind::internal);
  EXPECT_EQ(raised([] { check(false, "d"); }).kind(), ErrorKind::input);
  EXPECT_EQ(raised([] { invariant(false, "e"); }).kind(), ErrorKind::internal);
  EXPECT_NO_THROW(check(true, "f"));
  EXPECT_NO_THROW(invariant(true, "g"));
}

TEST(Error, SaysWhetherAnIndexOrAMatrixIsAtFault) {
  EXPECT_EQ(raised([] { check(false, "a"); }).fault(), Fault::other);
  Error index = raised([] { check_index(false, "no ", 7); });
  EXPECT_EQ(index.fault(), Fault::index);
  EXPECT_EQ(index.kind(), ErrorKind::input);
  EXPECT_EQ(index.message(), "no 7");
  EXPECT_EQ(raised([] { check_matrix(false, "b"); }).fault(), Fault::matrix);
  EXPECT_NO_THROW(check_index(true, "c"));
  EXPECT_NO_THROW(check_matrix(true, "d"));
}

TEST(Error, DescribesPlaceAndContextInnermostFirst) {
  auto source = std::make_shared<Source>();
  source->text = "x = y";
  source->name = "m.py";
  Error error(ErrorKind::input, "no y");
  error.at({source, 4, 5}).add_context("in f").add_context("loading m.pt");
  EXPECT_EQ(error.describe(),
            "no y\n  File \"m.py\", line 1\nx = y\n    ~ <--- HERE\n  in f\n  loading m.pt");
  EXPECT_STREQ(error.what(), "no y");
}

TEST(Error, TheFirstPlaceStays) {
  auto source = std::make_shared<Source>();
  source->text = "abc";
  Error error(ErrorKind::input, "m", {source, 1, 2});
  error.at({source, 2, 3});
  EXPECT_EQ(error.range().begin, 1u);
}

TEST(Error, KnowsTheClassThatAProgramRaised) {
  Error error(ErrorKind::input, "m");
  EXPECT_EQ(error.raised_class(), "");
  EXPECT_EQ(error.raised_as("__torch__.Oops").raised_class(), "__torch__.Oops");
}

TEST(Error, CaughtErrorsOfLibrariesBecomeOurs) {
  auto caught = [](auto thrown) {
    try {
      throw thrown;
    } catch (...) {
      return caught_error();
    }
  };
  EXPECT_EQ(caught(Error(ErrorKind::internal, "ours")).kind(), ErrorKind::internal);
  EXPECT_EQ(caught(std::bad_alloc()).message(), "not enough memory");
  EXPECT_EQ(caught(std::bad_alloc()).ran_out_of(), Resource::memory);
  EXPECT_EQ(caught(std::length_error("x")).kind(), ErrorKind::input);
  Error foreign = caught(std::runtime_error("no primitive"));
  EXPECT_EQ(foreign.kind(), ErrorKind::unsupported);
  EXPECT_EQ(foreign.message(), "a library failed: no primitive");
}

}  // namespace
}  // namespace assay::base
