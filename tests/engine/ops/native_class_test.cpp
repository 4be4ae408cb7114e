#include "engine/ops/native_class.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::ops {
namespace {

core::Value nothing(Context&, std::span<const core::Value>) { return {}; }
constexpr NativeMethod methods[] = {{"push(str item) -> ()", nothing}, {"pop() -> str", nothing}};
constexpr NativeClass queue{"__torch__.torch.classes.native_test.Queue", methods};

TEST(NativeClass, IsFoundByItsNameAndItsMethodsByTheirs) {
  register_native_class(queue);
  EXPECT_EQ(find_native_class(queue.name), &queue);
  EXPECT_EQ(find_native_class("__torch__.torch.classes.native_test.Other"), nullptr);
  EXPECT_EQ(find_native_method(std::string(queue.name) + ".pop"), &methods[1]);
  EXPECT_EQ(find_native_method(std::string(queue.name) + ".po"), nullptr);
  EXPECT_EQ(find_native_method(queue.name), nullptr);
}

TEST(NativeClass, NamesAreToldFromThoseOfPrograms) {
  EXPECT_TRUE(is_native_name("__torch__.torch.classes.ns.Name"));
  EXPECT_TRUE(is_native_name("__torch__.torch.classes.ns.Name.method"));
  for (const char* other : {"__torch__.torch.classes", "__torch__.torch.classes.ns",
                            "__torch__.torch.classes.ns.", "__torch__.Net", ""}) {
    EXPECT_FALSE(is_native_name(other)) << other;
  }
  EXPECT_EQ(native_class_of("__torch__.torch.classes.ns.Name.method"),
            "__torch__.torch.classes.ns.Name");
}

TEST(NativeClass, WhatIsNotThereIsRefusedByName) {
  try {
    refuse_native_class("__torch__.torch.classes.ns.Name");
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::unsupported);
    EXPECT_EQ(e.message(),
              "class torch.classes.ns.Name is implemented in a C++ library that assay does not "
              "have");
  }
}

}  // namespace
}  // namespace assay::ops
