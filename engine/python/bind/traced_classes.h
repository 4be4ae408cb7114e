#pragma once

#include <string>
#include <vector>

namespace assay::python {

/// The classes that a trace makes for a module and its submodules, in the program of this process.
/// They go with the last object of theirs that Python has, so that a program may trace again and
/// again; unless others have come to use them.
class TracedClasses {
 public:
  TracedClasses() = default;
  ~TracedClasses();
  TracedClasses(const TracedClasses&) = delete;
  TracedClasses& operator=(const TracedClasses&) = delete;

  void add(const std::string& name) { names_.push_back(name); }
  /// A part of the trace that is being made: its classes are this one's. One that was complete
  /// before stays.
  void take(TracedClasses& part);
  /// The trace is made.
  void complete() { complete_ = true; }
  /// Something else refers to them now: they stay as long as the process.
  void keep() { names_.clear(); }

 private:
  std::vector<std::string> names_;
  bool complete_ = false;
};

}  // namespace assay::python
