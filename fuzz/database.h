#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/key.h"
#include "verify/findings/events.h"

namespace assay::fuzz {

/// A failing case that an earlier campaign found.
struct Remembered {
  std::string model;  ///< As on the command line: "model.pt".
  std::string property;
  std::string key;
  verify::Case smallest;
};

/// The folder in which failing cases stay: `<folder>/examples/<property>/<hash>.json`, the hash of
/// model and key. Files are replaced whole, so a killed campaign leaves none half written. The
/// folder is made with the first case, and told to be ignored by git.
class Database {
 public:
  explicit Database(std::string folder) : folder_(std::move(folder)) {}

  using Complain = std::function<void(const std::string&)>;

  /// What is remembered of a model, ordered by file name. A file that is damaged or foreign is
  /// passed over and told to `complain`.
  std::vector<Remembered> load(const std::string& model, const Complain& complain) const;
  /// Remembers the case in place of what was there for the same model, property and key. Input
  /// error if the folder cannot be written. A case without text is not kept.
  void save(const Remembered& failure) const;
  /// Forgets what was remembered for this model, property and key.
  void forget(const Remembered& failure) const;

 private:
  std::string file_of(const Remembered& failure) const;

  std::string folder_;
};

/// Remembers every failure as it is found and each time it gets smaller, so that everything found
/// so far is on disk at any moment; forgets a remembered case that fails no longer, or otherwise. A
/// folder that cannot be written is told to `complain` once and ends the keeping, not the run.
class DatabaseListener final : public verify::Listener {
 public:
  DatabaseListener(Database database, std::string model, std::vector<Remembered> remembered,
                   Database::Complain complain)
      : database_(std::move(database)),
        model_(std::move(model)),
        remembered_(std::move(remembered)),
        complain_(std::move(complain)) {}
  void case_judged(const verify::Property& property, const verify::Case& c,
                   const verify::Judgement& judgement) override;
  void failure_found(const verify::Property& property, const verify::Case& c,
                     const verify::Judgement& judgement, const std::string& key) override;
  void failure_shrunk(const verify::Property& property, const verify::Case& c,
                      const std::string& key) override;

 private:
  void keep(const verify::Property& property, const verify::Case& c, const std::string& key);

  Database database_;
  std::string model_;
  std::vector<Remembered> remembered_;
  Database::Complain complain_;
  bool broken_ = false;
};

}  // namespace assay::fuzz
