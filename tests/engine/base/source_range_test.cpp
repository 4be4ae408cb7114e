#include "engine/base/source_range.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

SourceRange range_of(const std::string& text, const std::string& wanted) {
  auto source = std::make_shared<Source>();
  source->text = text;
  source->name = "model.py";
  source->first_line = 10;
  size_t at = text.find(wanted);
  return {source, at, at + wanted.size()};
}

TEST(SourceRange, CountsLinesAndColumns) {
  SourceRange r = range_of("a\n  bc = d\n", "bc");
  EXPECT_EQ(r.line(), 11);
  EXPECT_EQ(r.column(), 2);
  EXPECT_EQ(r.place(), "model.py:11");
}

TEST(SourceRange, PicturesTheLineWithACaret) {
  std::string picture = range_of("one\ntwo three\nfour", "three").picture();
  EXPECT_NE(picture.find("two three\n    ~~~~~ <--- HERE\nfour"), std::string::npos) << picture;
}

TEST(SourceRange, SurvivesOffsetsOutsideTheText) {
  SourceRange r = range_of("abc", "abc");
  r.begin = 100;
  r.end = 50;
  EXPECT_NO_THROW(r.picture());
  EXPECT_EQ(SourceRange().picture(), "");
}

}  // namespace
}  // namespace assay::base
