#include "verify/diagnosis/followed_devices.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

/// A step that one of the programs alone has, then two moves to devices, at lines 2 and 3.
std::shared_ptr<testing::GraphExport> moved(const std::string& first, const std::string& at_2,
                                            const std::string& at_3) {
  auto device = [](const std::string& name, const std::string& text) {
    return "%" + name + " : Device = prim::Constant[value=\"" + text + "\"]()";
  };
  auto move = [](const std::string& of, const std::string& to, const std::string& line) {
    return "%" + of + to + " : Tensor = aten::to(%" + of + ", %" + to +
           ", %six, %no, %no, %none) # m.py:" + line + ":4";
  };
  return graph_export(graph_text(
      {"%six : int = prim::Constant[value=6]()", "%no : bool = prim::Constant[value=0]()",
       "%none : NoneType = prim::Constant()", device("p", at_2), device("q", at_3),
       "%y : Tensor = aten::" + first + "(%x) # m.py:1:4", move("y", "p", "2"),
       move("yp", "q", "3")},
      "%ypq"));
}

TEST(DevicesThatFollow, AreOthersAtTheSameLineOfAnExportMadeElsewhere) {
  auto subject = moved("neg", "cpu", "cpu"), elsewhere = moved("relu", "meta", "cpu");
  auto found = devices_that_follow(subject->program(), elsewhere->program(),
                                   core::Device{core::DeviceType::fake, 0});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(subject->program().steps[found[0].step].line, 2);
  EXPECT_EQ(std::get<core::Value>(found[0].replacement).to_device().type, core::DeviceType::fake);
}

TEST(DevicesThatFollow, AreThoseOfMovesThatAreNotNeededElsewhere) {
  auto subject = moved("neg", "cpu", "cpu");
  auto stays = graph_export(graph_text(
      {"%y : Tensor = aten::relu(%x) # m.py:1:4", "%z : Tensor = aten::detach(%y) # m.py:3:4"},
      "%z"));
  auto found = devices_that_follow(subject->program(), stays->program(), {});
  ASSERT_EQ(found.size(), 1u);  // Line 2 is not in the other export: nothing is known of it.
  EXPECT_EQ(subject->program().steps[found[0].step].line, 3);
}

TEST(DevicesThatFollow, AreNoneThatAllExportsName) {
  auto subject = moved("neg", "cpu", "cpu");
  EXPECT_TRUE(devices_that_follow(subject->program(), subject->program(), {}).empty());
}

}  // namespace
}  // namespace assay::verify::diagnosis
