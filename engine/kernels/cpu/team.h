#pragma once

namespace assay::kernels::cpu {

/// While it lives, parallel regions that this thread enters have one thread if the work is small,
/// and as many as before if not. To wake a thread and to wait for it costs more than small work
/// takes; where other processes want the processors, it costs milliseconds.
class Team {
 public:
  /// Of work over so many elements, each read or written a few times.
  static Team for_elements(double count) { return Team(count <= 16384); }
  /// Of so many multiplications.
  static Team for_products(double count) { return Team(count <= 262144); }
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

 private:
  explicit Team(bool small);
  int before_ = 0;  ///< How many threads there were; 0 where nothing was changed.
};

}  // namespace assay::kernels::cpu
