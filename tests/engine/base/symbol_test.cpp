#include "engine/base/symbol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace assay::base {
namespace {

TEST(Symbol, SplitsSpaceAndName) {
  Symbol add("aten::add");
  EXPECT_EQ(add.text(), "aten::add");
  EXPECT_EQ(add.space(), "aten");
  EXPECT_EQ(add.name(), "add");
  EXPECT_EQ(Symbol("add").space(), "");
  EXPECT_EQ(Symbol("add").name(), "add");
  EXPECT_EQ(Symbol().text(), "");
}

TEST(Symbol, EqualTextsAreOneSymbol) {
  EXPECT_EQ(Symbol("prim::If"), Symbol(std::string("prim::") + "If"));
  EXPECT_NE(Symbol("prim::If"), Symbol("prim::Loop"));
  EXPECT_EQ(Symbol("prim::If").id(), Symbol("prim::If").id());
  EXPECT_EQ(Symbol(""), Symbol());
}

TEST(Symbol, OrdersByText) {
  std::vector<Symbol> symbols{"c::z", "a::b", "b::a"};
  std::sort(symbols.begin(), symbols.end());
  EXPECT_EQ(symbols[0].text(), "a::b");
  EXPECT_EQ(symbols[2].text(), "c::z");
}

TEST(Symbol, IsInternedByManyThreadsAtOnce) {
  constexpr int names = 500;
  std::vector<std::vector<uint32_t>> ids(4);
  std::vector<std::thread> threads;
  for (auto& mine : ids) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < names; ++i) mine.push_back(Symbol("t::" + std::to_string(i)).id());
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& other : ids) EXPECT_EQ(other, ids[0]);
  for (int i = 0; i < names; ++i) EXPECT_EQ(Symbol("t::" + std::to_string(i)).id(), ids[0][i]);
}

}  // namespace
}  // namespace assay::base
