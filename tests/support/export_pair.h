#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/graph_model.h"
#include "verify/diagnosis/attribution.h"

namespace assay::verify::testing {

/// Two graph texts as exports of one model, and how a diagnosis sees the second beside the first.
class ExportPair {
 public:
  ExportPair(const std::string& subject_text, const std::string& probe_text, Case at,
             std::vector<Escape> subject_escapes = {}, std::vector<Escape> probe_escapes = {})
      : subject(graph_export(subject_text)),
        probe(graph_export(probe_text)),
        subject_escapes_(std::move(subject_escapes)),
        at_(std::move(at)) {
    probe->escapes = std::move(probe_escapes);
    variants_.push_back({probe, at_, align(subject->program(), probe->program())});
  }
  ExportPair(const ExportPair&) = delete;

  diagnosis::ExportDiff view() const {
    diagnosis::ExportDiff view;
    view.subject = &subject->program();
    view.probe = &probe->program();
    view.alignment = &alignment();
    view.failing = &at_;
    view.variants = &variants_;
    view.subject_escapes = &subject_escapes_;
    return view;
  }
  diagnosis::Escapes escapes() const { return {&subject_escapes_, &probe->escapes}; }
  const Alignment& alignment() const { return variants_[0].to_subject; }

  const std::shared_ptr<GraphExport> subject, probe;

 private:
  std::vector<Escape> subject_escapes_;
  Case at_;
  std::vector<diagnosis::Variant> variants_;
};

}  // namespace assay::verify::testing
