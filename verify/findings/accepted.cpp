#include "verify/findings/accepted.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/base/error.h"

namespace assay::verify {

using nlohmann::json;

namespace {

json parsed(std::string_view text, const std::string& name) {
  json document = json::parse(text, nullptr, false);
  base::check(!document.is_discarded(), name, " is not JSON");
  return document;
}

std::string member(const json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Refuses what an entry of a list has beside its members, or has in another form.
void check_entry(const json& entry, const std::string& where) {
  constexpr std::array<std::string_view, 5> known{"fingerprint", "reason", "class", "owner",
                                                  "expires"};
  base::check(entry.is_object(), where, " is no object: {\"fingerprint\": ..., \"reason\": ...}");
  for (const auto& [key, value] : entry.items()) {
    base::check(std::ranges::find(known, key) != known.end(), where, " has the member '", key,
                "'; known: fingerprint, reason, class, owner, expires");
    base::check(value.is_string(), where, ": '", key, "' is not a text");
  }
  for (const char* needed : {"fingerprint", "reason"})
    base::check(!member(entry, needed).empty(), where, " has no ", needed);
  static const std::regex day(R"(\d{4}-\d{2}-\d{2})");
  std::string expires = member(entry, "expires");
  base::check(expires.empty() || std::regex_match(expires, day), where,
              ": expires is a day as 2026-12-31, not '", expires, "'");
}

/// "fixed in the next release (Ann, until 2026-12-31)"
std::string reason_of(const Accepted& a) {
  return a.expires.empty() ? a.reason : fmt::format("{}, until {}", a.reason, a.expires);
}

}  // namespace

std::vector<Accepted> accepted_by_report(std::string_view text, const std::string& name) {
  json report = parsed(text, name);
  bool known = report.is_object() && member(report, "schema_version").starts_with("1.") &&
               report.contains("findings") && report.at("findings").is_array();
  base::check(known, name, " is no report of assay check --json");
  std::string when;
  if (report.contains("run") && report.at("run").contains("times"))
    when = member(report.at("run").at("times"), "start");
  std::vector<Accepted> out;
  for (const json& finding : report.at("findings")) {
    std::string fingerprint = member(finding, "fingerprint");
    if (fingerprint.empty() || member(finding, "state") == state_name(FindingState::xpass))
      continue;
    std::string before = member(finding, "first_seen");
    out.push_back({fingerprint, FindingState::known, member(finding, "class"), "",
                   before.empty() ? when : before, "", name});
  }
  return out;
}

std::vector<Accepted> accepted_by_list(std::string_view text, const std::string& name) {
  json list = parsed(text, name);
  base::check(list.is_array(), name,
              " is no list of accepted faults: [{\"fingerprint\": ..., \"reason\": ...}]");
  std::vector<Accepted> out;
  for (size_t i = 0; i < list.size(); ++i) {
    const json& entry = list[i];
    check_entry(entry, fmt::format("{}: entry {}", name, i + 1));
    std::string owner = member(entry, "owner"), reason = member(entry, "reason");
    if (!owner.empty()) reason += fmt::format(" ({})", owner);
    out.push_back({member(entry, "fingerprint"), FindingState::xfail, member(entry, "class"),
                   reason, "", member(entry, "expires"), name});
  }
  return out;
}

void mark_accepted(const std::vector<Accepted>& accepted, const std::string& today,
                   Finding& finding) {
  for (const Accepted& a : accepted) {
    if (a.fingerprint != finding.fingerprint) continue;
    // Days of this form are in the order of their texts.
    if (!a.expires.empty() && a.expires < today) {
      finding.state_reason = fmt::format("no longer accepted: {} by {}", reason_of(a), a.file);
      continue;
    }
    finding.state = a.state;
    finding.first_seen = a.first_seen;
    bool known = a.state == FindingState::known;
    finding.state_reason = known ? fmt::format("known: {} has it", a.file)
                                 : fmt::format("accepted: {} by {}", reason_of(a), a.file);
    return;
  }
}

std::vector<Finding> no_longer_failing(const std::vector<Accepted>& accepted,
                                       const std::vector<Finding>& findings) {
  std::vector<Finding> out;
  for (const Accepted& a : accepted) {
    if (a.state != FindingState::xfail) continue;
    bool shows = std::ranges::any_of(
        findings, [&](const Finding& f) { return f.fingerprint == a.fingerprint; });
    if (shows) continue;
    Finding gone;
    gone.class_id = a.class_id;
    const FailureClass* row = find_failure_class(a.class_id);
    gone.title = row ? std::string(row->name) : "accepted fault";
    gone.property = "parity";
    gone.fingerprint = a.fingerprint;
    gone.state = FindingState::xpass;
    gone.state_reason =
        fmt::format("{} accepts it ({}), and it is not there any more: take the entry out", a.file,
                    reason_of(a));
    out.push_back(std::move(gone));
  }
  return out;
}

}  // namespace assay::verify
