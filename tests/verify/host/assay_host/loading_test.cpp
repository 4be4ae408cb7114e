#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/error.h"
#include "engine/base/temporary_folder.h"
#include "tests/verify/host/with_torch.h"
#include "verify/host/pytorch_host.h"

namespace assay::verify::host {
namespace {

/// What the host says about a name that it cannot load.
std::string refusal(PytorchHost& host, const std::string& name, const std::string& args = {}) {
  try {
    host.load(name, {}, 0, args);
  } catch (const base::Error& error) {
    return error.message();
  }
  return "no error";
}

TEST_F(WithTorch, a_name_that_means_no_model_says_why) {
  auto message = [&](const std::string& name) { return refusal(host(), name); };
  EXPECT_NE(message("nowhere.py:Net").find("no such file"), std::string::npos);
  EXPECT_NE(message("model_under_test.py:Nope").find("has no 'Nope'"), std::string::npos);
  EXPECT_NE(message("model_under_test.py:number").find("neither a module nor a function"),
            std::string::npos);
  EXPECT_NE(message("model_under_test.py:broken_build").find("cannot be built"), std::string::npos);
  EXPECT_NE(message("model_under_test.py:broken_build").find("in broken_build"), std::string::npos);
  EXPECT_NE(message("Net").find("file.py:name"), std::string::npos);
}

TEST_F(WithTorch, builds_with_literals_behind_the_name_or_with_json) {
  auto built = [&](const std::string& name, const std::string& args = {}) {
    Loaded loaded = host().load("model_under_test.py:" + name, "", 0, args);
    return loaded.model.parameters.at(0).shape;
  };
  using Shape = std::vector<int64_t>;
  EXPECT_EQ(built("Sized(3)"), (Shape{3, 3}));
  EXPECT_EQ(built("Sized(size=5, text='a:b(1)')"), (Shape{5, 5}));
  EXPECT_EQ(built("build_sized(6, flip=True)"), (Shape{6, 6}));
  EXPECT_EQ(built("Sized", R"({"size": 7, "text": "b"})"), (Shape{7, 7}));
  EXPECT_EQ(built("build_sized", "[8, true]"), (Shape{8, 8}));
  Loaded loaded =
      host().load("model_under_test.py:Sized(4)", "model_under_test.py:sized_example(3)");
  EXPECT_EQ(loaded.example->at(0).to_tensor().sizes(), (core::Dims{3, 4}));
}

TEST_F(WithTorch, arguments_to_build_with_that_do_not_fit_are_told_with_the_remedy) {
  const std::string start = "model_under_test.py:";
  struct {
    const char *name, *args;
    std::vector<const char*> parts;
  } rows[] = {
      {"Sized", "", {"needs arguments", "model_under_test.py:Sized(size=...)", "--build-args"}},
      {"Sized(3, 'a', 5)", "", {"too many positional", "the parameters are (size, text='a')"}},
      {"Sized(size=n)", "", {"size is no literal", "a function without parameters"}},
      {"Sized(open('x'))", "", {"argument 1 is no literal"}},
      {"Sized(3)(4)", "", {"one pair of parentheses"}},
      {"Sized(3", "", {"names no model"}},
      {"Sized(3)", "[3]", {"behind its name", "--build-args"}},
      {"Sized", "[3", {"--build-args wants a JSON object or list", "[3"}},
      {"number", "[3]", {"neither a module nor a function"}},
      {"Nope", "", {"has no 'Nope'", "it has", "Sized"}},
      {"Net(1)", "", {"too many positional arguments"}},
  };
  for (const auto& row : rows) {
    std::string message = refusal(host(), start + row.name, row.args);
    for (const char* part : row.parts)
      EXPECT_NE(message.find(part), std::string::npos) << "without " << part << ": " << message;
  }
}

TEST_F(WithTorch, a_file_of_a_package_is_imported_as_a_part_of_it) {
  Loaded loaded = host().load("package_under_test/inner/net.py:Net");
  EXPECT_EQ(loaded.model.class_name, "package_under_test.inner.net.Net");
  EXPECT_FLOAT_EQ(host().run(call({floats({2}, 3)})).outputs.to_tensor().data<float>()[0], 6);
  loaded = host().load("package_under_test.inner.net:Net");
  EXPECT_EQ(loaded.model.class_name, "package_under_test.inner.net.Net");
  loaded = host().load("package_under_test/2-dims/01-net.py:Net");
  EXPECT_EQ(loaded.model.class_name, "package_under_test._2_dims._01_net.Net");
  EXPECT_FLOAT_EQ(host().run(call({floats({2}, 3)})).outputs.to_tensor().data<float>()[0], 6);
  std::string message = refusal(host(), "no_package/net.py:Net");
  EXPECT_NE(message.find("__init__.py"), std::string::npos) << message;
  message = refusal(host(), "no_such_package.net:Net");
  EXPECT_NE(message.find("in the folder that holds no_such_package"), std::string::npos) << message;
}

TEST_F(WithTorch, a_file_whose_name_is_no_identifier_is_imported_as_one_like_it) {
  base::TemporaryFolder folder;
  const std::string text =
      "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x "
      "* 2\n";
  const std::pair<const char*, const char*> names[] = {
      {"3d-net.py", "_3d_net"}, {"my net.v2.py", "my_net_v2"}, {"class.py", "_class"}};
  for (const auto& [file, name] : names) {
    std::ofstream(folder.path() / file) << text;
    Loaded loaded = host().load((folder.path() / file).string() + ":Net");
    EXPECT_EQ(loaded.model.class_name, std::string(name) + ".Net");
  }
}

TEST_F(WithTorch, a_build_that_hangs_is_ended_by_its_own_time_limit) {
  HostOptions options{python_with_torch(), "tests/verify/host"};
  options.load_seconds = 1;
  PytorchHost impatient(options);
  std::string message = refusal(impatient, "model_under_test.py:hanging_build");
  EXPECT_NE(message.find("took longer than 1 s (--timeout-per-case"), std::string::npos) << message;
  EXPECT_EQ(impatient.load("model_under_test.py:Net").model.kind, "module");
}

}  // namespace
}  // namespace assay::verify::host
