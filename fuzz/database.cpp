#include "fuzz/database.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/detail/case_json.h"
#include "verify/detail/strict_json.h"
#include "verify/reproduce.h"

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
  bool right = json.is_object() && json.contains("case") && json.contains("key") &&
               json["key"].is_string() && json.contains("property") && json["property"].is_string();
  base::check(right, "it holds no case");
  return {json["property"].get<std::string>(), json["key"].get<std::string>(),
          verify::detail::case_from_json(json["case"])};
}

}  // namespace

std::string Database::file_of(const std::string& property, const std::string& key) const {
  return (fs::path(folder_) / "examples" / property / (verify::short_hash(key) + ".json")).string();
}

std::vector<Remembered> Database::load(
    const std::function<void(const std::string&)>& complain) const {
  std::vector<Remembered> out;
  for (const fs::path& path : files_below(fs::path(folder_) / "examples")) {
    try {
      out.push_back(read(path));
    } catch (const base::Error& error) {
      complain(base::cat(path.string(), " is passed over: ", error.message()));
    }
  }
  return out;
}

void Database::save(const Remembered& failure) const {
  if (!has_text(failure.smallest)) return;
  fs::path path = file_of(failure.property, failure.key);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  Json json{{"property", failure.property},
            {"key", failure.key},
            {"case", verify::detail::case_to_json(failure.smallest)}};
  fs::path fresh = path;
  fresh += ".new";
  {
    std::ofstream file(fresh, std::ios::binary);
    file << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    base::check(file.good(), "cannot write ", fresh.string());
  }
  fs::rename(fresh, path, error);
  base::check(!error, "cannot write ", path.string(), ": ", error.message());
}

void Database::forget(const std::string& property, const std::string& key) const {
  std::error_code ignored;
  fs::remove(file_of(property, key), ignored);
}

void Keeper::failure_found(const verify::Property& property, const verify::Case& c,
                           const verify::Judgement&, const std::string& key) {
  database_.save({std::string(property.id()), key, c});
}

void Keeper::failure_shrunk(const verify::Property& property, const verify::Case& c,
                            const std::string& key) {
  database_.save({std::string(property.id()), key, c});
}

}  // namespace assay::fuzz
