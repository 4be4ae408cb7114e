#include "engine/kernels/cpu/team.h"

#include <omp.h>

namespace assay::kernels::cpu {

Team::Team(bool small) {
  int threads = omp_get_max_threads();
  if (!small || threads == 1) return;
  before_ = threads;
  omp_set_num_threads(1);
}

Team::~Team() {
  if (before_ > 0) omp_set_num_threads(before_);
}

}  // namespace assay::kernels::cpu
