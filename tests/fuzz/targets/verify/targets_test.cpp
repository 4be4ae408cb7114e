#include "fuzz/targets/verify/targets.h"

#include "tests/fuzz/targets/byte_target_test.h"
#include "verify/cases/reproduce.h"
#include "verify/spec/parser.h"

namespace assay::fuzz::testing {
namespace {

/// Specs as the lines of parse_spec_lines.
Seeds specs() {
  Seeds out;
  for (const std::string& text : files("corpus", "spec.json", 30)) {
    std::string lines;
    for (const auto& piece : verify::spec_pieces(verify::parse_spec_json(text, "spec.json"))) {
      lines += piece.flag + " " + piece.text + "\n";
    }
    out.push_back(lines);
  }
  out.push_back(
      "input x: {a: [f32[b, *r, 2*t+1], i64?] * n, c?: (bool, str in \"u\" | \"v\")}?\n"
      "dim b=1..8:2\ndim t=3..5\ndim n=0..3\nranks r=0..2\natol 1e-3\natol output[0]:0.5\n"
      "aliases x.a[0][0]=x.a[1][0]\n");
  return out;
}

Seeds repros() {
  verify::Spec spec = verify::parse_spec({{"input", "x: f32[b, t] in -1..1"},
                                          {"input", "m = i64[b]?"},
                                          {"dim", "b=1..4"},
                                          {"dim", "t=2..8"}});
  verify::Repro repro;
  repro.property = "parity";
  repro.class_id = "AS102";
  repro.model = "model.py:Net";
  repro.arguments = {"--against=a.pt"};
  repro.spec = verify::spec_json(spec);
  verify::Point point;
  point.sizes = {{"b", 2}, {"t", 3}};
  repro.smallest = verify::build_case(spec, point);
  return {verify::encode_repro(repro),
          R"({"v":1,"seed":3,"property":"parity","class":"AS102","model":"m.py:N","case":)" +
              verify::to_json(repro.smallest) + "}"};
}

Seeds seeds_of(std::string_view target) {
  if (target == "spec") return specs();
  if (target == "spec_file") return files("corpus", "spec.json", 20);
  if (target == "repro") return repros();
  return files("corpus", ".rec", 3);
}

ASSAY_BYTE_TARGETS(VerifyTargets, verify_targets, seeds_of);

}  // namespace
}  // namespace assay::fuzz::testing
