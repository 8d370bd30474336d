// The folder of a database: made, locked by one process, and the place for damaged files.
#pragma once

#include <string>

#include "messages/errors.hpp"
#include "transport/descriptor.hpp"

namespace troupe {

/// A folder that holds a database. Blocks; any thread, one at a time.
class sqlite_folder {
public:
  explicit sqlite_folder(std::string path) : path_{std::move(path)} {}

  std::string database() const { return path_ + "/troupe.db"; }
  /// A file that exists while the database must be checked.
  std::string damage_mark() const { return path_ + "/troupe.db.suspect"; }

  /// Makes the folder and its parents (mode 0700), and an empty database file (0600), if they do
  /// not exist.
  failure make() const;

  /// Holds the folder until release() or destruction. store_locked: another process holds it.
  failure hold();
  void release() { lock_.reset(); }

  /// Renames the database and its companions, and puts the new name into `as`.
  failure set_aside(std::string& as) const;

private:
  std::string path_;
  descriptor lock_;
};

} // namespace troupe
