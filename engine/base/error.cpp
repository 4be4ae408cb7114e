#include "engine/base/error.h"

#include <fmt/core.h>

#include <new>
#include <stdexcept>
#include <utility>

namespace assay::base {

Error::Error(ErrorKind kind, std::string message, SourceRange range)
    : kind_(kind), message_(std::move(message)), range_(std::move(range)) {}

Error& Error::add_context(std::string line) {
  context_.push_back(std::move(line));
  return *this;
}

Error& Error::at(SourceRange range) {
  if (!range_) range_ = std::move(range);
  return *this;
}

Error& Error::raised_as(std::string class_name) {
  raised_class_ = std::move(class_name);
  return *this;
}

Error& Error::for_want_of(Resource resource) {
  ran_out_of_ = resource;
  return *this;
}

Error& Error::lies_in(Fault fault) {
  fault_ = fault;
  return *this;
}

std::string Error::describe() const {
  std::string out = message_;
  if (range_) out += "\n" + range_.picture();
  for (const auto& line : context_) out += "\n  " + line;
  return out;
}

Error caught_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::input, "not enough memory").for_want_of(Resource::memory);
  } catch (const std::length_error&) {
    return Error(ErrorKind::input, "not enough memory: a text or list is too long")
        .for_want_of(Resource::memory);
  } catch (const std::exception& error) {
    return {ErrorKind::unsupported, fmt::format("a library failed: {}", error.what())};
  }
}

}  // namespace assay::base
