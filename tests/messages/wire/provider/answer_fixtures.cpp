#include "tests/messages/wire/provider/answer_fixtures.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace troupe::test {

answer_fixtures::answer_fixtures(std::string provider)
    : provider_{std::move(provider)}, folder_{std::filesystem::path{TROUPE_TEST_FOLDER} /
                                              "messages" / "fixtures" / provider_} {
  for (const auto& each : std::filesystem::directory_iterator{folder_})
    if (each.path().extension() != ".expect" && each.path().extension() != ".md")
      all_.push_back(read(each.path()));
  std::ranges::sort(all_, {}, &answer_fixture::name);
}

std::vector<std::vector<std::string>> answer_fixtures::quirk_rows() const {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in{file("README.md")};
  for (std::string line; std::getline(in, line);) {
    auto column = line.rfind(" | ");
    if (!line.starts_with("| ") || column == std::string::npos || line.starts_with("| quirk"))
      continue;
    auto& names = rows.emplace_back();
    std::istringstream cells{line.substr(column)};
    for (std::string name; std::getline(cells, name, '`') && std::getline(cells, name, '`');)
      names.push_back(name);
  }
  return rows;
}

std::string answer_fixtures::file(const std::filesystem::path& name) const {
  INFO("fixture " << name);
  std::ifstream in{folder_ / name, std::ios::binary};
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>{in}, {}};
}

answer_fixture answer_fixtures::read(const std::filesystem::path& path) const {
  answer_fixture made;
  made.name = path.stem();
  made.body = file(path.filename());
  if (path.extension() == ".json")
    made.frame.content_type = "application/json";
  else if (path.extension() == ".ndjson")
    made.frame.content_type = "application/x-ndjson";
  read_expectation(made.name, made);
  return made;
}

void answer_fixtures::read_expectation(const std::string& name, answer_fixture& into) const {
  std::istringstream in{file(name + ".expect")};
  for (std::string line; std::getline(in, line);) {
    std::istringstream words{line};
    std::string first;
    words >> first;
    if (first == "HEAD") {
      words >> into.frame.status >> into.frame.content_type >> into.frame.retry_after;
    } else if (first == "CUT") {
      words >> first;
      into.frame.cut.code = errc_from(first);
      std::getline(words >> std::ws, into.frame.cut.message);
    } else if (first == "SAME") {
      words >> first;
      answer_fixture other;
      read_expectation(first, other);
      into.lines = std::move(other.lines);
    } else {
      into.lines.push_back(line);
    }
  }
}

} // namespace troupe::test
