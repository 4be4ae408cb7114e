#include "verify/guards/term.h"

#include <gtest/gtest.h>

namespace assay::verify::guards {
namespace {

TermPtr read(const char* expression) {
  return parse(expression, [](const Looked& looked) {
    return looked.member.empty() ? letter(looked.name) : nullptr;
  });
}

std::optional<int64_t> at(const char* expression, const Bindings& sizes = {}) {
  TermPtr term = read(expression);
  return term ? evaluate(*term, sizes) : std::nullopt;
}

TEST(Term, arithmetic_is_pythons) {
  EXPECT_EQ(at("2 + 3 * 4 - 1"), 13);
  EXPECT_EQ(at("-7 // 2"), -4);
  EXPECT_EQ(at("7 // -2"), -4);
  EXPECT_EQ(at("-7 % 3"), 2);
  EXPECT_EQ(at("7 % -3"), -2);
  EXPECT_EQ(at("(h - 1) // 2 + 1", {{"h", 8}}), 4);
  EXPECT_EQ(at("max(h, 3, w) - min(h, w)", {{"h", 1}, {"w", 2}}), 2);
  EXPECT_EQ(at("abs(h - 5)", {{"h", 2}}), 3);
  EXPECT_EQ(at("math.ceil(h / 4)", {{"h", 9}}), 3);
  EXPECT_EQ(at("math.floor(h / 4)", {{"h", 9}}), 2);
  EXPECT_EQ(at("1 // h", {{"h", 0}}), std::nullopt);
  EXPECT_EQ(at("9223372036854775807 + 1"), std::nullopt);
}

TEST(Term, conditions_are_zero_or_one) {
  EXPECT_EQ(at("h * w > 64", {{"h", 8}, {"w", 8}}), 0);
  EXPECT_EQ(at("h * w >= 64", {{"h", 8}, {"w", 8}}), 1);
  EXPECT_EQ(at("not (h == 3 or w != 2)", {{"h", 4}, {"w", 2}}), 1);
  EXPECT_EQ(at("h > 1 and h < 3", {{"h", 2}}), 1);
  EXPECT_EQ(at("bool(h % 2)", {{"h", 4}}), 0);
}

TEST(Term, what_is_not_whole_numbers_is_refused) {
  for (const char* text : {"sum(x) > 0", "h / 2 > 1", "h > 0.5", "h ** 2", "x.size(0)", "h >", "(h",
                           "h h", "99999999999999999999", ""}) {
    EXPECT_EQ(read(text), nullptr) << text;
  }
  EXPECT_EQ(read(std::string(5000, '(').c_str()), nullptr);
}

TEST(Term, texts_and_opposites) {
  auto shown = [](const char* expression) { return text(*read(expression)); };
  EXPECT_EQ(shown("((h * w) > 64)"), "h*w > 64");
  EXPECT_EQ(shown("(h + 1) * 2 == h - (w - 1)"), "(h + 1)*2 == h - (w - 1)");
  EXPECT_EQ(text(*negated(read("h * w > 64"))), "h*w <= 64");
  EXPECT_EQ(text(*negated(read("h == 3 and w < 2"))), "h != 3 or w >= 2");
}

}  // namespace
}  // namespace assay::verify::guards
