#include "verify/diagnosis/lost_checks.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

Origins::Guard guard(const std::string& condition, int line, const std::string& file = "m.py") {
  return {condition, core::Value(true), {file, line, ""}};
}

/// The line of the check with which the graph rejects what the model rejects, where that of the
/// `telling` condition does; 0 for none. `tried` counts the graphs that were run.
int found_at(const std::vector<Origins::Guard>& guards, int raised, const std::string& telling,
             int* tried = nullptr) {
  auto made = graph_export(graph_text({"%y : Tensor = aten::relu(%x) # m.py:9:4"}, "%y"));
  Origins origins;
  origins.guards = guards;
  auto rejects = [&](const std::shared_ptr<ir::Graph>& graph) {
    if (tried) ++*tried;
    return graph->str().find(telling) != std::string::npos &&
           !graph->find_all("prim::RaiseException").empty();
  };
  auto check = lost_check(&origins, made->program(), {"folder/m.py", raised, "forward"}, rejects);
  return check ? check->guard->place.line : 0;
}

TEST(LostChecks, TheNearestConditionAboveTheRaiseThatExplainsItIsTheCheck) {
  std::vector<Origins::Guard> guards{guard("any(x > 0)", 3), guard("x.size(0) > 1", 5),
                                     guard("any(x > 0)", 6), guard("any(x > 0)", 8)};
  EXPECT_EQ(found_at(guards, 7, "aten::any"), 6);
  EXPECT_EQ(found_at(guards, 6, "aten::size"), 5);
  EXPECT_EQ(found_at(guards, 7, "aten::log"), 0);
}

TEST(LostChecks, WhatIsElsewhereOrNoScriptIsNotTried) {
  int tried = 0;
  EXPECT_EQ(found_at({guard("any(x > 0)", 3, "other.py"), guard("any(...)", 4)}, 7, "any", &tried),
            0);
  EXPECT_EQ(tried, 0);
  EXPECT_FALSE(lost_check(nullptr, {}, {"m.py", 7, ""}, [](const auto&) { return true; }));
}

}  // namespace
}  // namespace assay::verify::diagnosis
