#include "verify/cases/reproduce.h"

#include <fmt/core.h>
#include <zlib.h>

#include <array>
#include <climits>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/cases/case_json.h"
#include "verify/cases/detail/base64.h"
#include "verify/spec/strict_json.h"

namespace assay::verify {

namespace {

using Json = nlohmann::json;

constexpr std::string_view prefix = "ASSAY1:";
constexpr size_t max_unpacked = 1 << 20;
constexpr int max_nesting = 100;
std::string deflated(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                         reinterpret_cast<const Bytef*>(text.data()), text.size(), 9);
  base::invariant(result == Z_OK, "zlib cannot compress a repro string");
  out.resize(size);
  return out;
}

/// Unpacks in pieces, so that a small string cannot claim a large text.
std::string inflated(const std::string& packed) {
  z_stream stream{};
  base::invariant(inflateInit(&stream) == Z_OK, "zlib cannot start");
  struct End {
    z_stream* stream;
    ~End() { inflateEnd(stream); }
  } end{&stream};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  std::array<char, 16384> piece;
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    result = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
    base::check(out.size() <= max_unpacked, "this repro string unpacks to more than 1 MiB");
  }
  base::check(result == Z_STREAM_END && stream.avail_in == 0,
              "this repro string is damaged: its end is missing or changed; copy it whole");
  return out;
}

std::string text_at(const Json& json, const char* key) {
  if (!json.contains(key)) return {};
  base::check(json[key].is_string(), "this repro string is damaged: ", key, " is no text");
  return json[key].get<std::string>();
}

int line_at(const Json& json) {
  if (!json.contains("line")) return 0;
  base::check(json["line"].is_number_integer(), "this repro string is damaged: line is no number");
  auto line = json["line"].get<int64_t>();
  base::check(line >= 0 && line <= INT_MAX, "this repro string is damaged: line is ", line);
  return static_cast<int>(line);
}

std::vector<std::string> texts_at(const Json& json, const char* key) {
  std::vector<std::string> out;
  base::check(json[key].is_array(), "this repro string is damaged: ", key, " is no list");
  for (const Json& item : json[key]) {
    base::check(item.is_string(), "this repro string is damaged: ", key, " holds no texts");
    out.push_back(item.get<std::string>());
  }
  return out;
}

}  // namespace

std::string encode_repro(const Repro& repro) {
  Json json;
  json["v"] = 1;
  json["seed"] = repro.seed;
  json["case"] = detail::case_to_json(repro.smallest);
  if (repro.right && has_text(*repro.right)) json["right"] = detail::case_to_json(*repro.right);
  auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  put("property", repro.property);
  put("class", repro.class_id);
  put("key", repro.key);
  if (repro.line != 0) json["line"] = repro.line;
  put("model-hash", repro.model_hash);
  put("spec-hash", repro.spec_hash);
  put("model", repro.model);
  put("reference", repro.reference);
  put("spec", repro.spec);
  if (!repro.arguments.empty()) json["arguments"] = repro.arguments;
  // Bytes that are no UTF-8 (a path's) must not end the run that found something.
  return fmt::format(
      "{}{}", prefix,
      detail::base64url(deflated(json.dump(-1, ' ', false, Json::error_handler_t::replace))));
}

Repro decode_repro(std::string_view text) {
  text = base::trim(text);
  base::check(text.substr(0, prefix.size()) == prefix,
              "this is not a repro string of this version ", "of assay: those start with ", prefix);
  base::check(text.size() <= 2 * max_unpacked, "this repro string is too long");
  std::string unpacked = inflated(detail::from_base64url(text.substr(prefix.size())));
  Json json = detail::parse_strictly<Json>(unpacked, "repro string", max_nesting);
  base::check(json.is_object() && json.contains("v") && json["v"] == 1,
              "this repro string has a version that this program does not know");
  base::check(json.contains("case"), "this repro string is damaged: it has no case");
  Repro out;
  out.property = text_at(json, "property");
  out.class_id = text_at(json, "class");
  out.key = text_at(json, "key");
  out.line = line_at(json);
  out.model_hash = text_at(json, "model-hash");
  out.spec_hash = text_at(json, "spec-hash");
  out.model = text_at(json, "model");
  out.reference = text_at(json, "reference");
  out.spec = text_at(json, "spec");
  if (json.contains("arguments")) out.arguments = texts_at(json, "arguments");
  if (json.contains("seed") && json["seed"].is_number_unsigned()) {
    out.seed = json["seed"].get<uint64_t>();
  }
  out.smallest = detail::case_from_json(json["case"]);
  if (json.contains("right")) out.right = detail::case_from_json(json["right"]);
  return out;
}

std::string short_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out(16, '0');
  for (size_t i = 16; i-- > 0; hash >>= 4) out[i] = digits[hash & 15];
  return out;
}

}  // namespace assay::verify
