#include "engine/core/backends.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"

namespace assay::core {
namespace {

TEST(Backends, ADeviceThatIsNotThereIsAClearError) {
  register_fake_devices(false);
  EXPECT_EQ(existing_device({DeviceType::fake, -1}), (Device{DeviceType::fake, 0}));
  EXPECT_EQ(existing_device({DeviceType::cpu, 0}), Device{});
  try {
    backend_of({DeviceType::fake, 8});
    ADD_FAILURE();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::input);
    EXPECT_NE(e.message().find("device fake:8 is not there; there are cpu, "), std::string::npos)
        << e.message();
    EXPECT_NE(e.message().find("fake:0 to fake:7"), std::string::npos) << e.message();
  }
  EXPECT_THROW(backend_of({DeviceType::cpu, 1}), base::Error);
}

TEST(Backends, BytesTravelBetweenAnyTwoDevices) {
  register_fake_devices(true);
  const Device devices[] = {
      {}, {DeviceType::fake, 0}, {DeviceType::fake, 1}, {DeviceType::cuda, 0}};
  for (Device a : devices) {
    for (Device b : devices) {
      char text[] = "abcdefgh";
      auto* host = reinterpret_cast<std::byte*>(text);
      std::byte* at_a = backend_of(a).allocate(8, {a});
      std::byte* at_b = backend_of(b).allocate(8, {b});
      copy_bytes(at_a, {a}, host, {Device{}}, 8);
      copy_bytes(at_b, {b}, at_a, {a}, 8);
      std::memset(text, 0, 8);
      copy_bytes(host, {Device{}}, at_b, {b}, 8);
      EXPECT_STREQ(text, "abcdefgh") << a.text() << " to " << b.text();
      backend_of(a).free(at_a, 8, {a});
      backend_of(b).free(at_b, 8, {b});
    }
  }
}

TEST(Backends, CopiesBetweenDevicesKeepTheOrderOfTheirStreams) {
  register_fake_devices(false);
  Device a{DeviceType::fake, 0}, b{DeviceType::fake, 1};
  DeviceBackend& fakes = backend_of(a);
  std::byte* from = fakes.allocate(8, {a});
  std::byte* to = fakes.allocate(8, {b});
  fakes.fill(from, std::byte{'a'}, 8, {a});
  Stream side = fakes.make_stream(a);
  fakes.fill(from, std::byte{'b'}, 8, side);
  copy_bytes(to, {b}, from, side, 8);
  char text[9] = {};
  copy_bytes(reinterpret_cast<std::byte*>(text), {Device{}}, to, {b}, 8);
  EXPECT_STREQ(text, "bbbbbbbb");
  fakes.free(from, 8, {a});
  fakes.free(to, 8, {b});
}

TEST(Backends, NothingComesFromMeta) {
  Device meta{DeviceType::meta, -1};
  std::byte there[1];
  EXPECT_THROW(copy_bytes(there, {Device{}}, nullptr, {meta}, 1), base::Error);
  EXPECT_NO_THROW(copy_bytes(nullptr, {meta}, there, {Device{}}, 1));
}

}  // namespace
}  // namespace assay::core
