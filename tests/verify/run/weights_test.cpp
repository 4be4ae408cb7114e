#include "verify/run/weights.h"

#include <gtest/gtest.h>

#include "engine/core/elements.h"

namespace assay::verify {
namespace {

using core::Dims;
using core::DType;
using core::Scalar;
using core::Tensor;

Tensor bytes(const std::vector<Scalar>& items) {
  return core::tensor_from(items, Dims{static_cast<int64_t>(items.size())}, DType::uint8);
}

// FIPS 180-4's examples: of "abc", and of nothing.
const std::string of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const std::string of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Weights, HashesAreThoseOfTheElementsInRowMajorOrder) {
  Tensor abc = bytes({Scalar(97), Scalar(98), Scalar(99)});
  // "abc" again, every other element of a longer tensor.
  Tensor wide = bytes({Scalar(97), Scalar(0), Scalar(98), Scalar(0), Scalar(99)});
  Tensor apart = wide.view(Dims{3}, Dims{2}, 0);
  WeightHashes hashes = weight_hashes({{"a", abc}, {"b", apart}, {"none", bytes({})}});
  EXPECT_EQ(hashes.at("a"), of_abc);
  EXPECT_EQ(hashes.at("b"), of_abc);
  EXPECT_EQ(hashes.at("none"), of_nothing);
}

TEST(Weights, OneHashTellsPathsAndElementsApart) {
  EXPECT_EQ(hash_of({}), "");
  EXPECT_EQ(hash_of({{"a", "1"}, {"b", "2"}}), sha256("a 1\nb 2\n"));
  EXPECT_NE(hash_of({{"a", "1"}, {"b", "2"}}), hash_of({{"a", "2"}, {"b", "1"}}));
}

TEST(Weights, OnlyWhatBothHaveCanBeUnlike) {
  WeightHashes one{{"a", "1"}, {"b", "2"}, {"c", "3"}}, other{{"b", "9"}, {"c", "3"}, {"d", "4"}};
  EXPECT_EQ(unlike(one, other), std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace assay::verify
