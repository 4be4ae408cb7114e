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

TEST(SourceRange, KeepsEmptyLinesAround) {
  EXPECT_EQ(range_of("\n\nx\n", "x").picture(),
            "  File \"model.py\", line 12\n\n\nx\n~ <--- HERE\n");
}

TEST(SourceRange, ShowsLongLinesInPart) {
  std::string text = std::string(100000, 'a') + "\n" + std::string(100000, 'b') + "here" +
                     std::string(100000, 'c');
  std::string picture = range_of(text, "here").picture();
  EXPECT_LT(picture.size(), 2000u);
  size_t line = picture.find("..."), mark = picture.find('\n', picture.find("here"));
  ASSERT_NE(mark, std::string::npos);
  size_t shown_at = picture.find("here") - (picture.rfind('\n', picture.find("here")) + 1);
  EXPECT_EQ(picture.substr(mark + 1, shown_at + 5), std::string(shown_at, ' ') + "~~~~ ");
  EXPECT_NE(line, std::string::npos);
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
