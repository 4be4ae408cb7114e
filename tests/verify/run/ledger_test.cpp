#include "verify/run/ledger.h"

#include <gtest/gtest.h>

namespace assay::verify {
namespace {

const core::Device cpu, fake = *core::parse_device("fake:0");

TEST(DeviceLedger, CountsResultsAndCopiesByDevice) {
  DeviceLedger ledger;
  ledger.allocated(cpu, 16);
  ledger.allocated(fake, 16);
  ledger.allocated(fake, 32);
  ledger.copied(cpu, fake, 16);
  EXPECT_EQ(ledger.counts().devices, (base::FlatMap<int64_t>{{"cpu", 1}, {"fake:0", 2}}));
  EXPECT_EQ(ledger.counts().copies, 1);
}

TEST(DeviceLedger, TheHostNeverWaitsForItself) {
  DeviceLedger ledger;
  ledger.synchronized(cpu);
  EXPECT_EQ(ledger.counts().syncs, 0);
  ledger.synchronized(fake);
  EXPECT_EQ(ledger.counts().syncs, 1);
}

}  // namespace
}  // namespace assay::verify
