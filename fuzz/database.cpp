#include "fuzz/database.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/cases/case_json.h"
#include "verify/cases/reproduce.h"
#include "verify/spec/strict_json.h"

namespace assay::fuzz {

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

Remembered read(const fs::path& path) {
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
  Remembered out{text_at("model"), text_at("property"), text_at("key"), {}};
  base::check(json.contains("case"), "it holds no case");
  out.smallest = verify::detail::case_from_json(json["case"]);
  return out;
}

}  // namespace

std::string Database::file_of(const Remembered& f) const {
  std::string name = verify::short_hash(f.model + '\n' + f.key) + ".json";
  return (fs::path(folder_) / "examples" / f.property / name).string();
}

std::vector<Remembered> Database::load(const std::string& model, const Complain& complain) const {
  std::vector<Remembered> out;
  for (const fs::path& path : files_below(fs::path(folder_) / "examples")) {
    try {
      Remembered one = read(path);
      if (one.model == model) out.push_back(std::move(one));
    } catch (const base::Error& error) {
      complain(fmt::format("{} is passed over: {}", path.string(), error.message()));
    }
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
  Json json{{"model", failure.model},
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
  fs::remove(file_of(failure), ignored);
}

void DatabaseListener::keep(const verify::Property& property, const verify::Case& c,
                            const std::string& key) {
  if (broken_) return;
  try {
    database_.save({model_, std::string(property.id()), key, c});
  } catch (const base::Error& error) {
    broken_ = true;
    complain_(fmt::format("failing cases are not remembered: {}", error.message()));
  }
}

void DatabaseListener::case_judged(const verify::Property& property, const verify::Case& c,
                                   const verify::Judgement& judgement) {
  using Verdict = verify::Judgement::Verdict;
  bool decided = judgement.verdict == Verdict::holds || judgement.verdict == Verdict::violated ||
                 judgement.verdict == Verdict::discarded;
  if (!decided) return;
  for (const Remembered& one : remembered_) {
    if (one.property != property.id() || !(one.smallest == c)) continue;
    bool fails_alike =
        judgement.verdict == Verdict::violated && failure_key(c, judgement) == one.key;
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
