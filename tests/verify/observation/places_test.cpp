#include "verify/observation/places.h"

#include <gtest/gtest.h>

namespace assay::verify {
namespace {

TEST(IsOfLibrary, TellsFilesOfPytorchAndNumpyFromTheUsers) {
  EXPECT_TRUE(is_of_library("/usr/lib/python3/dist-packages/torch/nn/functional.py"));
  EXPECT_TRUE(is_of_library("/opt/env/lib/python3.11/site-packages/torch/jit/_trace.py"));
  EXPECT_FALSE(is_of_library("/opt/env/lib/python3.11/site-packages/torchvision/ops/misc.py"));
  EXPECT_FALSE(is_of_library("/opt/models/torch/model.py"));
  EXPECT_TRUE(is_of_library("/usr/lib/python3/dist-packages/numpy/core/fromnumeric.py"));
  EXPECT_FALSE(is_of_library("/opt/models/numpy/model.py"));
}

TEST(BaseName, IsWhatStandsBehindTheLastFolder) {
  EXPECT_EQ(base_name("a/b/model.py"), "model.py");
  EXPECT_EQ(base_name("model.py"), "model.py");
  EXPECT_EQ(base_name("a/"), "");
}

}  // namespace
}  // namespace assay::verify
