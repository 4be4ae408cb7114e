#include "engine/base/checked.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace assay::base {
namespace {

__extension__ typedef __int128 Wide;

TEST(Checked, raises_beyond_64_bits) {
  EXPECT_THROW(checked_add(INT64_MAX, 1), Error);
  EXPECT_THROW(checked_mul(int64_t{1} << 32, int64_t{1} << 31), Error);
  EXPECT_THROW(checked_mul(INT64_MIN, -1), Error);
}

RC_GTEST_PROP(Checked, gives_what_128_bits_give, (int64_t a, int64_t b)) {
  auto agrees = [&](auto checked, Wide wide) {
    bool fits = wide >= INT64_MIN && wide <= INT64_MAX;
    try {
      return checked(a, b) == static_cast<int64_t>(wide) && fits;
    } catch (const Error& e) {
      return !fits && e.kind() == ErrorKind::input;
    }
  };
  Wide x = a, y = b;
  RC_ASSERT(agrees(checked_add, x + y));
  RC_ASSERT(agrees(checked_mul, x * y));
}

}  // namespace
}  // namespace assay::base
