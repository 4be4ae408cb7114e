#include "engine/archive/importer.h"

#include <gtest/gtest.h>

#include "tests/engine/archive/small_archive_test.h"

namespace assay::archive {
namespace {

std::unique_ptr<Importer> open_bytes(const std::string& bytes) {
  return open_importer(FileBytes::copy(bytes));
}

base::Error refusal(const std::string& bytes) {
  try {
    open_bytes(bytes);
  } catch (const base::Error& e) {
    return e;
  }
  return base::Error(base::ErrorKind::internal, "it was opened");
}

void expect_refusal(const std::string& bytes, base::ErrorKind kind, const std::string& part) {
  base::Error error = refusal(bytes);
  EXPECT_EQ(error.kind(), kind) << error.message();
  EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
}

TEST(Importer, OpensTorchScriptArchives) {
  std::string body =
      "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return torch.neg(x)\n";
  auto importer = open_bytes(zip_of(net_members(body, {{"extra/notes.txt", "hello"}})));
  EXPECT_EQ(importer->extra_files(), std::vector<std::string>{"notes.txt"});
  EXPECT_EQ(importer->extra_file("notes.txt"), "hello");
}

TEST(Importer, NamesFormatsThatItCannotRead) {
  using base::ErrorKind;
  expect_refusal(zip_of({{"archive_format", "pt2"}, {"models/model.json", "{}"}}),
                 ErrorKind::unsupported, "an exported program (torch.export.save)");
  expect_refusal(zip_of({{"serialized_exported_program.json", "{}"}}), ErrorKind::unsupported,
                 "an exported program");
  expect_refusal(std::string("\x08\x07\x12\x07pytorch", 11), ErrorKind::unsupported, "ONNX");
  expect_refusal(std::string("\x02\0\0\0\0\0\0\0{\"w\":{}}", 16), ErrorKind::input, "safetensors");
  expect_refusal(std::string("\x80\x02N.", 4), ErrorKind::input, "holds no program");
}

TEST(Importer, ListsTheFormatsForAnUnknownFile) {
  for (const std::string& bytes : {std::string(), std::string("hello"), std::string(1000, 'x')}) {
    expect_refusal(bytes, base::ErrorKind::input,
                   "not a TorchScript archive (torch.jit.save), which has a member data.pkl");
  }
  expect_refusal(zip_of({{"readme.txt", "hello"}}), base::ErrorKind::input,
                 "not a TorchScript archive (torch.jit.save), which has a member data.pkl");
}

TEST(Importer, SaysWhatIsWrongWithADamagedZipFile) {
  std::string whole = zip_of({{"data.pkl", "N."}});
  expect_refusal(whole.substr(0, whole.size() / 2), base::ErrorKind::input, "not a zip archive");
}

TEST(Importer, RecognizesEachFormatByOneRow) {
  for (const Format& format : formats()) {
    EXPECT_NE(format.recognizes, nullptr);
    EXPECT_FALSE(format.name.empty());
  }
  EXPECT_NE(formats()[0].open, nullptr) << "readable formats come first";
}

}  // namespace
}  // namespace assay::archive
