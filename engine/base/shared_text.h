#pragma once

#include <memory>
#include <string>

namespace assay::base {

/// A text that many hold and nobody changes: a copy is another reference to the same one.
class SharedText {
 public:
  SharedText() = default;
  SharedText(const char* text) : SharedText(std::string(text)) {}
  SharedText(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}

  bool empty() const { return text_ == nullptr; }
  const std::string& str() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }

 private:
  std::shared_ptr<const std::string> text_;  // Null for "".
};

}  // namespace assay::base
