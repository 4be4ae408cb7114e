#include "engine/core/fake_device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "engine/base/error.h"

namespace assay::core {
namespace {

const Device first{DeviceType::fake, 0}, second{DeviceType::fake, 1};

class FakeDevice : public testing::Test {
 protected:
  std::byte* make(const char* text, Device device = first) {
    std::byte* data = fakes_.allocate(8, {device});
    fakes_.copy_from_host(data, reinterpret_cast<const std::byte*>(text), 8, {device});
    return data;
  }
  std::string read(const std::byte* data, const Stream& stream = {first}) {
    std::string out(8, '?');
    fakes_.copy_to_host(reinterpret_cast<std::byte*>(out.data()), data, 8, stream);
    fakes_.synchronize(stream);
    return out;
  }

  FakeDevices fakes_;
};

using FakeDeviceDeathTest = FakeDevice;

TEST_F(FakeDevice, CopiesAndFills) {
  std::byte* a = make("abcdefgh");
  EXPECT_EQ(read(a), "abcdefgh");
  std::byte* b = fakes_.allocate(8, {second});
  fakes_.copy(b, a, first, 8, {second});
  EXPECT_EQ(read(b, {second}), "abcdefgh");
  fakes_.fill(b, std::byte{'z'}, 3, {second});
  EXPECT_EQ(read(b, {second}), "zzzdefgh");
}

TEST_F(FakeDeviceDeathTest, HostCodeDiesAtItsMemory) {
  volatile std::byte* a = make("abcdefgh");
  EXPECT_DEATH(*a = std::byte{1}, "");
  EXPECT_DEATH(std::exit(static_cast<int>(*a)), "");
}

TEST_F(FakeDeviceDeathTest, OnlyKernelsOfTheDeviceHaveItOpen) {
  volatile std::byte* a = make("abcdefgh");
  volatile std::byte* b = make("abcdefgh", second);
  KernelScope kernel(fakes_, first, true);
  EXPECT_EQ(static_cast<char>(*a), 'a');
  EXPECT_DEATH(std::exit(static_cast<int>(*b)), "");  // Another device's.
  {
    KernelScope nested(fakes_, first, true);
    *a = std::byte{'x'};
  }
  *a = std::byte{'y'};
  {
    KernelScope host(fakes_, first, false);  // A composite that the kernel calls.
    EXPECT_DEATH(std::exit(static_cast<int>(*a)), "");
  }
  EXPECT_EQ(static_cast<char>(*a), 'y');
}

TEST_F(FakeDevice, OneThreadsKernelDoesNotCloseAnothers) {
  volatile std::byte* a = make("abcdefgh");
  KernelScope kernel(fakes_, first, true);
  std::thread other([&] { KernelScope nested(fakes_, first, true); });
  other.join();
  EXPECT_EQ(static_cast<char>(*a), 'a');
}

TEST_F(FakeDevice, WorkOfAnotherStreamIsNotThereUntilItIsAwaited) {
  std::byte* a = make("abcdefgh");
  Stream side = fakes_.make_stream(first);
  fakes_.fill(a, std::byte{'z'}, 8, side);
  EXPECT_EQ(read(a), "abcdefgh");  // The default stream does not wait.
  EventRef filled = fakes_.record(side);
  fakes_.fill(a, std::byte{'y'}, 8, side);
  fakes_.wait({first}, filled);
  EXPECT_EQ(read(a), "zzzzzzzz");  // Up to the event, and no further.
  fakes_.synchronize(side);
  EXPECT_EQ(read(a), "yyyyyyyy");
}

TEST_F(FakeDevice, StreamsWaitForEventsOfOtherStreams) {
  std::byte* a = make("abcdefgh");
  Stream producer = fakes_.make_stream(first), consumer = fakes_.make_stream(second);
  std::byte* b = make("ijklmnop", second);
  fakes_.fill(a, std::byte{'z'}, 8, producer);
  fakes_.wait(consumer, fakes_.record(producer));
  fakes_.copy(b, a, first, 8, consumer);
  EXPECT_EQ(read(b, {second}), "ijklmnop");
  EXPECT_EQ(read(a), "abcdefgh");
  fakes_.synchronize(second);  // All streams of the device, and what they wait for.
  EXPECT_EQ(read(b, {second}), "zzzzzzzz");
}

TEST_F(FakeDevice, KernelsRunWhenTheirStreamComesToThem) {
  std::byte* a = make("abcdefgh");
  Stream side = fakes_.make_stream(first);
  fakes_.fill(a, std::byte{'b'}, 8, side);
  fakes_.launch(side, [a] { std::memset(a, static_cast<int>(a[0]) + 1, 4); });
  EXPECT_EQ(read(a), "abcdefgh");
  EXPECT_EQ(read(a, side), "ccccbbbb");
  fakes_.launch({first}, [a] { a[0] = std::byte{'!'}; });
  EXPECT_EQ(read(a), "!cccbbbb");
}

TEST_F(FakeDevice, MemoryIsFreedWhenWaitingWorkIsDoneWithIt) {
  std::byte* a = make("abcdefgh");
  Stream side = fakes_.make_stream(first);
  fakes_.fill(a, std::byte{'z'}, 8, side);
  fakes_.free(a, 8, {first});
  std::byte* b = make("ijklmnop");
  EXPECT_NE(a, b);
  fakes_.synchronize(side);
  EXPECT_EQ(read(b), "ijklmnop");
  EXPECT_EQ(make("qrstuvwx"), a);
}

}  // namespace
}  // namespace assay::core
