#include "engine/api/save.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/api/load.h"
#include "engine/archive/pickler.h"
#include "engine/archive/zip_writer.h"
#include "engine/core/elements.h"
#include "engine/core/print.h"
#include "engine/ops/native_class.h"
#include "tests/engine/api/archive_test.h"
#include "tests/engine/api/random_program.h"

namespace assay::api {
namespace {

TEST(Save, pytorch_loads_what_assay_wrote) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  for (const char* name : {"attributes", "flow", "state", "traced"}) {
    Module module = load(engine, (*archives() / (std::string(name) + ".pt")).string());
    save(module, (*archives() / (std::string(name) + ".assay.pt")).string());
  }
  EXPECT_TRUE(run_python("check " + archives()->string()));
}

TEST(Save, keeps_shared_storages_extra_files_and_source_lines) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  Module module = load(engine, (*archives() / "attributes.pt").string());
  Module again = load_bytes(engine, save_bytes(module, "copy", {{"notes.txt", "hello"}}));
  EXPECT_EQ(again.importer()->extra_files(), std::vector<std::string>{"notes.txt"});
  EXPECT_EQ(again.importer()->extra_file("notes.txt"), "hello");
  EXPECT_EQ(again.buffers()[0].second.to_tensor().storage(),
            again.buffers()[1].second.to_tensor().storage());
  EXPECT_EQ(again.code("forward"), module.code("forward"));
  again.graph("forward").for_each([&](ir::Node* node) {
    if (!node->is("aten::sum")) return;
    EXPECT_NE(node->range().original().picture().find("self.part.sum()"), std::string::npos);
  });
}

TEST(Save, writing_the_same_module_twice_gives_the_same_bytes) {
  if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
  Engine engine;
  Module module = load(engine, (*archives() / "flow.pt").string());
  EXPECT_EQ(save_bytes(module), save_bytes(module));
}

/// The input of the random programs: 0, 1/4, ... in two rows; and their result as doubles.
std::vector<double> result_of(Module& module) {
  core::Tensor x = core::Tensor::empty(core::Dims{2, 3}, core::DType::float32);
  for (int i = 0; i < 6; ++i) x.data<float>()[i] = static_cast<float>(i) / 4;
  std::vector<double> out;
  for (const core::Scalar& item : core::elements(module.forward({x}).to_tensor())) {
    out.push_back(item.to_double());
  }
  return out;
}

RC_GTEST_PROP(Save, archive_round_trip, (uint64_t seed)) {
  Engine engine;
  Module first = load_bytes(engine, RandomProgram(seed).archive());
  std::string bytes = save_bytes(first);
  Module second = load_bytes(engine, bytes);
  auto same = [](const Module::Named& a, const Module::Named& b) {
    RC_ASSERT(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      RC_ASSERT(a[i].first == b[i].first);
      RC_ASSERT(a[i].second.type()->annotation() == b[i].second.type()->annotation());
      RC_ASSERT(core::display(a[i].second) == core::display(b[i].second));
    }
  };
  same(first.parameters(), second.parameters());
  same(first.attributes(), second.attributes());
  RC_ASSERT(result_of(second) == result_of(first));
  // The text of the code may change when it is read and written again, as it does in PyTorch; what
  // it does may not, however often that is done.
  Module third = load_bytes(engine, save_bytes(second));
  RC_ASSERT(result_of(third) == result_of(first));
}

TEST(Save, pytorch_runs_random_programs_with_equal_results) {
  if (!has_torch()) GTEST_SKIP() << "no Python with PyTorch";
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("assay_random_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  Engine engine;
  constexpr uint64_t programs = 60;
  for (uint64_t seed = 0; seed < programs; ++seed) {
    std::string bytes = RandomProgram(seed).archive();
    Module module = load_bytes(engine, bytes);
    std::string stem = folder / std::to_string(seed);
    std::ofstream(stem + ".original.pt", std::ios::binary) << bytes;
    save(module, stem + ".assay.pt");
    std::ofstream(stem + ".code") << module.code("forward");
    std::ofstream expected(stem + ".txt");
    expected.precision(17);
    for (double item : result_of(module)) expected << item << "\n";
  }
  ASSERT_TRUE(run_python("random " + folder.string())) << "the archives stay in " << folder;
  std::filesystem::remove_all(folder);
}

// A class implemented in C++ in a program: loaded with its state, called, made anew, saved.

using core::Value;

/// Adds up what it is given.
struct Total final : base::RefCounted {
  double sum = 0;
};

Total& total_of(const Value& object) {
  auto& native = object.object().native;
  if (!native) native = base::make_ref<Total>();
  return static_cast<Total&>(*native);
}

Value start(ops::Context&, std::span<const Value> args) {
  total_of(args[0]).sum = args[1].to_float();
  return {};
}

Value add(ops::Context&, std::span<const Value> args) {
  return total_of(args[0]).sum += args[1].to_float() * static_cast<double>(args[2].to_int());
}

Value state(ops::Context&, std::span<const Value> args) { return total_of(args[0]).sum; }

constexpr ops::NativeMethod methods[] = {{"__init__(float start=0.) -> ()", start},
                                         {"add(float number, int times=1) -> float", add},
                                         {"__getstate__() -> float", state},
                                         {"__setstate__(float state) -> ()", start}};
constexpr ops::NativeClass total_class{"__torch__.torch.classes.api_test.Total", methods};

constexpr const char* source = R"(class Net(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  total : __torch__.torch.classes.api_test.Total
  def forward(self: __torch__.Net,
    x: float) -> Tuple[float, float]:
    seen = (self.total).add(x, 2)
    fresh = __torch__.torch.classes.api_test.Total.__new__(__torch__.torch.classes.api_test.Total)
    _0 = (fresh).__init__(100., )
    return (seen, (fresh).add(x, ))
)";

std::string archive_of(const std::string& code, std::string_view class_name, double sum) {
  auto total_type = std::make_shared<core::ClassType>(std::string(class_name));
  auto type = std::make_shared<core::ClassType>("__torch__.Net", true);
  type->add_attribute("training", core::bool_type());
  type->add_attribute("total", total_type);
  auto net = base::make_ref<core::Object>(type);
  net->slots = {false, base::make_ref<core::Object>(total_type)};
  archive::PickleSink sink;
  sink.get_state = [&](const core::ObjectRef& object) -> std::optional<Value> {
    if (object->type != total_type) return std::nullopt;
    return Value(sum);
  };
  archive::ZipWriter zip("native");
  zip.add("data.pkl", archive::pickle(Value(net), sink));
  zip.add("code/__torch__.py", code);
  zip.add("constants.pkl", archive::pickle(Value(core::make_tuple({})), {}));
  zip.add("version", "3\n");
  return zip.finish();
}

std::pair<double, double> run(Module& module, double x) {
  const core::Values results = module.forward({Value(x)}).tuple().items;
  return {results[0].to_float(), results[1].to_float()};
}

TEST(NativeClasses, KeepTheirStateInArchivesAndBetweenCalls) {
  ops::register_native_class(total_class);
  Engine engine;
  Module module = load_bytes(engine, archive_of(source, total_class.name, 7));
  EXPECT_EQ(run(module, 1.5), std::make_pair(10.0, 101.5));
  EXPECT_EQ(run(module, 0.5), std::make_pair(11.0, 100.5));
  Module again = load_bytes(engine, save_bytes(module));
  EXPECT_EQ(run(again, 2), std::make_pair(15.0, 102.0));
  EXPECT_EQ(run(module, 1), std::make_pair(13.0, 101.0));
}

TEST(NativeClasses, OnesThatAreNotThereAreRefusedWhenAnObjectOfThemComes) {
  Engine engine;
  std::string name = "__torch__.torch.classes.api_test.Missing", code = source;
  for (size_t at; (at = code.find(total_class.name)) != std::string::npos;) {
    code.replace(at, total_class.name.size(), name);
  }
  try {
    load_bytes(engine, archive_of(code, name, 7));
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::unsupported);
    EXPECT_NE(e.message().find("torch.classes.api_test.Missing"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace assay::api
