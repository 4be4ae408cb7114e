#pragma once

#include <limits>

#include "verify/findings/run_report.h"

namespace assay::reports {

/// A failed run with one finding of every part, hostile text included.
inline verify::RunReport sample_report() {
  using namespace verify;
  RunReport r;
  r.tool.version = "0.1.0";
  r.run.seed = 7;
  r.run.start = "2026-01-01T00:00:00Z";
  r.model.name = "model.py:Net<script>alert(1)</script>";
  r.reference = "host: PyTorch";
  AxisReport axis;
  axis.axis = {"dim", "ids", 1, "t"};
  axis.declared = "1..64";
  axis.exercised = "1, 7, 8";
  axis.verdict = "wrong";
  axis.boundary = "right only at t = 7";
  r.axes = {axis};
  Finding f;
  f.id = "F1";
  f.class_id = "AS102";
  f.property = "parity";
  f.title = "pinned size";
  f.visibility = Visibility::silent;
  f.axis = axis.axis;
  Boundary b;
  b.axis = axis.axis;
  b.regions = {{Boundary::Region::Verdict::right, {{7, 7}}, {}, ""},
               {Boundary::Region::Verdict::error, {{2, 6}, {8, 64}}, {}, ""}};
  f.boundaries = {b};
  f.cause.op = "aten::arange";
  f.cause.role = "end";
  f.cause.literal = "7";
  f.cause.file = "encoder.py";
  f.cause.line = 41;
  f.cause.proof = Proof::proven;
  f.cause.proof_text = "by substitution";
  f.evidence.fit = "7 = t over 4 exports";
  f.evidence.exports = {{"5", "5"}, {"7", "7"}};
  f.evidence.diff = "- aten::arange(7)\n+ aten::arange(5)";
  f.repro = "ASSAY1:abc";
  f.count = 3;
  Difference d;
  d.layer = Layer::shape;
  d.place = "output[0]";
  d.subject = "f32[1, 7, 4]";
  d.reference = "f32[1, 1, 4]";
  f.comparison.verdict = Comparison::Verdict::differ;
  f.comparison.differences = {d};
  r.findings = {f};
  ValueError e;
  e.compared = 4;
  e.max_rel = std::numeric_limits<double>::infinity();
  r.errors = {{"output[0]", e}};
  JudgedPoint p;
  for (int64_t t : {1, 7, 8}) {
    p.sizes = {{"t", t}};
    p.verdict = t == 7 ? "holds" : "violated";
    r.points.push_back(p);
  }
  r.gate.exit_code = 1;
  r.gate.rules = {"F1: AS102 pinned size (silent)"};
  return r;
}

}  // namespace assay::reports
