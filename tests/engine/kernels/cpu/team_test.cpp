#include "engine/kernels/cpu/team.h"

#include <gtest/gtest.h>
#include <omp.h>

namespace assay::kernels::cpu {
namespace {

/// How many threads a parallel region has.
int threads_of_a_region() {
  int count = 0;
#pragma omp parallel
#pragma omp single
  count = omp_get_num_threads();
  return count;
}

TEST(Team, HasOneThreadForSmallWorkAndAllOfThemForTheRest) {
  int before = omp_get_max_threads();
  omp_set_num_threads(3);
  {
    auto small = Team::for_elements(100);
    EXPECT_EQ(threads_of_a_region(), 1);
    auto inner = Team::for_products(1e9);
    EXPECT_EQ(threads_of_a_region(), 1) << "within small work all is small";
  }
  EXPECT_EQ(threads_of_a_region(), 3) << "as before";
  {
    auto large = Team::for_elements(1e6);
    EXPECT_EQ(threads_of_a_region(), 3);
    auto small = Team::for_products(100);
    EXPECT_EQ(threads_of_a_region(), 1);
  }
  EXPECT_EQ(threads_of_a_region(), 3);
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace assay::kernels::cpu
