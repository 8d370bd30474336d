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
  /// A database that is being made to take the place of a damaged one.
  std::string fresh() const { return path_ + "/troupe.db.new"; }

  /// Makes the folder and its parents (mode 0700), and an empty database file (0600), if they do
  /// not exist. store_failed: an existing folder is not safe (folder_fault).
  failure make() const;

  /// Checks the files of the database and of the lock (file_fault), and takes other users' rights
  /// to them away. @param notice gets a text about each file that had such rights
  failure secure(std::string& notice) const;

  /// Holds the folder until release() or destruction. store_locked: another process holds it.
  failure hold();
  void release() { lock_.reset(); }

  /// Makes an empty file (0600) as fresh(); one that is there is removed.
  failure make_fresh() const;
  /// Renames fresh() to database(), which must not exist.
  failure use_fresh() const;

  /// Renames the database and its companions, and puts the new name into `as`.
  failure set_aside(std::string& as) const;

private:
  std::string path_;
  descriptor lock_;
};

} // namespace troupe
