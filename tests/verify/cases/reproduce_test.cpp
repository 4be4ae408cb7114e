#include "verify/cases/reproduce.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/base/error.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

Repro example() {
  Spec spec = parse_spec({{"input", "x: f32[b, 3]"}, {"dim", "b=1..4"}});
  Repro repro;
  repro.property = "parity";
  repro.class_id = "AS102";
  repro.key = "AS102 silent encoder.py:41";
  repro.line = 41;
  repro.model = "model.py:Net";
  repro.seed = 7;
  repro.spec = spec_json(spec);
  repro.arguments = {"--against=scripted.pt"};
  repro.right = build_case(spec, *nearest_point(spec, Point{{{"b", 2}}, {}, 1}));
  repro.smallest = build_case(spec, *nearest_point(spec, Point{{{"b", 3}}, {}, UINT64_MAX}));
  return repro;
}

TEST(Reproduce, ReadsBackWhatItWrites) {
  Repro repro = example();
  std::string text = encode_repro(repro);
  EXPECT_EQ(text.rfind("ASSAY1:", 0), 0u);
  EXPECT_EQ(
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:"),
      std::string::npos);
  Repro back = decode_repro(text);
  EXPECT_EQ(back.smallest, repro.smallest);
  EXPECT_EQ(back.right, repro.right);
  EXPECT_EQ(back.key, repro.key);
  EXPECT_EQ(back.line, 41);
  EXPECT_EQ(back.model, repro.model);
  EXPECT_EQ(back.seed, 7u);
  EXPECT_EQ(back.arguments, repro.arguments);
  EXPECT_EQ(print(parse_spec_json(back.spec, "spec").dims[0].domain), "1..4");
}

TEST(Reproduce, RefusesOtherVersionsAndDamage) {
  std::string text = encode_repro(example());
  EXPECT_THROW(decode_repro("ASSAY2:" + text.substr(7)), base::Error);
  EXPECT_THROW(decode_repro(text.substr(0, text.size() - 3)), base::Error);
  EXPECT_THROW(decode_repro("ASSAY1:"), base::Error);
  EXPECT_THROW(decode_repro("ASSAY1:!!"), base::Error);
}

RC_GTEST_PROP(Reproduce, DamageIsAnInputErrorOrReadsBack, ()) {
  std::string text = encode_repro(example());
  auto at = *rc::gen::inRange<size_t>(7, text.size());
  text[at] = *rc::gen::element('A', 'z', '0', '-', '_');
  try {
    (void)decode_repro(text);
  } catch (const base::Error& error) {
    RC_ASSERT(error.kind() == base::ErrorKind::input);
  }
}

}  // namespace
}  // namespace assay::verify
