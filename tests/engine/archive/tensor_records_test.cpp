#include "engine/archive/tensor_records.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/core/elements.h"
#include "tests/engine/archive/zip_test.h"

namespace assay::archive {
namespace {

const float numbers[] = {1.5f, -2.0f, 3.25f};

std::string bytes_of_numbers() {
  return std::string(reinterpret_cast<const char*>(numbers), sizeof(numbers));
}

TensorRecords records_of(
    const std::string& bytes, bool big_endian = false,
    TensorRecords::MapDevice map = [](core::Device d) { return d; }) {
  auto zip = std::make_shared<const ZipReader>(FileBytes::copy(zip_of({{"data/0", bytes}})));
  return TensorRecords(zip, "m/data/", big_endian, std::move(map));
}

StorageId float_id(int64_t numel, std::string location = "cpu") {
  return {core::DType::float32, "0", std::move(location), numel};
}

TEST(TensorRecords, storages_are_used_in_place_and_shared) {
  TensorRecords records = records_of(bytes_of_numbers());
  auto budget = base::make_ref<core::MemoryBudget>(0);
  core::MemoryScope scope(budget);
  core::Tensor whole = records.load(float_id(3));
  core::Tensor again = records.load(float_id(2));
  EXPECT_EQ(budget->held(core::Device{}), 0u);
  EXPECT_EQ(whole.storage(), again.storage());
  EXPECT_EQ(whole.data<float>()[2], 3.25f);
  EXPECT_EQ(again.numel(), 2);
}

TEST(TensorRecords, big_endian_bytes_are_swapped) {
  std::string bytes = bytes_of_numbers();
  for (size_t i = 0; i < bytes.size(); i += 4)
    std::reverse(bytes.begin() + long(i), bytes.begin() + long(i) + 4);
  core::Tensor tensor = records_of(bytes, true).load(float_id(3));
  EXPECT_EQ(tensor.data<float>()[0], 1.5f);
  EXPECT_EQ(tensor.data<float>()[1], -2.0f);
}

TEST(TensorRecords, claims_are_held_against_the_record) {
  TensorRecords records = records_of(bytes_of_numbers());
  EXPECT_THROW(records.load(float_id(4)), base::Error);
  EXPECT_THROW(records.load(float_id(-1)), base::Error);
  EXPECT_THROW(records.load(float_id(int64_t{1} << 62)), base::Error);
  StorageId other = float_id(1);
  other.key = "1";
  EXPECT_THROW(records.load(other), base::Error);
}

TEST(TensorRecords, devices_are_mapped) {
  core::register_fake_devices(true);
  core::Device gpu{core::DeviceType::cuda, 1};
  core::Tensor tensor = records_of(bytes_of_numbers()).load(float_id(3, "cuda:1"));
  EXPECT_EQ(tensor.device(), gpu);
  EXPECT_EQ(core::elements(tensor)[2].to_double(), 3.25);
  core::Tensor moved = records_of(bytes_of_numbers(), false, [](core::Device) {
                         return core::Device{};
                       }).load(float_id(3, "cuda:1"));
  EXPECT_EQ(moved.device(), core::Device{});
}

}  // namespace
}  // namespace assay::archive
