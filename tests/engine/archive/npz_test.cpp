#include "engine/archive/npz.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/archive/zip_writer.h"
#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::DType;

/// An array file of format 1 with this header.
std::string npy(const std::string& header, const std::string& data) {
  std::string out = "\x93NUMPY";
  out += {'\x01', '\x00', static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  return out + header + data;
}

NamedTensors read(const std::string& member, const std::string& name = "a.npy") {
  ZipWriter zip("");
  zip.add(name, member);
  return read_npz(FileBytes::copy(zip.finish()));
}

std::string refusal(const std::string& member, const std::string& name = "a.npy") {
  try {
    read(member, name);
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::input);
    return e.describe();
  }
  return "read";
}

std::string floats(std::vector<float> values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

TEST(Npz, ReadsAnArray) {
  // As numpy.save(array([[1, 2, 3], [4, 5, 6]], dtype='<f4')) writes it, the padding aside.
  NamedTensors arrays = read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n",
                                 floats({1, 2, 3, 4, 5, 6})));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].first, "a");
  const core::Tensor& t = arrays[0].second;
  EXPECT_EQ(t.sizes(), (core::Dims{2, 3}));
  EXPECT_EQ(t.data<const float>()[5], 6);
}

TEST(Npz, KeepsFortranOrder) {
  core::Tensor t = read(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                            floats({1, 4, 2, 5, 3, 6})))[0]
                       .second;
  EXPECT_EQ(t.strides(), (core::Dims{1, 2}));
  EXPECT_EQ(t.data<const float>()[1 * t.stride(0) + 2 * t.stride(1)], 6);  // [1][2]
}

TEST(Npz, ReadsNumbersAndEmptyArrays) {
  core::Tensor number = read(npy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
                                 std::string("\x07\0\0\0\0\0\0\0", 8)))[0]
                            .second;
  EXPECT_EQ(number.dim(), 0);
  EXPECT_EQ(number.data<const int64_t>()[0], 7);
  core::Tensor none =
      read(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (0, 5), }", ""))[0].second;
  EXPECT_EQ(none.sizes(), (core::Dims{0, 5}));
  EXPECT_EQ(none.dtype(), DType::boolean);
}

TEST(Npz, WhatItWritesItReads) {
  std::string bytes = floats({1.5, -2, 0});
  NamedTensors arrays = read_npz(FileBytes::copy(
      npz_bytes({{"x", DType::float32, {3}, bytes}, {"deep/y", DType::uint8, {}, "\x09"}})));
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[1].first, "deep/y");
  EXPECT_EQ(arrays[1].second.data<const uint8_t>()[0], 9);
  EXPECT_EQ(std::memcmp(arrays[0].second.device_address(), bytes.data(), bytes.size()), 0);
}

TEST(Npz, AnArrayBeginsAtAMultipleOf64AsNumPyWritesIt) {
  std::string file = npz_bytes({{"x", DType::int8, {1}, "\x01"}});
  size_t start = file.find("\x93NUMPY");
  EXPECT_EQ((file.find('\n', start) + 1 - start) % 64, 0u);
}

TEST(Npz, WhatNoTensorHoldsIsNamed) {
  auto of_type = [](const std::string& descr) {
    return refusal(
        npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }", "abcd"));
  };
  EXPECT_NE(of_type("'>f4'").find("other byte order (>f4)"), std::string::npos);
  EXPECT_NE(of_type("'<U1'").find("NumPy's type <U1"), std::string::npos);
  EXPECT_NE(of_type("'|O'").find("NumPy's type |O"), std::string::npos);
  EXPECT_NE(of_type("[('a', '<i4')]").find("array of records"), std::string::npos);
  EXPECT_NE(of_type("'<U1'").find("in array a"), std::string::npos);
  EXPECT_NE(refusal("x", "readme.txt").find("readme.txt is no array"), std::string::npos);
  EXPECT_THROW(npz_bytes({{"x", DType::bfloat16, {1}, "ab"}}), base::Error);
  EXPECT_THROW(npz_bytes({{"x", DType::int8, {1}, "a"}, {"x", DType::int8, {1}, "a"}}),
               base::Error);
}

TEST(Npz, DamagedArraysAreRefused) {
  const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  EXPECT_NE(refusal("PK").find("no .npy file"), std::string::npos);
  EXPECT_NE(refusal("\x93NUMPY\x01").find("no .npy file"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x93NUMPY\x01\0\xff\xff", 10)).find("cut short"),
            std::string::npos);
  EXPECT_NE(refusal(npy(start + "(3,), }", "abcd")).find("4 bytes"), std::string::npos);
  EXPECT_NE(refusal(npy(start + "(-1,), }", "")).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal(npy(start + "(4611686018427387904, 8), }", "")).find("0 bytes"),
            std::string::npos);
  EXPECT_NE(refusal(npy(start + "(0, 4611686018427387904, 8), }", "")).find("0 bytes"),
            std::string::npos);
  EXPECT_NE(refusal(npy(start + "(99999999999999999999,), }", "")).find("cannot be read"),
            std::string::npos);
  for (const char* text : {"", "{", "{'descr'", "{'descr': 3}", "{'shape': (1,)}", "{'odd': 1}"}) {
    EXPECT_NE(refusal(npy(text, "")), "read") << text;
  }
  std::string deep = start + "(";
  for (int i = 0; i < 100; ++i) deep += "1,";
  EXPECT_NE(refusal(npy(deep + "), }", "abcd")).find("dimensions"), std::string::npos);
}

}  // namespace
}  // namespace assay::archive
