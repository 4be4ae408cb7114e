#include "engine/core/host_access.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/core/elements.h"

namespace assay::core {
namespace {

const Device fake{DeviceType::fake, 0}, meta{DeviceType::meta, -1};

class HostAccess : public testing::Test {
 protected:
  HostAccess() { register_fake_devices(false); }

  static Tensor numbers() {
    return tensor_from({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, Dims{3, 4}, DType::int32);
  }
  static Tensor on_fake(const Tensor& t) {
    return Tensor::view_of(copy_to_device(t.storage(), fake), t.offset(), t.sizes(), t.strides(),
                           t.dtype());
  }
};

TEST_F(HostAccess, AViewIsForDevicesThatGiveTheHostAccess) {
  Tensor t = numbers();
  uint64_t version = t.storage()->version();
  EXPECT_EQ(HostView(t.storage(), Access::read).data(), t.storage()->data());
  EXPECT_EQ(t.storage()->version(), version);
  {
    HostView writer(t.storage(), Access::write);
    EXPECT_TRUE(t.storage()->exposed());
    HostView reader(t.storage(), Access::read);
  }
  EXPECT_FALSE(t.storage()->exposed());
  EXPECT_NE(t.storage()->version(), version);
  EXPECT_THROW(HostView(Storage::allocate(4, fake), Access::read), base::Error);
  EXPECT_THROW(HostView(Storage::allocate(4, meta), Access::read), base::Error);
}

TEST_F(HostAccess, ACopyHasTheViewsElementsAndStrides) {
  Tensor t = numbers();
  EXPECT_TRUE(to_host(t).same(t));
  Tensor column = t.view(Dims{3}, Dims{4}, 2);
  Tensor seen = to_host(on_fake(column));
  EXPECT_EQ(seen.device(), Device{});
  EXPECT_EQ(seen.strides(), column.strides());
  EXPECT_EQ(seen.storage()->nbytes(), 9 * sizeof(int32_t));  // What the view reaches, no more.
  EXPECT_EQ(elements(seen)[2].to_int(), 10);
  EXPECT_EQ(elements(on_fake(column))[1].to_int(), 6);
  EXPECT_EQ(first_element(on_fake(column)).to_int(), 2);
}

TEST_F(HostAccess, CopiesWaitForTheDevice) {
  Tensor t = on_fake(numbers());
  Stream side = backend_of(fake).make_stream(fake);
  backend_of(fake).fill(t.device_address(), std::byte{0}, 8, side);
  EXPECT_EQ(elements(t)[1].to_int(), 0);
}

TEST_F(HostAccess, MetaHasNothingToCopy) {
  Tensor t = Tensor::empty(Dims{2}, DType::float32, meta);
  EXPECT_FALSE(has_bytes(t));
  EXPECT_THROW(to_host(t), base::Error);
  EXPECT_THROW(elements(t), base::Error);
}

}  // namespace
}  // namespace assay::core
