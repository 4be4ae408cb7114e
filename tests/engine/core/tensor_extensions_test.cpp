#include "engine/core/tensor_extensions.h"

#include <gtest/gtest.h>

#include "engine/core/tensor.h"

namespace assay::core {
namespace {

struct Note final : base::RefCounted {
  explicit Note(int n) : number(n) {}
  int number;
};

int number_of(const TensorExtensions& extensions, TensorExtension kind) {
  base::RefCounted* found = extensions.find(kind);
  return found ? static_cast<Note*>(found)->number : 0;
}

TEST(TensorExtensions, EachKindHasItsOwn) {
  TensorExtensions extensions;
  EXPECT_EQ(extensions.find(TensorExtension::gradient), nullptr);
  extensions.set(TensorExtension::gradient, base::make_ref<Note>(1));
  extensions.set(TensorExtension::quantizer, base::make_ref<Note>(2));
  EXPECT_EQ(number_of(extensions, TensorExtension::gradient), 1);
  EXPECT_EQ(number_of(extensions, TensorExtension::quantizer), 2);
  extensions.set(TensorExtension::gradient, nullptr);
  EXPECT_EQ(extensions.find(TensorExtension::gradient), nullptr);
  EXPECT_EQ(number_of(extensions, TensorExtension::quantizer), 2);
}

TEST(TensorExtensions, BelongToTheTensorObject) {
  Tensor t = Tensor::empty(Dims{2, 3}, DType::float32);
  t.impl()->extensions.set(TensorExtension::view, base::make_ref<Note>(5));
  Tensor handle = t;
  EXPECT_EQ(number_of(handle.impl()->extensions, TensorExtension::view), 5);
  EXPECT_EQ(t.alias().impl()->extensions.find(TensorExtension::view), nullptr);
}

TEST(TensorExtensions, WhatIsKnownOfSizesEndsWithThem) {
  Tensor t = Tensor::empty(Dims{2, 3}, DType::float32);
  t.impl()->extensions.set(TensorExtension::sizes, base::make_ref<Note>(5));
  t.assign(Tensor::empty(Dims{7}, DType::float32));
  EXPECT_EQ(t.impl()->extensions.find(TensorExtension::sizes), nullptr);
}

}  // namespace
}  // namespace assay::core
