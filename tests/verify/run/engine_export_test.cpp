#include "verify/run/engine_export.h"

#include <gtest/gtest.h>

#include "engine/api/save.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

/// An archive of the corpus, with so many bytes beside its program.
std::string archive_with(size_t more) {
  api::Module module = EngineExport::from_file("corpus/sizes/arange_len/script.pt")->load();
  return api::save_bytes(module, "archive", {{"padding", std::string(more, 'x')}});
}

TEST(EngineExport, BytesSmallAndLargeAreOneArchive) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=0..16"}});
  Case at_5 = build_case(spec, *nearest_point(spec, Point{{{"n", 5}}, {}, 3}));
  for (size_t more : {size_t{0}, size_t{20} << 20}) {
    std::string bytes = archive_with(more);
    auto exported = EngineExport::from_bytes(bytes);
    EXPECT_TRUE(exported->bytes() == bytes) << more;
    // A runner needs its export no longer.
    std::shared_ptr<Runner> runner = exported->runner();
    exported.reset();
    Observation o = runner->run(at_5);
    ASSERT_EQ(o.ending, Ending::returned) << more;
    EXPECT_EQ(o.outputs.to_tensor().sizes(), core::Dims{5});
  }
}

}  // namespace
}  // namespace assay::verify
