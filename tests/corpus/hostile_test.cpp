// The corpus' programs with numbers in them changed, called with what their models were called
// with, and looked at without being called: whatever value or error they give is right, but none
// may crash, take long or raise an internal error. Under the sanitizers, none may cause a report.
//
// ASSAY_PROPERTY_SECONDS=N goes on for that long (by default 8 under sanitizers, else 3, in which
// more programs run), ASSAY_SEED=N begins at a seed (a new one in each run by default). The last
// program stays in a file that is named at the start, for the case that it ends the process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>

#include "engine/api/load.h"
#include "engine/archive/zip_reader.h"
#include "engine/archive/zip_writer.h"
#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/base/heap.h"
#include "engine/core/memory_budget.h"
#include "tests/settings.h"
#include "verify/cases/materialize.h"
#include "verify/lint/lint.h"
#include "verify/run/recording.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

constexpr size_t memory_limit = size_t{1} << 28;
constexpr std::chrono::milliseconds allowed_time{250};
#ifdef ASSAY_SANITIZED
constexpr uint64_t usual_seconds = 8;
#else
constexpr uint64_t usual_seconds = 3;
#endif
constexpr double longest_run = 4;  ///< Seconds of the processor: some loops ask for the time late.

template <typename T>
const T& one_of(Random& random, const std::vector<T>& all) {
  return all[random() % all.size()];
}

/// An export, and the file of the calls that its model was recorded with.
struct Program {
  std::string archive;
  std::string recording;
};

std::vector<Program> programs() {
  std::vector<Program> found;
  for (const auto& entry : fs::recursive_directory_iterator("corpus")) {
    fs::path calls = entry.path().parent_path() / "calls.rec";
    if (entry.path().extension() != ".pt" || !fs::exists(calls)) continue;
    found.push_back({entry.path().string(), calls.string()});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.archive < b.archive; });
  return found;
}

/// The calls of a recording, read when it is first asked for.
const std::vector<verify::RecordedCall>& calls_of(const Program& program) {
  static std::map<std::string, std::vector<verify::RecordedCall>> all;
  auto [at, is_new] = all.try_emplace(program.recording);
  if (is_new) at->second = verify::read_recording(program.recording).calls;
  return at->second;
}

/// Where numbers stand in a text: not inside of names.
std::vector<std::pair<size_t, size_t>> numbers_in(const std::string& text) {
  auto is = [&](size_t i, auto kind) {
    return i < text.size() && kind(static_cast<unsigned char>(text[i]));
  };
  auto part_of_name = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
  auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t i = std::min(text.find("def "), text.size()); i < text.size(); ++i) {
    if (!is(i, digit) || (i > 0 && is(i - 1, part_of_name))) continue;
    size_t end = i;
    while (is(end, part_of_name)) ++end;
    found.emplace_back(i, end - i);
    i = end;
  }
  return found;
}

std::string mutated(std::string text, Random& random) {
  static const std::vector<std::string> extremes{"-1",
                                                 "0",
                                                 "1",
                                                 "2",
                                                 "3",
                                                 "-2",
                                                 "65",
                                                 "1000",
                                                 "2147483647",
                                                 "4294967296",
                                                 "1000000000",
                                                 "4611686018427387904",
                                                 "9223372036854775807",
                                                 "-9223372036854775807",
                                                 "1e308",
                                                 "-1.0",
                                                 "None"};
  for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
    auto numbers = numbers_in(text);
    if (numbers.empty()) break;
    auto [at, length] = one_of(random, numbers);
    text.replace(at, length, one_of(random, extremes));
  }
  return text;
}

/// The archive with changed numbers in its code.
std::string mutated_archive(const std::string& path, Random& random) {
  archive::ZipReader reader(archive::FileBytes::map(path));
  std::string root = reader.records()[0].name;
  root.resize(root.find('/'));
  archive::ZipWriter writer(root);
  for (const archive::ZipRecord& record : reader.records()) {
    std::string contents = reader.read(record);
    if (record.name.ends_with(".py")) contents = mutated(std::move(contents), random);
    writer.add(record.name.substr(root.size() + 1), contents);
  }
  return writer.finish();
}

/// Runs the program under limits; the message of an internal error, else nothing.
std::string harm_of(const std::string& bytes, const verify::RecordedCall& call) {
  core::MemoryScope memory(base::make_ref<core::MemoryBudget>(memory_limit));
  base::HeapLimit heap(memory_limit);
  base::DeadlineScope deadline(allowed_time);
  try {
    api::Engine engine;
    api::Module module = api::load_bytes(engine, bytes);
    verify::lint::lint(module, module.methods());
    module.train(call.mode == "train");
    verify::Call own = verify::deep_copy({call.args, call.kwargs});
    if (module.has_method(call.method)) module.call(call.method, own.args, own.kwargs);
  } catch (const base::Error& e) {
    if (e.kind() == base::ErrorKind::internal) return e.describe();
  } catch (const std::bad_alloc&) {
    // Refused by the limit.
  }
  return "";
}

TEST(HostilePrograms, GiveAValueOrAnErrorOfTheirs) {
  uint64_t seed = number_from("ASSAY_SEED", std::random_device()());
  std::chrono::seconds time(number_from("ASSAY_PROPERTY_SECONDS", usual_seconds));
  fs::path last = fs::path(testing::TempDir()) / ("hostile_" + std::to_string(seed) + ".pt");
  std::cout << "seed " << seed << "; the program that runs is in " << last << std::endl;
  std::vector<Program> all = programs();
  ASSERT_FALSE(all.empty());
  auto end = std::chrono::steady_clock::now() + time;
  uint64_t runs = 0, failures = 0;
  for (; std::chrono::steady_clock::now() < end && failures < 10; ++runs) {
    Random random(seed + runs);
    const Program& program = one_of(random, all);
    const verify::RecordedCall& call = one_of(random, calls_of(program));
    std::string bytes = mutated_archive(program.archive, random);
    std::ofstream(last, std::ios::binary) << bytes;
    std::clock_t start = std::clock();
    std::string harm = harm_of(bytes, call);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (harm.empty() && seconds < longest_run) continue;
    ++failures;
    ADD_FAILURE() << harm << "\n"
                  << seconds << " s; to repeat: ASSAY_SEED=" << seed + runs
                  << " ASSAY_PROPERTY_SECONDS=1, of " << program.archive;
  }
  fs::remove(last);
  std::cout << runs << " programs" << std::endl;
}

}  // namespace
}  // namespace assay
