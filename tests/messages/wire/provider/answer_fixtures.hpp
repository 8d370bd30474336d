// Fixtures of a provider: tests/messages/fixtures/<provider>/<name>.sse, .ndjson or .json is a
// body, <name>.expect what it means:
//   HEAD <status> <content type> [<retry-after>]   200 and the type of the body's ending if missing
//   CUT <error> <text>                             what broke the transfer
//   SAME <name>                                    the events of another fixture
//   <EVENT> <json> | METADATA <json> | END <reason> <usage> | FAILURE <error> <text> | RETRY <s>
// README.md there has a row for each quirk: | quirk | `fixture`, `fixture` |
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/messages/wire/provider/decoded_body.hpp"

namespace troupe::test {

/// One body of the corpus, and the lines that it means.
struct answer_fixture {
  std::string name;
  std::string body;
  body_frame frame;
  std::vector<std::string> lines;
};

/// The corpus of one provider.
class answer_fixtures {
public:
  explicit answer_fixtures(std::string provider);

  const std::string& provider() const { return provider_; }
  const std::vector<answer_fixture>& all() const { return all_; }

  /// Returns the names in the last column of the README's table, row by row.
  std::vector<std::vector<std::string>> quirk_rows() const;

private:
  std::string file(const std::filesystem::path& name) const;
  answer_fixture read(const std::filesystem::path& path) const;
  void read_expectation(const std::string& name, answer_fixture& into) const;

  std::string provider_;
  std::filesystem::path folder_;
  std::vector<answer_fixture> all_;
};

/// Checks that each row of the README names fixtures that are there.
void check_quirk_rows(const answer_fixtures& corpus, size_t rows);

/// Checks the events of each fixture: whole, in pieces of 1, 3 and 7 bytes, and cut in two at every
/// byte.
void check_fixtures(const answer_fixtures& corpus);

/// Shows what each fixture gives when it breaks off, at every byte; checks that its calls are
/// closed.
/// @param visit returns whether the answer is as it has to be
void for_each_broken_fixture(const answer_fixtures& corpus,
                             const std::function<bool(const decoded_body&)>& visit);

} // namespace troupe::test
