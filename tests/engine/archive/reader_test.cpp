#include "engine/archive/reader.h"

#include <gtest/gtest.h>

#include <ctime>

#include "engine/core/backends.h"
#include "engine/ir/printer.h"
#include "tests/engine/archive/small_archive_test.h"

namespace assay::archive {
namespace {

const std::string identity =
    "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return x\n";

bool refused(const Members& members, const std::string& part) {
  std::string message = reading_error(members);
  EXPECT_NE(message.find(part), std::string::npos) << message;
  return message.find(part) != std::string::npos;
}

Members without(const std::string& name) {
  Members members = net_members(identity);
  std::erase_if(members, [&](const auto& member) { return member.first == name; });
  return members;
}

TEST(Reader, ReadsTheModuleAndItsPlaces) {
  Opened opened(zip_of(net_members(identity, {{"extra/notes/a.txt", "hello"}})));
  EXPECT_EQ(opened.reader->version(), 3);
  EXPECT_EQ(opened.reader->root(), "m/");
  EXPECT_EQ(opened.module->type->name(), "__torch__.Net");
  EXPECT_FALSE(opened.module->attribute("training").to_bool());
  EXPECT_EQ(opened.reader->extra_files(), std::vector<std::string>{"notes/a.txt"});
  EXPECT_EQ(opened.reader->extra_file("notes/a.txt"), "hello");
  EXPECT_EQ(opened.reader->source_files(), std::vector<std::string>{"__torch__.py"});
  EXPECT_EQ(opened.reader->source("__torch__.py")->name, "code/__torch__.py");
  EXPECT_EQ(opened.reader->source("nothing.py"), nullptr);
  EXPECT_THROW(opened.reader->extra_file("../version"), base::Error);
}

TEST(Reader, WhatIsMissingIsNamed) {
  refused(without("data.pkl"), "it has no data.pkl");
  refused(without("constants.pkl"), "it has no constants.pkl");
  refused(without("version"), "it has no version");
  refused(without("code/__torch__.py"), "does not define __torch__.Net");
  refused({{"model.json", "{}"}}, "PyTorch 1.0 and 1.1");
}

TEST(Reader, VersionsOutsideOneToTenAreRefused) {
  auto version = [](const std::string& text) { return net_members(identity, {{"version", text}}); };
  for (std::string good : {"1", "3\n", " 10 \n"})
    EXPECT_EQ(reading_error(version(good)), "") << good;
  refused(version("0\n"), "which PyTorch never wrote");
  refused(version("-3\n"), "which PyTorch never wrote");
  refused(version("11\n"), "up to 10 are known");
  refused(version(""), "version is no number");
  refused(version("3.5"), "version is no number");
  refused(version("99999999999999999999"), "version is no number");
}

TEST(Reader, ByteOrdersAreReadOrRefused) {
  EXPECT_EQ(reading_error(net_members(identity, {{"byteorder", "little"}})), "");
  EXPECT_EQ(reading_error(net_members(identity, {{"byteorder", "big"}})), "");
  refused(net_members(identity, {{"byteorder", "middle"}}), "unknown byte order");
}

TEST(Reader, StateMustFitTheClass) {
  auto data = [](const std::string& pickle) {
    return net_members(identity, {{"data.pkl", pickle}});
  };
  std::string start = std::string("\x80\x02") + "c__torch__\nNet\n)\x81";
  refused(data(start + "}b."), "no value for attribute training");
  refused(data(start + "Nb."), "is no dict");
  refused(data(start + "."), "never gets its state");
  std::string word = start + "}(X\x08" + std::string(3, '\0') + "trainingK\x01ub.";
  refused(data(word), "expected a value of type bool, got int");
  refused(data("\x80\x02K\x01."), "holds no module");
  refused(data("\x80\x02"
               "c__torch__\nOther\n)\x81}b."),
          "does not define __torch__.Other");
}

TEST(Reader, TensorsOfMissingDevicesNeedAMap) {
  core::register_fake_devices(true);
  std::string tensor = std::string("\x80\x02") + "ctorch._utils\n_rebuild_tensor_v2\n((X\x07" +
                       std::string(3, '\0') + "storagectorch\nFloatStorage\nX\x01" +
                       std::string(3, '\0') + "0X\x06" + std::string(3, '\0') + "cuda:3K\x01tQK" +
                       std::string(1, '\0') + "(K\x01t(K\x01t\x89}tR\x85.";
  std::string bytes = zip_of(
      net_members(identity + "  def get(self: __torch__.Net) -> Tensor:\n    return CONSTANTS.c0\n",
                  {{"constants.pkl", tensor}, {"constants/0", std::string(4, '\0')}}));
  auto device = [&](const ReadOptions& options) {
    Opened opened(bytes, options);
    return opened.graph("get").find_all("prim::Constant")[0];
  };
  EXPECT_NE(device({}), nullptr);
  EXPECT_THROW(device({.map_location = {}, .has_cuda = false}), base::Error);
  EXPECT_NE(device({.map_location = core::Device{}, .has_cuda = false}), nullptr);
}

/// A text for each of 0 to n - 1, with this between them.
template <typename Part>
std::string parts(int n, const char* between, Part part) {
  std::string out;
  for (int i = 0; i < n; ++i) out.append(i ? between : "").append(part(std::to_string(i)));
  return out;
}

/// How long it takes to read the archive of such a method and to print its graph.
double seconds_for(const std::string& body) {
  std::clock_t start = std::clock();
  Opened opened(zip_of(net_members(body)));
  EXPECT_FALSE(ir::print(opened.graph()).empty());
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

const std::string forward = "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    ";

// Each of these takes a second or so; with work that grows with the square of the size, half a
// minute. Instrumented code is asked whether it does harm; how long it takes, the fast build says.
constexpr double bearable = 20;
#ifdef ASSAY_SANITIZED
constexpr int many = 8000;
#else
constexpr int many = 100000;
#endif

TEST(LargeMethods, WithManyNamedArguments) {
  std::string parameters = parts(many, ",\n", [](auto i) { return "    x" + i + ": Tensor"; });
  std::string given = parts(many, ", ", [](auto i) { return "x" + i + "=x"; });
  EXPECT_LT(seconds_for(forward + "return (self).g(" + given + ")\n  def g(self: __torch__.Net,\n" +
                        parameters + ") -> Tensor:\n    return x0\n"),
            bearable);
}

TEST(LargeMethods, WithManyCallsInOneLine) {
  std::string items = parts(many / 2, ", ", [](auto) { return "torch.neg(x)"; });
  EXPECT_LT(seconds_for(forward + "return torch.cat([" + items + "])\n"), bearable);
}

TEST(LargeMethods, WithManyLines) {
  std::string lines = parts(many, "", [](auto) { return "x = torch.neg(x)\n    "; });
  EXPECT_LT(seconds_for(forward + lines + "return x\n"), bearable);
}

TEST(LargeClasses, WithManyAttributesAndMethods) {
  std::string attributes =
      parts(many, "", [](auto i) { return "  a" + i + " : Optional[Tensor]\n"; });
  std::string methods = parts(many, "", [](auto i) {
    return "  def g" + i + "(self: __torch__.Net) -> int:\n    return 1\n";
  });
  std::clock_t start = std::clock();
  refused(net_members(attributes + methods), "no value for attribute a0");
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, bearable);
}

TEST(LargeMethods, WithManyConstants) {
  std::string numbers = parts(many, ", ", [](auto i) { return i; });
  EXPECT_LT(seconds_for(forward + "return torch.add(x, torch.len([" + numbers + "]))\n"), bearable);
  std::string texts = parts(many / 2, ", ", [](auto i) { return '"' + i + "\": " + i + "."; });
  EXPECT_LT(seconds_for(forward + "return torch.add(x, torch.len({" + texts + "}))\n"), bearable);
}

}  // namespace
}  // namespace assay::archive
