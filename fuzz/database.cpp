#include "fuzz/database.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "fuzz/adapt.h"
#include "verify/cases/case_json.h"
#include "verify/cases/reproduce.h"
#include "verify/spec/strict_json.h"

namespace assay::fuzz {

using Verdict = verify::Judgement::Verdict;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr size_t max_file = 1 << 20;
constexpr size_t max_files = 4096;
constexpr int max_nesting = 100;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".json" && out.size() < max_files) out.push_back(it->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// A model's name in two parts: its file, if it is one, and what follows, ":Net(8)".
struct ModelName {
  fs::path file;
  std::string rest;

  std::string text() const { return file.string() + rest; }
  bool is_file() const { return !file.empty(); }
  /// The same file name and class, in whichever folder.
  bool is_named_like(const ModelName& other) const {
    return is_file() && file.filename() == other.file.filename() && rest == other.rest;
  }
};

ModelName parts_of(const std::string& model) {
  constexpr std::string_view python = ".py:";
  size_t end = model.find(python);
  if (end != std::string::npos) {
    end += python.size() - 1;
    return {model.substr(0, end), model.substr(end)};
  }
  bool is_module = model.find(':') != std::string::npos;  // package.module:Net
  return is_module ? ModelName{{}, model} : ModelName{model, {}};
}

/// The folder that files of models are named from: the one that the database lies in.
fs::path home_of(const std::string& folder) {
  fs::path whole = fs::weakly_canonical(fs::absolute(folder));
  return (whole.has_filename() ? whole : whole.parent_path()).parent_path();
}

/// The name of a model that was named from the folder `from`. A link keeps its own name, since what
/// it leads to changes with each export.
ModelName name_of(const std::string& model, const fs::path& from, const fs::path& home) {
  ModelName name = parts_of(model);
  if (!name.is_file()) return name;
  fs::path whole = fs::absolute(from / name.file).lexically_normal();
  whole = fs::weakly_canonical(whole.parent_path()) / whole.filename();
  name.file = whole.lexically_relative(home);
  return name;
}

/// 2: the model is named from the folder that the database lies in. Without a number: as it was on
/// some command line.
constexpr int format = 2;

Remembered read(const fs::path& path, const fs::path& home) {
  std::error_code error;
  auto size = fs::file_size(path, error);
  base::check(!error && size <= max_file, "it cannot be read or has more than 1 MiB");
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  Json json = verify::detail::parse_strictly<Json>(text.str(), path.string(), max_nesting);
  auto text_at = [&](const char* key) {
    base::check(json.is_object() && json.contains(key) && json[key].is_string(), "it has no text '",
                key, "'");
    return json[key].get<std::string>();
  };
  Remembered out{text_at("model"), text_at("property"), text_at("key"), {}, path.string()};
  bool old = !json.contains("format");
  base::check(old || json["format"] == format, "it is of another version of assay");
  if (old) out.model = name_of(out.model, fs::current_path(), home).text();
  base::check(json.contains("case"), "it holds no case");
  out.smallest = verify::detail::case_from_json(json["case"]);
  return out;
}

}  // namespace

std::string Database::file_of(const Remembered& f) const {
  std::string model = name_of(f.model, fs::current_path(), home_of(folder_)).text();
  std::string name = verify::short_hash(model + '\n' + f.key) + ".json";
  return (fs::path(folder_) / "examples" / f.property / name).string();
}

std::vector<Remembered> Database::load(const std::string& model, const Complain& complain) const {
  fs::path home = home_of(folder_);
  ModelName name = name_of(model, fs::current_path(), home);
  std::vector<Remembered> out, moved;
  std::set<std::pair<std::string, std::string>> own;
  for (const fs::path& path : files_below(fs::path(folder_) / "examples")) {
    try {
      Remembered one = read(path, home);
      ModelName its = parts_of(one.model);
      bool here = its.text() == name.text();
      bool gone = !here && its.is_named_like(name) && !fs::exists(home / its.file);
      one.model = model;
      if (here) own.emplace(one.property, one.key);
      if (here || gone) (here ? out : moved).push_back(std::move(one));
    } catch (const base::Error& error) {
      complain(fmt::format("{} is passed over: {}", path.string(), error.message()));
    }
  }
  for (Remembered& one : moved) {
    if (own.count({one.property, one.key})) continue;
    one.unchanged = false;
    out.push_back(std::move(one));
  }
  return out;
}

void Database::save(const Remembered& failure) const {
  if (!has_text(failure.smallest)) return;
  fs::path path = file_of(failure);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  fs::path ignore = fs::path(folder_) / ".gitignore";
  if (!fs::exists(ignore, error)) std::ofstream(ignore) << "*\n";
  std::string model = name_of(failure.model, fs::current_path(), home_of(folder_)).text();
  Json json{{"format", format},
            {"model", model},
            {"property", failure.property},
            {"key", failure.key},
            {"case", verify::detail::case_to_json(failure.smallest)}};
  fs::path fresh = path;
  fresh += fmt::format(".{}.new", ::getpid());  // Another run may write the same case.
  {
    std::ofstream file(fresh, std::ios::binary);
    file << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    base::check(file.good(), "cannot write ", fresh.string());
  }
  fs::rename(fresh, path, error);
  base::check(!error, "cannot write ", path.string(), ": ", error.message());
}

void Database::forget(const Remembered& failure) const {
  std::error_code ignored;
  fs::remove(failure.file.empty() ? file_of(failure) : failure.file, ignored);
}

std::vector<Remembered> fit_to(const verify::Spec& spec, std::vector<Remembered> all,
                               const Database::Complain& complain) {
  std::vector<Remembered> out;
  std::vector<std::string> kept;
  for (Remembered& one : all) {
    Adapted now = adapt(spec, one.smallest);
    if (!now.fitting) {
      kept.push_back(fmt::format("{} ({})", verify::describe(one.smallest), now.why));
      continue;
    }
    one.smallest = std::move(*now.fitting);
    one.unchanged = one.unchanged && now.whole;
    out.push_back(std::move(one));
  }
  if (kept.empty()) return out;
  constexpr size_t most = 3;
  size_t more = kept.size() - std::min(kept.size(), most);
  kept.resize(kept.size() - more);
  complain(fmt::format(
      "{} remembered failing cases do not fit the inputs as they are declared now; they are kept "
      "and not run: {}{}",
      kept.size() + more, base::join(kept, "; "),
      more > 0 ? fmt::format("; and {} more", more) : ""));
  return out;
}

void DatabaseListener::keep(const verify::Property& property, const verify::Case& c,
                            const std::string& key) {
  if (broken_) return;
  try {
    Remembered failure{model_, std::string(property.id()), key, c};
    database_.save(failure);
    // One file for each: what an older version wrote, or what was found where the model lay before,
    // is told by the new one.
    for (const Remembered& one : remembered_) {
      bool same = one.property == failure.property && one.key == key;
      if (same && one.file != database_.file_of(failure)) database_.forget(one);
    }
  } catch (const base::Error& error) {
    broken_ = true;
    complain_(fmt::format("failing cases are not remembered: {}", error.message()));
  }
}

bool DatabaseListener::hears_of(const verify::Case& c) const {
  return std::ranges::any_of(remembered_, [&](const Remembered& one) { return one.smallest == c; });
}

void DatabaseListener::case_judged(const verify::Property& property, const verify::Case& c,
                                   const verify::Judgement& judgement) {
  bool decided = judgement.verdict == Verdict::holds || judgement.verdict == Verdict::violated ||
                 judgement.verdict == Verdict::discarded;
  if (!decided) return;
  for (const Remembered& one : remembered_) {
    if (one.property != property.id() || !one.unchanged || !(one.smallest == c)) continue;
    bool fails_alike = judgement.verdict == Verdict::violated && key_(c, judgement) == one.key;
    if (!fails_alike) database_.forget(one);
  }
}

void DatabaseListener::failure_found(const verify::Property& property, const verify::Case& c,
                                     const verify::Judgement&, const std::string& key) {
  keep(property, c, key);
}

void DatabaseListener::failure_shrunk(const verify::Property& property, const verify::Case& c,
                                      const std::string& key) {
  keep(property, c, key);
}

}  // namespace assay::fuzz
