#include "verify/spec/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/spec/detail/notation.h"

namespace assay::verify {

using detail::Notation;

namespace {

constexpr size_t max_pieces = 1024;
constexpr int64_t max_times = 100;

/// A spec under construction and what only the whole of it can check.
struct Reading {
  Spec spec;
  std::map<std::string, base::SourceRange> letters;  // First use of each.
  std::set<std::string> flags;                       // Those given.
};

template <typename T>
std::vector<T> listed(Notation& in, const std::function<T()>& item) {
  std::vector<T> out;
  do {
    size_t begin = in.position();
    T next = item();
    if (std::find(out.begin(), out.end(), next) != out.end()) {
      in.fail_from(begin, "this is given twice");
    }
    out.push_back(std::move(next));
  } while (in.take(","));
  return out;
}

std::vector<std::string> choices(Notation& in, std::string_view allowed) {
  std::vector<std::string> known = base::split(allowed, ',');
  return listed<std::string>(in, [&] {
    size_t begin = in.position();
    std::string choice = in.word("a word");
    if (std::find(known.begin(), known.end(), choice) == known.end()) {
      in.fail_from(begin, fmt::format("'{}' is none of {}", choice, base::join(known, ", ")));
    }
    return choice;
  });
}

/// "x:" before a list that is chosen per input; "*" where no path is given.
std::string path_prefix(Notation& in, std::string_view text) {
  size_t colon = text.find(':');
  if (colon == std::string_view::npos) return "*";
  std::string path = in.path();
  in.expect(":", "after the name of an input");
  return path;
}

void read_input(Notation& in, std::string_view, Reading& out) {
  Input input;
  input.name = in.name("the name of an input");
  input.keyword = in.take("=");
  if (!input.keyword) in.expect(":", "(or '=' for a keyword) after the name of an input");
  input.tree = in.tree();
  out.spec.inputs.push_back(std::move(input));
}

void read_dim(Notation& in, std::string_view, Reading& out) {
  size_t begin = in.position();
  Dim dim;
  dim.letter = in.name("a letter");
  for (const Dim& other : out.spec.dims) {
    if (other.letter == dim.letter) in.fail_from(begin, "this letter already has a range");
  }
  in.expect("=", "after a letter");
  dim.domain = in.domain();
  out.spec.dims.push_back(std::move(dim));
}

void read_ranks(Notation& in, std::string_view, Reading& out) {
  in.take("*");
  std::string name = in.name("the name of a pack");
  in.expect("=", "after the name of a pack");
  int64_t low = in.integer("a number of sizes"), high = low;
  if (in.take("..")) high = in.integer("a number of sizes");
  out.spec.ranks[name] = {low, high};
}

void read_devices(Notation& in, std::string_view, Reading& out) {
  out.spec.devices = listed<core::Device>(in, [&] {
    size_t begin = in.position();
    std::string name = in.word("a device");
    std::optional<core::Device> device = core::parse_device(name);
    if (!device) in.fail_from(begin, fmt::format("'{}' is no device: cpu, cuda:0, fake:0", name));
    return *device;
  });
}

void read_dtypes(Notation& in, std::string_view text, Reading& out) {
  std::string path = path_prefix(in, text);
  out.spec.dtypes[path] = listed<core::DType>(in, [&] {
    size_t begin = in.position();
    std::string name = in.word("an element type");
    std::optional<core::DType> dtype = parse_dtype(name);
    if (!dtype) in.fail_from(begin, no_dtype(name));
    return *dtype;
  });
}

void read_aliases(Notation& in, std::string_view, Reading& out) {
  std::vector<std::string> group{in.path()};
  in.expect("=", "between two inputs that are the same tensor");
  do {
    group.push_back(in.path());
  } while (in.take("="));
  out.spec.aliases.push_back(std::move(group));
}

/// `1..3`; in a row `3` is the same: the first, the second and the third.
std::pair<int64_t, int64_t> times(Notation& in, int64_t least, bool in_a_row) {
  size_t begin = in.position();
  int64_t low = in.integer("a number"), high = low;
  if (in.take("..")) {
    high = in.integer("a number");
  } else if (in_a_row) {
    low = std::min(low, int64_t{1});
  }
  if (low < least || low > high || high > max_times) {
    in.fail_from(begin, fmt::format("this is not a range within {}..{}", least, max_times));
  }
  return {low, high};
}

void read_properties(Notation& in, std::string_view, Reading& out) {
  out.spec.properties = listed<std::string>(in, [&] { return in.name("the name of a property"); });
}

void read_tolerance(Notation& in, std::string_view text, std::map<std::string, double>& into) {
  std::string path = "*";
  size_t colon = text.rfind(':');
  Notation number(colon == std::string_view::npos ? text : text.substr(colon + 1), "a tolerance");
  if (colon != std::string_view::npos) path = std::string(base::trim(text.substr(0, colon)));
  double value = number.number("a number");
  number.expect_end();
  if (!(value >= 0)) in.fail("a tolerance is a number of at least 0");
  into[path] = value;
}

using Read = void (*)(Notation&, std::string_view, Reading&);
struct Row {
  const char* flag;
  const char* help;
  Read read;
  bool whole;  ///< The reader takes the text itself; nothing is left for the notation.
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {"input", "'x: f32[b, 3, h, w]': an argument, its element type and sizes", read_input, false},
      {"dim", "b=1..8, h=32..256:32, w=h..2*h, t=1,2,4: the sizes of a letter", read_dim, false},
      {"ranks", "rest=0..2: how many sizes *rest stands for", read_ranks, false},
      {"devices", "cpu,cuda:0,fake:0: where inputs live", read_devices, false},
      {"dtypes", "[x:]f32,f64: element types beside the declared one", read_dtypes, false},
      {"aliases", "x=y: both may be the same tensor", read_aliases, false},
      {"calls", "3: calls in a row, state kept; each is compared",
       [](Notation& in, std::string_view, Reading& out) { out.spec.calls = times(in, 1, true); },
       false},
      {"seeds", "0..2: seeds of the model's own generator",
       [](Notation& in, std::string_view, Reading& out) { out.spec.seeds = times(in, 0, false); },
       false},
      {"exports", "1: a check is of one export of the model; several in a row are refused",
       [](Notation& in, std::string_view, Reading& out) { out.spec.exports = times(in, 1, true); },
       false},
      {"properties", "parity,deterministic: what must hold (default: all that apply)",
       read_properties, false},
      {"atol", "[output[0]:]1e-5: absolute tolerance",
       [](Notation& in, std::string_view text, Reading& out) {
         read_tolerance(in, text, out.spec.atol);
       },
       true},
      {"rtol", "[output[0]:]1e-4: relative tolerance",
       [](Notation& in, std::string_view text, Reading& out) {
         read_tolerance(in, text, out.spec.rtol);
       },
       true},
  };
  return table;
}

void read_words(Notation& in, const CategoricalAxisInfo& axis, std::string_view text,
                Reading& out) {
  if (axis.per_input) {
    std::string path = path_prefix(in, text);
    out.spec.input_choices[axis.axis][path] = choices(in, axis.choices);
  } else {
    out.spec.choices[axis.axis] = choices(in, axis.choices);
  }
}

void read_piece(const SpecPiece& piece, Reading& out) {
  Notation in(piece.text, piece.where.empty() ? fmt::format("--{}", piece.flag) : piece.where);
  bool known = false;
  for (const Row& row : rows()) {
    if (row.flag != piece.flag) continue;
    row.read(in, piece.text, out);
    if (!row.whole) in.expect_end();
    known = true;
  }
  for (const CategoricalAxisInfo& axis : categorical_axes()) {
    if (axis.flag != piece.flag) continue;
    read_words(in, axis, piece.text, out);
    in.expect_end();
    known = true;
  }
  base::check(known, "a spec has no '", piece.flag, "'");
  out.flags.insert(piece.flag);
  for (const auto& [letter, range] : in.letters()) out.letters.emplace(letter, range);
}

template <typename Map>
void overlay(const Map& given, Map& base) {
  for (const auto& [key, value] : given) base[key] = value;
}

template <typename Item, typename Key>
void overlay(const std::vector<Item>& given, std::vector<Item>& base, Key key) {
  for (const Item& item : given) {
    auto same = std::find_if(base.begin(), base.end(),
                             [&](const Item& other) { return other.*key == item.*key; });
    if (same != base.end()) {
      *same = item;
    } else {
      base.push_back(item);
    }
  }
}

Spec merge(const Reading& reading, Spec base) {
  const Spec& given = reading.spec;
  overlay(given.inputs, base.inputs, &Input::name);
  overlay(given.dims, base.dims, &Dim::letter);
  overlay(given.ranks, base.ranks);
  if (reading.flags.count("devices")) base.devices = given.devices;
  overlay(given.choices, base.choices);
  for (const auto& [axis, by_path] : given.input_choices)
    overlay(by_path, base.input_choices[axis]);
  overlay(given.dtypes, base.dtypes);
  if (reading.flags.count("aliases")) base.aliases = given.aliases;
  if (given.calls) base.calls = given.calls;
  if (given.seeds) base.seeds = given.seeds;
  if (given.exports) base.exports = given.exports;
  if (reading.flags.count("properties")) base.properties = given.properties;
  overlay(given.atol, base.atol);
  overlay(given.rtol, base.rtol);
  return base;
}

}  // namespace

const std::vector<SpecFlag>& spec_flags() {
  static const std::vector<SpecFlag> flags = [] {
    std::vector<SpecFlag> out;
    for (const Row& row : rows()) out.push_back({row.flag, row.help});
    for (const CategoricalAxisInfo& axis : categorical_axes()) {
      out.push_back({std::string(axis.flag), fmt::format("{}{}: {}", axis.per_input ? "[x:]" : "",
                                                         axis.choices, axis.meaning)});
    }
    return out;
  }();
  return flags;
}

Spec parse_spec(const std::vector<SpecPiece>& pieces) { return parse_spec(pieces, Spec{}); }

Spec parse_spec(const std::vector<SpecPiece>& pieces, Spec base) {
  base::check(pieces.size() <= max_pieces, "a spec has at most ", max_pieces, " parts");
  Reading reading;
  for (const SpecPiece& piece : pieces) {
    std::set<std::string> names;
    for (const Input& input : reading.spec.inputs) names.insert(input.name);
    read_piece(piece, reading);
    if (piece.flag == "input") {
      const std::string& name = reading.spec.inputs.back().name;
      base::check(names.count(name) == 0, "input ", name, " is given twice");
    }
  }
  Spec spec = merge(reading, std::move(base));
  for (const auto& [letter, range] : reading.letters) {
    bool bound = std::any_of(spec.dims.begin(), spec.dims.end(),
                             [&, name = letter](const Dim& dim) { return dim.letter == name; });
    if (!bound) {
      base::fail_at(range, "letter '", letter, "' has no range: add --dim ", letter, "=LOW..HIGH");
    }
  }
  validate(spec);
  return spec;
}

}  // namespace assay::verify
