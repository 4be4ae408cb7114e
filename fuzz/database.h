#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/key.h"
#include "verify/findings/events.h"

namespace assay::fuzz {

/// A failing case that an earlier campaign found.
struct Remembered {
  std::string model;  ///< As on the command line: "model.pt", "./pkg/model.py:Net".
  std::string property;
  std::string key;
  verify::Case smallest;
  /// Where it was read from; empty for one that was not.
  std::string file = {};
  /// It is this model's case as it was found. Not so where the model lay elsewhere then, or where
  /// the inputs have changed: that such a case holds says nothing of the one that was found, which
  /// stays on disk.
  bool unchanged = true;
};

/// The folder in which failing cases stay: `<folder>/examples/<property>/<hash>.json`, the hash of
/// model and key. A model goes by its name: its file as seen from where the folder lies, however
/// the command line spells it, and its class. Files are replaced whole, so a killed campaign leaves
/// none half written. The folder is made with the first case, and told to be ignored by git.
class Database {
 public:
  explicit Database(std::string folder) : folder_(std::move(folder)) {}

  using Complain = std::function<void(const std::string&)>;

  /// What is remembered of a model, ordered by file name; also of one that had this name in another
  /// folder and is not there any more. A file that is damaged or foreign is passed over and told to
  /// `complain`.
  std::vector<Remembered> load(const std::string& model, const Complain& complain) const;
  /// Remembers the case in place of what was there for the same model, property and key. Input
  /// error if the folder cannot be written. A case without text is not kept.
  void save(const Remembered& failure) const;
  /// Forgets what was remembered for this model, property and key.
  void forget(const Remembered& failure) const;
  /// Where a failure is kept.
  std::string file_of(const Remembered& failure) const;

 private:
  std::string folder_;
};

/// Those that are cases of this spec too, in its terms (fuzz/adapt.h); how many are not, and why,
/// is told to `complain` once.
std::vector<Remembered> fit_to(const verify::Spec& spec, std::vector<Remembered> all,
                               const Database::Complain& complain);

/// Remembers every failure as it is found and each time it gets smaller, so that everything found
/// so far is on disk at any moment; forgets a remembered case that fails no longer, or otherwise. A
/// folder that cannot be written is told to `complain` once and ends the keeping, not the run.
class DatabaseListener final : public verify::Listener {
 public:
  /// `key` is the campaign's.
  DatabaseListener(Database database, std::string model, std::vector<Remembered> remembered,
                   KeyOf key, Database::Complain complain)
      : database_(std::move(database)),
        model_(std::move(model)),
        remembered_(std::move(remembered)),
        key_(std::move(key)),
        complain_(std::move(complain)) {}
  bool hears_of(const verify::Case& c) const override;
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
  KeyOf key_;
  Database::Complain complain_;
  bool broken_ = false;
};

}  // namespace assay::fuzz
