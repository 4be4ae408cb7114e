#include "engine/api/load.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/base/error.h"
#include "tests/engine/api/archive_test.h"

namespace assay::api {
namespace {

/// Loads and runs every method's compilation; an internal error fails the test.
void survive(const Engine& engine, const std::string& bytes) {
  try {
    Module module = load_bytes(engine, bytes);
    for (const std::string& method : module.methods()) module.graph(method);
  } catch (const base::Error& e) {
    EXPECT_NE(e.kind(), base::ErrorKind::internal) << e.describe();
  }
}

TEST(Load, every_truncation_is_an_input_error) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  std::string whole = contents(*archives() / "state.pt");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(load_bytes(engine, whole.substr(0, size)), base::Error) << size;
  }
  EXPECT_NO_THROW(load_bytes(engine, whole));
}

TEST(Load, flipped_bits_never_crash) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  std::string whole = contents(*archives() / "state.pt");
  // Other bits in every run, fewer where each takes longer.
#ifdef ASSAY_SANITIZED
  constexpr size_t step = 15;
#else
  constexpr size_t step = 3;
#endif
  for (size_t bit = std::random_device()() % step; bit < whole.size() * 8; bit += step) {
    SCOPED_TRACE("bit " + std::to_string(bit));
    std::string bad = whole;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    survive(engine, bad);
  }
}

TEST(Load, what_is_no_archive_is_said_plainly) {
  Engine engine;
  auto error_of = [&](const std::string& bytes) {
    try {
      load_bytes(engine, bytes);
    } catch (const base::Error& e) {
      return e.message();
    }
    return std::string();
  };
  EXPECT_NE(error_of("").find("not a zip archive"), std::string::npos);
  EXPECT_NE(error_of(std::string(1000, 'x')).find("not a zip archive"), std::string::npos);
  EXPECT_THROW(load(engine, "/nonexistent.pt"), base::Error);
}

}  // namespace
}  // namespace assay::api
