#include "engine/script/lexer.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::script {
namespace {

std::vector<TokenKind> kinds_of(const std::string& text) {
  auto source = std::make_shared<base::Source>();
  source->text = text;
  std::vector<TokenKind> kinds;
  for (const auto& token : tokenize(source).tokens) kinds.push_back(token.kind);
  return kinds;
}

TEST(Lexer, TurnsIndentationIntoBlocks) {
  using K = TokenKind;
  EXPECT_EQ(kinds_of("if a:\n  b\n\n  # note\nc\n"),
            (std::vector<K>{K::kw_if, K::name, K::colon, K::newline, K::indent, K::name, K::newline,
                            K::dedent, K::name, K::newline, K::end}));
}

TEST(Lexer, IgnoresLineEndsInsideBrackets) {
  using K = TokenKind;
  EXPECT_EQ(kinds_of("f(a,\n   b)"), (std::vector<K>{K::name, K::left_paren, K::name, K::comma,
                                                     K::name, K::right_paren, K::newline, K::end}));
}

TEST(Lexer, TakesTheLongestSign) {
  using K = TokenKind;
  EXPECT_EQ(kinds_of("a **= b // c -> ..."),
            (std::vector<K>{K::name, K::power_equal, K::name, K::floor_div, K::name, K::arrow,
                            K::ellipsis, K::newline, K::end}));
}

TEST(Lexer, ReadsEscapes) {
  EXPECT_EQ(string_value(R"('a\n\x41\101\'')", {}), "a\nAA'");
  EXPECT_EQ(string_value(R"(r'\n')", {}), "\\n");
  EXPECT_EQ(string_value("'''a'b'''", {}), "a'b");
  EXPECT_EQ(string_value(R"('\u00e9')", {}), "\xc3\xa9");
  EXPECT_THROW(string_value(R"('\UFFFFFFFF')", {}), base::Error);
}

TEST(Lexer, RefusesWhatIsNoToken) {
  EXPECT_THROW(kinds_of("a ? b"), base::Error);
  EXPECT_THROW(kinds_of("1abc"), base::Error);
  EXPECT_THROW(kinds_of("'abc\\"), base::Error);
}

}  // namespace
}  // namespace assay::script
