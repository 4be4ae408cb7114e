#include "engine/archive/source_origins.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/archive/unpickler.h"
#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::Value;

struct Origin {
  size_t offset;
  base::SourceRange range;
};

const core::Values& items_of(const Value& value) {
  return value.is_list() ? value.list().items : value.tuple().items;
}

size_t position(const Value& value) { return static_cast<size_t>(value.to_int()); }

/// Decodes one map. A record is (offset, ((text, file, first line), begin, end), tag); with a
/// string table the text is a list of indexes into it, and so is the file name.
class Decoder {
 public:
  std::vector<Origin> decode(const Value& root) {
    const core::Values& top = items_of(root);
    bool has_table =
        top.size() == 3 && top[0].is_string() && top[0].to_string() == "FORMAT_WITH_STRING_TABLE";
    if (has_table) table_ = &items_of(top[1]);
    std::vector<Origin> origins;
    for (const Value& record : has_table ? items_of(top[2]) : top) {
      const core::Values& parts = items_of(record);
      origins.push_back({position(parts.at(0)), range_of(parts.at(1))});
    }
    std::stable_sort(origins.begin(), origins.end(),
                     [](const Origin& a, const Origin& b) { return a.offset < b.offset; });
    return origins;
  }

 private:
  base::SourceRange range_of(const Value& value) {
    const core::Values& parts = items_of(value);
    base::SourceRange range;
    range.source = source_of(parts.at(0));
    if (!range.source) return {};
    range.begin = std::min(position(parts.at(1)), range.source->text.size());
    range.end = std::clamp(position(parts.at(2)), range.begin, range.source->text.size());
    return range;
  }

  const std::string& entry(const Value& index) const {
    base::check(table_ != nullptr, "a map without a table refers to one");
    return table_->at(position(index)).to_string();
  }

  std::string text_of(const Value& value) const {
    if (value.is_string()) return value.to_string();
    if (value.is_int()) return entry(value);
    std::string text;
    // Indexes repeat at will; the lines of a real file do not add up to more than this.
    constexpr size_t max_text = size_t{1} << 24;
    for (const Value& index : items_of(value)) {
      text += entry(index);
      base::check(text.size() <= max_text, "a source text is too long");
    }
    return text;
  }

  /// Ranges without a text (those of generated code) have no origin.
  std::shared_ptr<const base::Source> source_of(const Value& value) {
    auto known = sources_.find(&value.tuple());
    if (known != sources_.end()) return known->second;
    const core::Values& parts = items_of(value);
    auto source = std::make_shared<base::Source>();
    source->text = text_of(parts.at(0));
    if (!parts.at(1).is_none()) source->name = text_of(parts.at(1));
    source->first_line = static_cast<int>(parts.at(2).to_int());
    if (source->text.empty() && source->name.empty()) source = nullptr;
    sources_.emplace(&value.tuple(), source);
    return source;
  }

  const core::Values* table_ = nullptr;
  std::unordered_map<const core::TupleObject*, std::shared_ptr<const base::Source>> sources_;
};

struct Map {
  std::function<std::string()> read;
  std::once_flag once;
  std::vector<Origin> origins;

  void load() {
    try {
      Value root = unpickle(read(), {});
      origins = Decoder().decode(root);
    } catch (const base::Error&) {
      origins.clear();
    } catch (const std::out_of_range&) {
      origins.clear();
    }
    read = nullptr;
  }
};

}  // namespace

std::function<base::SourceRange(size_t)> source_origins(std::function<std::string()> read) {
  auto map = std::make_shared<Map>();
  map->read = std::move(read);
  return [map](size_t offset) -> base::SourceRange {
    std::call_once(map->once, [&] { map->load(); });
    auto after = std::upper_bound(map->origins.begin(), map->origins.end(), offset,
                                  [](size_t at, const Origin& o) { return at < o.offset; });
    return after == map->origins.begin() ? base::SourceRange() : std::prev(after)->range;
  };
}

}  // namespace assay::archive
