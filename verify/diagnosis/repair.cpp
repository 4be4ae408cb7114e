#include "verify/diagnosis/repair.h"

#include <algorithm>

#include "verify/graph/transplant.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// What exchanges touch, in terms of the subject: operands, runs of steps, source lines.
class Places {
 public:
  explicit Places(const std::vector<Exchange>& exchanges)
      : subject_(exchanges[0].subject->program()) {
    for (const Exchange& exchange : exchanges) add(exchange);
  }

  void add(const Exchange& exchange) {
    const Program& other = exchange.other->program();
    for (size_t i : exchange.exchanged) {
      const GraphDifference& d = exchange.alignment.differences[i];
      if (d.kind == Kind::structure) {
        runs_.push_back({d.begin_a, d.end_a});
        add_lines(subject_, d.begin_a, d.end_a);
        add_lines(other, d.begin_b, d.end_b);
      } else {
        operands_.insert({d.step_a, d.operand});
      }
    }
  }

  /// The alignment with each run that only one program has cut where its steps come to these
  /// places' lines or leave them: what follows upon another fault's steps is that fault's no more.
  Alignment cut(const Alignment& alignment, const Program& further) const {
    Alignment out = alignment;
    out.differences.clear();
    for (const GraphDifference& d : alignment.differences) {
      bool one_sided = d.kind == Kind::structure && (d.begin_a == d.end_a || d.begin_b == d.end_b);
      if (!one_sided) {
        out.differences.push_back(d);
      } else if (d.begin_a == d.end_a) {
        cut_run(further, d, &GraphDifference::begin_b, &GraphDifference::end_b, out.differences);
      } else {
        cut_run(subject_, d, &GraphDifference::begin_a, &GraphDifference::end_a, out.differences);
      }
    }
    return out;
  }

  bool hold(const GraphDifference& d, const Program& further) const {
    if (d.kind != Kind::structure) {
      return operands_.count({d.step_a, d.operand}) > 0 || here(subject_, d.step_a, d.step_a + 1);
    }
    return here(subject_, d.begin_a, d.end_a) || here(further, d.begin_b, d.end_b) ||
           (!any_known(subject_, d.begin_a, d.end_a) && !any_known(further, d.begin_b, d.end_b) &&
            touch(d.begin_a, d.end_a));
  }

 private:
  using Line = std::pair<std::string, int>;
  static Line line_of(const Step& step) { return {std::string(step.file_name()), step.line}; }

  void add_lines(const Program& program, size_t begin, size_t end) {
    for (size_t s = begin; s < end; ++s) {
      if (program.steps[s].line != 0) lines_.insert(line_of(program.steps[s]));
    }
  }
  bool has_line(const Step& step) const { return lines_.count(line_of(step)) > 0; }
  static bool any(const Program& p, size_t begin, size_t end, const auto& is) {
    return std::any_of(p.steps.begin() + static_cast<long>(begin),
                       p.steps.begin() + static_cast<long>(end), is);
  }
  bool here(const Program& p, size_t begin, size_t end) const {
    return any(p, begin, end, [&](const Step& step) { return has_line(step); });
  }
  static bool any_known(const Program& p, size_t begin, size_t end) {
    return any(p, begin, end, [](const Step& step) { return step.line != 0; });
  }

  using Bound = size_t GraphDifference::*;
  void cut_run(const Program& p, const GraphDifference& whole, Bound begin, Bound end,
               std::vector<GraphDifference>& into) const {
    GraphDifference part = whole;
    for (size_t s = whole.*begin; s < whole.*end; ++s) {
      bool first = s == part.*begin;
      // A step without a line goes with those before it.
      bool turns =
          !first && p.steps[s].line != 0 && has_line(p.steps[s]) != here(p, part.*begin, s);
      if (!turns) continue;
      part.*end = s;
      into.push_back(part);
      part.*begin = s;
      part.*end = whole.*end;
    }
    into.push_back(part);
  }

  bool touch(size_t begin, size_t end) const {
    return std::any_of(runs_.begin(), runs_.end(),
                       [&](const auto& run) { return begin <= run.second && run.first <= end; });
  }

  const Program& subject_;
  std::vector<std::pair<size_t, size_t>> runs_;   // Of the subject's steps, [begin, end).
  std::set<std::pair<size_t, size_t>> operands_;  // Step and operand.
  std::set<Line> lines_;
};

Judgement run(const Exchange& exchange, const JudgeRunner& judge, const Case& c,
              Judgement otherwise) {
  auto graph = exchanged_graph(exchange, c.device());
  if (!graph) return otherwise;
  const Export& owner = takes_steps(exchange) ? *exchange.other : *exchange.subject;
  return judge(owner.run_with(std::move(graph)), c);
}

/// What a further export has at the places of the exchanges, exchanged for it: none at all where it
/// has nothing else there.
Exchange exchange_with(const std::vector<Exchange>& exchanges,
                       const std::shared_ptr<const Export>& further) {
  const std::shared_ptr<const Export>& subject = exchanges[0].subject;
  Exchange here{subject, further, align(subject->program(), further->program()), {}};
  here.exchanged = cut_to_places(exchanges, further->program(), here.alignment);
  return here;
}

/// Tries what an export at the case has, or each that is known.
Judgement run_with_others(const std::vector<Exchange>& exchanges, const JudgeRunner& judge,
                          Exporter& exporter, const Case& c, Judgement otherwise) {
  if (exporter.known().empty()) {
    ExportResult made = exporter.export_at(c, false);
    if (!made.exported) return otherwise;
    return run(exchange_with(exchanges, made.exported), judge, c, std::move(otherwise));
  }
  for (const auto& known : exporter.known()) {
    Judgement other = run(exchange_with(exchanges, known), judge, c, otherwise);
    if (other.verdict == Judgement::Verdict::holds) return other;
  }
  return otherwise;
}

}  // namespace

std::shared_ptr<ir::Graph> exchanged_graph(const Exchange& exchange, core::Device device) {
  Alignment alignment = exchange.alignment;
  for (GraphDifference& d : alignment.differences) {
    if (d.kind == Kind::literal && d.literal_a.is_device()) d.literal_b = core::Value(device);
  }
  return verify::exchange(exchange.subject->program(), exchange.other->program(), alignment,
                          exchange.exchanged);
}

bool takes_steps(const Exchange& exchange) {
  return std::any_of(exchange.exchanged.begin(), exchange.exchanged.end(), [&](size_t i) {
    return exchange.alignment.differences[i].kind != Kind::literal;
  });
}

std::vector<size_t> cut_to_places(const std::vector<Exchange>& exchanges, const Program& further,
                                  Alignment& to_further) {
  Places places(exchanges);
  to_further = places.cut(to_further, further);
  std::vector<bool> in(to_further.differences.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = places.hold(to_further.differences[i], further);
  // What reads steps that come or go is rewired with them.
  auto dependencies = dependencies_of(exchanges[0].subject->program(), further, to_further);
  std::vector<size_t> out;
  for (size_t i = 0; i < in.size(); ++i) {
    bool follows = std::any_of(dependencies[i].begin(), dependencies[i].end(),
                               [&](size_t on) { return in[on]; });
    if (in[i] || follows) out.push_back(i);
  }
  return out;
}

JudgeRepaired repair_by(Exchange exchange, JudgeRunner judge) {
  return [exchange = std::move(exchange), judge = std::move(judge)](const Case& c) {
    return run(exchange, judge, c, {});
  };
}

JudgeRepaired repair_by(Exchange exchange, JudgeRunner judge, Exporter& exporter) {
  return [exchange = std::move(exchange), judge = std::move(judge), &exporter](const Case& c) {
    Judgement as_found = run(exchange, judge, c, {});
    if (as_found.verdict == Judgement::Verdict::holds) return as_found;
    return run_with_others({exchange}, judge, exporter, c, as_found);
  };
}

JudgeRepaired repair_by_all(std::vector<Exchange> exchanges, JudgeRunner judge,
                            Exporter& exporter) {
  return [all = std::move(exchanges), judge = std::move(judge), &exporter](const Case& c) {
    return run_with_others(all, judge, exporter, c, {});
  };
}

JudgeRepaired judge_others_repaired(std::vector<Exchange> exchanges, JudgeRunner judge,
                                    Exporter& exporter) {
  return [all = std::move(exchanges), judge = std::move(judge), &exporter](const Case& c) {
    ExportResult made = exporter.export_at(c, false);
    if (!made.exported) return Judgement{};
    return run(exchange_with(all, made.exported), judge, c, {});
  };
}

}  // namespace assay::verify::diagnosis
