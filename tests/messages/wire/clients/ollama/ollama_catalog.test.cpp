#include "messages/wire/clients/ollama/ollama_catalog.hpp"

#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace ollama_catalog_test {

using namespace troupe;

constexpr auto tags = "[ollama_client][wire]";

TEST_CASE("models are listed with a tag, since clients add one where it lacks", tags) {
  const auto list = ollama_tags_json({"llama3:8b", "main"});
  CHECK(is_json_object(list));
  CHECK(list.find(R"({"name":"llama3:8b","model":"llama3:8b",)") != list.npos);
  CHECK(list.find(R"({"name":"main:latest","model":"main:latest",)") != list.npos);
  CHECK(ollama_tags_json({}) == R"({"models":[]})");
}

TEST_CASE("digests have 64 digits and differ", tags) {
  const auto digest_in = [](const std::string& list) {
    const auto at = list.find(R"("digest":")") + 10;
    return list.substr(at, list.find('"', at) - at);
  };
  const auto one = digest_in(ollama_tags_json({"one"}));
  CHECK(one.size() == 64);
  CHECK(one != digest_in(ollama_tags_json({"two"})));
}

TEST_CASE("a model is shown with what is known of it", tags) {
  const auto plain = ollama_show_json({});
  CHECK(is_json_object(plain));
  CHECK(plain.find(R"("capabilities":["completion","tools"])") != plain.npos);
  CHECK(plain.find("context_length") == plain.npos);
  const auto able = ollama_show_json({true, true, 4096});
  CHECK(is_json_object(able));
  CHECK(able.find(R"("capabilities":["completion","tools","vision","thinking"])") != able.npos);
  CHECK(able.find(R"("general.architecture":"troupe","troupe.context_length":4096)") != able.npos);
}

TEST_CASE("the name of a model to show is asked for in two ways", tags) {
  std::string name;
  CHECK_FALSE(read_ollama_model(R"({"model":"a"})", name));
  CHECK(name == "a");
  CHECK_FALSE(read_ollama_model(R"({"name":"b"})", name));
  CHECK(name == "b");
  for (const auto* wrong : {"", "[]", "{}", R"({"model":7})", R"({"model":""})"})
    CHECK(read_ollama_model(wrong, name).code == errc::request_invalid);
  CHECK(is_json_object(ollama_version_json()));
}

} // namespace ollama_catalog_test
