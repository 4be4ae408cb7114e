#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Checked reading of JSON that comes from outside. Everything raises an input error that names the
/// field.
namespace assay::verify::host::detail {

/// Parses a whole text; deeper nesting than 256 is refused before anything is built.
nlohmann::json parse_json(std::string_view text, std::string_view what);

const nlohmann::json& field(const nlohmann::json& object, std::string_view name);
/// Null where absent.
const nlohmann::json* optional_field(const nlohmann::json& object, std::string_view name);
std::string text_field(const nlohmann::json& object, std::string_view name);
std::string text_field(const nlohmann::json& object, std::string_view name,
                       std::string_view otherwise);
const nlohmann::json& list_field(const nlohmann::json& object, std::string_view name);

std::string as_text(const nlohmann::json& value, std::string_view what);
int64_t as_int(const nlohmann::json& value, std::string_view what);
/// At least 0.
int64_t as_size(const nlohmann::json& value, std::string_view what);
uint64_t as_unsigned(const nlohmann::json& value, std::string_view what);
bool as_bool(const nlohmann::json& value, std::string_view what);
/// A number, or "nan", "inf", "-inf".
double as_float(const nlohmann::json& value, std::string_view what);
/// A number, or one of the texts that stand for the non-finite.
nlohmann::json from_float(double value);

}  // namespace assay::verify::host::detail
