#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/events.h"

namespace assay::fuzz {

/// A failing case that an earlier campaign found.
struct Remembered {
  std::string property;
  std::string key;
  verify::Case smallest;
};

/// The folder in which failing cases stay: `<folder>/examples/<property>/<hash of the key>.json`.
/// Files are replaced whole, so a killed campaign leaves none half written.
class Database {
 public:
  explicit Database(std::string folder) : folder_(std::move(folder)) {}

  /// Everything remembered, ordered by file name. A file that is damaged or foreign is passed over
  /// and told to `complain`.
  std::vector<Remembered> load(const std::function<void(const std::string&)>& complain) const;
  /// Remembers the case in place of what was there for the same property and key. Input error if
  /// the folder cannot be written. A case without text is not kept.
  void save(const Remembered& failure) const;
  /// Forgets what was remembered for this property and key.
  void forget(const std::string& property, const std::string& key) const;

 private:
  std::string file_of(const std::string& property, const std::string& key) const;

  std::string folder_;
};

/// Remembers every failure as it is found and each time it gets smaller, so that everything found
/// so far is on disk at any moment.
class Keeper final : public verify::Listener {
 public:
  explicit Keeper(const Database& database) : database_(database) {}
  void failure_found(const verify::Property& property, const verify::Case& c,
                     const verify::Judgement& judgement, const std::string& key) override;
  void failure_shrunk(const verify::Property& property, const verify::Case& c,
                      const std::string& key) override;

 private:
  const Database& database_;
};

}  // namespace assay::fuzz
