#include "reports/console.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cinttypes>

#include "engine/base/text.h"
#include "reports/verdict.h"
#include "verify/findings/gate.h"

namespace assay::reports {

using namespace verify;  // NOLINT: this file tells what verify found.

namespace {

std::string cause_line(const Finding& f) {
  const Cause& c = f.cause;
  std::string text = "  cause: ";
  if (!c.literal.empty() && c.role == "repetitions") {
    text += fmt::format("{} repeated {} times", c.op, c.literal);
  } else if (!c.literal.empty()) {
    text += fmt::format("literal {} in {}", c.literal, c.op);
  } else {
    text += c.op.empty() ? "not located in the graph" : c.op;
  }
  if (!c.role.empty() && c.role != "repetitions") text += " (" + c.role + ")";
  if (!c.file.empty()) text += fmt::format(", {}:{}", c.file, c.line);
  if (!c.function.empty()) text += " in " + c.function;
  if (c.proof != Proof::none) {
    text += fmt::format("  [{}{}{}]", proof_name(c.proof), c.proof_text.empty() ? "" : " ",
                        c.proof_text);
  }
  std::string reach = c.reach.text();
  if (!reach.empty()) text += fmt::format("\n  repair: {}", reach);
  return text;
}

std::string fit_line(const Evidence& e) {
  if (e.fit.empty()) return {};
  std::vector<std::string> pairs;
  constexpr size_t most = 6;
  for (const auto& [feature, literal] : e.exports) {
    if (pairs.size() < most) pairs.push_back(feature + "→" + literal);
  }
  if (e.exports.size() > most) pairs.emplace_back("...");
  std::string text = "  " + e.fit;
  if (!pairs.empty()) text += " (" + base::join(pairs, ", ") + ")";
  return text;
}

/// The text, or as much of it as ends between two words and outside of any brackets and quotes:
/// half a value would read as another one.
std::string shortened(const std::string& text, size_t longest) {
  if (text.size() <= longest) return text;
  size_t end = 0, depth = 0;
  char quote = 0;
  for (size_t i = 0; i < longest; ++i) {
    char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == ')' || c == '}') && depth > 0) {
      --depth;
    } else if (c == ' ' && depth == 0) {
      end = i;
    }
  }
  return text.substr(0, end) + " …";
}

/// A condition, without its middle where it is long: conditions of one kind begin alike, and differ
/// in what they compare with.
std::string shortened_condition(const std::string& text) {
  constexpr size_t first = 50, last = 30;
  if (text.size() <= first + last) return text;
  auto is_inside = [&](size_t at) { return (text[at] & 0xc0) == 0x80; };  // Of a character.
  size_t end = first, begin = text.size() - last;
  while (is_inside(end)) --end;
  while (is_inside(begin)) --begin;
  return text.substr(0, end) + "…" + text.substr(begin);
}

/// What else is known of the cause, as where it takes effect; as much as fits.
std::string notes_line(const Evidence& e) {
  constexpr size_t longest = 240;
  return e.notes.empty() ? "" : shortened("  note: " + base::join(e.notes, "; "), longest);
}

std::string case_line(const Finding& f) {
  std::string text = "  smallest case: ";
  text += f.smallest_case ? describe(*f.smallest_case) : "unknown";
  if (!f.subject_gave.empty()) text += "        export " + f.subject_gave;
  // Other laws hold the export against itself.
  const char* other = f.property == "parity" ? ", model " : ", wanted ";
  if (!f.reference_gave.empty()) text += other + f.reference_gave;
  return text;
}

/// What needs no action, in words.
std::string benign_line(const std::string& id, int64_t count, const RunReport& r) {
  const FailureClass* row = find_failure_class(id);
  if (row == nullptr || id == "AS117") {
    return fmt::format("  {} {}: {} {}\n", id, row ? row->name : "", count, adjudicated_text(r));
  }
  std::string meaning(row->meaning.substr(0, row->meaning.size() - 1));
  meaning[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(meaning[0])));
  return fmt::format("  {} {}: {} ({}; {})\n", id, row->name, count, meaning, row->hint);
}

/// Where the trace is right by its own conditions; those that a case was made for.
std::string guards_text(const RunReport::Guards& g) {
  if (!g.traced) return {};
  std::string out = "  trace: by its own conditions " + g.sentence;
  if (!g.rests_on.empty()) out += "; that rests on " + g.rests_on;
  out += "\n";
  for (const RunReport::Guard& c : g.conditions) {
    if (c.otherwise.empty()) continue;
    out += fmt::format("    {} ({}) is false at {}: {}\n", shortened_condition(c.condition),
                       c.place, c.otherwise, c.outcome.empty() ? "not judged" : c.outcome);
  }
  return out;
}

std::string first_line(const Finding& f) {
  std::string text =
      fmt::format("{} {} ({})  {}", f.class_id, f.title, visibility_text(f), f.method);
  if (const Difference* d = f.comparison.headline()) text += "  " + d->text();
  size_t newline = text.find('\n');
  if (newline != std::string::npos) text = text.substr(0, newline) + " …";
  constexpr size_t longest = 240;
  return shortened(text, longest);
}

/// The first few axes with their regions, the others by name.
void add_boundary_lines(const Finding& f, std::vector<std::string>& lines) {
  constexpr int most = 3;
  int told = 0;
  std::vector<std::string> others;
  for (const Boundary& b : f.boundaries) {
    if (b.regions.empty()) continue;
    if (told++ < most) {
      lines.push_back(fmt::format("  {}: {}", b.axis.text(), b.text()));
    } else {
      others.push_back(b.axis.text());
    }
  }
  if (!others.empty()) lines.back() += "; also along " + base::join(others, ", ");
}

}  // namespace

std::string finding_text(const Finding& f) {
  if (f.state == FindingState::xpass)
    return fmt::format("{} {}: {}\n", f.class_id, f.title, f.state_reason);
  std::vector<std::string> lines{first_line(f)};
  if (!f.state_reason.empty()) lines.push_back("  " + f.state_reason);
  add_boundary_lines(f, lines);
  lines.push_back(cause_line(f));
  if (auto fit = fit_line(f.evidence); !fit.empty()) lines.push_back(std::move(fit));
  auto note_at = static_cast<std::ptrdiff_t>(lines.size());
  if (!f.confirmation.empty()) lines.push_back("  confirmation: " + f.confirmation);
  lines.push_back(case_line(f));
  const FailureClass* row = find_failure_class(f.class_id);
  std::string hint = f.hint.empty() && row ? std::string(row->hint) : f.hint;
  if (!hint.empty()) lines.push_back("  hint: " + hint);
  if (f.count > 1) lines.push_back(fmt::format("  met in {} cases", f.count));
  if (!f.repro.empty()) lines.push_back("  repro: assay replay '" + f.repro + "'" + f.repro_flags);
  constexpr std::ptrdiff_t most = 10;
  bool fits = std::ranges::count(base::join(lines, "\n"), '\n') + 1 < most;
  auto notes = notes_line(f.evidence);
  if (fits && !notes.empty()) lines.insert(lines.begin() + note_at, std::move(notes));
  return base::join(lines, "\n") + "\n";
}

std::string summary_text(const RunReport& r) {
  std::string out;
  std::vector<std::string> untested;
  for (const AxisReport& a : r.axes) {
    if (a.exercised.empty()) untested.push_back(a.axis.text());
  }
  for (const std::string& reason : r.not_tested) untested.push_back(reason);
  bool undecided = r.gate.exit_code == exit_undecided;
  out += fmt::format("{}  {} {}: {} of {} cases {}, {} elements, {} finding(s)\n",
                     r.gate.passed ? "PASSED"
                     : undecided   ? "UNDECIDED"
                                   : "FAILED",
                     r.model.name, r.alone.is ? "alone" : "against " + r.reference, r.totals.valid,
                     r.totals.cases, r.alone.is ? "run" : "compared", r.totals.elements,
                     r.findings.size());
  if (std::string alone = alone_text(r); !alone.empty()) out += "  rests on: " + alone + "\n";
  if (r.totals.stopped_by == "interrupt") {
    out += fmt::format(
        "  interrupted after {} cases: the rest was not tested, what was not diagnosed by then "
        "stays so\n",
        r.totals.cases);
  }
  if (std::string scope = varied_scope(r); !scope.empty()) out += "  compared: " + scope + "\n";
  if (std::string fixed = fixed_scope(r); !fixed.empty()) out += "  not varied: " + fixed + "\n";
  if (std::string also = in_pytorch_text(r); !also.empty()) out += "  " + also + "\n";
  for (const auto& [reason, cases] : r.uncompared) {
    out += fmt::format("  not compared: {} cases: {}\n", cases, reason);
  }
  out += guards_text(r.guards);
  for (const std::string& sentence : r.vacuous) out += "  says little: " + sentence + "\n";
  if (!untested.empty()) out += "  not tested: " + base::join(untested, "; ") + "\n";
  for (const auto& [id, count] : r.benign) out += benign_line(id, count, r);
  for (const std::string& finding : r.gate.not_gated) out += "  not gated: " + finding + "\n";
  for (const std::string& rule : r.gate.rules) out += "  gate: " + rule + "\n";
  return out;
}

void Console::clear_line() {
  if (!line_open_) return;
  std::fputs("\r\x1b[K", err_);
  line_open_ = false;
}

void Console::run_started(const RunReport& r) {
  std::fprintf(out_, "assay %s seed=%" PRIu64 " profile=%s engine=%s config-hash=%s\n",
               r.tool.version.c_str(), r.run.seed, r.run.profile.c_str(), r.run.engine.c_str(),
               r.run.config_hash.c_str());
  std::fflush(out_);
}

void Console::finding(const Finding& f) {
  clear_line();
  std::fprintf(out_, "\n%s", finding_text(f).c_str());
  std::fflush(out_);
}

void Console::progress(const Progress& p) {
  // A log needs no line that nothing has happened yet.
  if (options_.quiet || (p.cases == 0 && !options_.terminal)) return;
  constexpr double log_interval = 5;
  double interval = options_.terminal ? 0.2 : log_interval;
  if (last_told_ >= 0 && p.seconds - last_told_ < interval) return;
  last_told_ = p.seconds;
  double rate = p.seconds > 0 ? static_cast<double>(p.cases) / p.seconds : 0;
  std::string planned = p.planned ? fmt::format("/{}", p.planned) : "";
  clear_line();
  std::fprintf(err_, "%s: %" PRId64 "%s cases, %.1f/s, %" PRId64 " failing kind(s), %.0f s left%s",
               p.activity.c_str(), p.cases, planned.c_str(), rate, p.failures, p.seconds_left,
               options_.terminal ? "" : "\n");
  line_open_ = options_.terminal;
  std::fflush(err_);
}

void Console::message(const std::string& text) {
  clear_line();  // Quiet is without progress; what should be known is told.
  std::fprintf(err_, "assay: %s\n", text.c_str());
}

void Console::run_finished(const RunReport& r) {
  clear_line();
  std::fprintf(out_, "\n%s", summary_text(r).c_str());
  if (!r.gate.passed && !r.run.command.empty()) {
    std::fprintf(out_, "  command: %s\n", r.run.command.c_str());
  }
  std::fflush(out_);
}

}  // namespace assay::reports
