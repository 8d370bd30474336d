// What a title must not be.
#pragma once

namespace troupe {

/// Whoever reads this looks for a noun.
struct no_noun {
  // Those of others; a semicolon does not hide the line.
  int others = 0;
  /// Counts.
  /// Of them the first ones: the second line of a comment counts, too.
  int first = 0;
  /// So many are allowed.
  int most = 0;
  int last = 0; ///< What follows a member is no sentence.
};

// Offers, sorts and whatever else begins with the same letters are words like any other.
// Ofen "Überall" 一丨丶: text that is not ASCII.
// What is after such text counts.
/// Sorts.
/// What
} // namespace troupe
