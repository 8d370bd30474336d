#include "messages/store/search_query.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tests/support/catch.hpp"

namespace search_query_test {

using namespace troupe;

namespace {

/// Returns the phrases, each in brackets; a star behind a beginning.
std::string read(std::string_view query) {
  failure why;
  const auto got = read_search_query(query, why);
  CHECK(why.message == "");
  std::string out;
  for (const auto& phrase : got.phrases)
    out += fmt::format("[{}{}]", fmt::join(phrase.words, " "), phrase.begins ? "*" : "");
  return out;
}

/// Returns a snippet with {} around what was found.
std::string snippet(std::string_view text, std::string_view query) {
  failure why;
  auto out = search_snippet(text, read_search_query(query, why));
  for (char& c : out)
    c = c == '\2' ? '{' : c == '\3' ? '}' : c;
  return out;
}

} // namespace

TEST_CASE("words, quotes and stars are the only syntax", "[messages][search]") {
  CHECK(read("Alpha beta") == "[alpha][beta]");
  CHECK(read("\"alpha beta\" gamma*") == "[alpha beta][gamma*]");
  CHECK(read("\"alpha*\" OR -x") == "[alpha][or][x]");
  CHECK(read("error_code") == "[error code]");
  CHECK(read("... gamma") == "[gamma]");
  CHECK(read("\"\" () *") == "");
  CHECK(read("\"open") == "[open]");
}

TEST_CASE("a part of a run is a row of pairs", "[messages][search]") {
  CHECK(read("部署方案") == "[部署 署方 方案]");
  CHECK(read("\"部署\"") == "[部署]");
  CHECK(read("北京 天气") == "[北京][天气]");
  CHECK(read("天") == "[天*]");
  CHECK(read("部署*") == "[部署]");
  CHECK(read("天*") == "[天*]");
  CHECK(read("部署drawio") == "[部署 署 drawio]");
  CHECK(read("drawio部署") == "[drawio 部署]");
  CHECK(read("后50条") == "[后 50 条*]");
  CHECK(read("ＡＢＣ１２３") == "[abc123]");
}

TEST_CASE("signs are asked for as they are written", "[messages][search]") {
  CHECK(read("🚀") == "[🚀]");
  CHECK(read("ship 🚀") == "[ship][🚀]");
  CHECK(read("➡️") == "[➡]");
  CHECK(read("done✅") == "[done ✅]");
  CHECK(read("👨‍👩‍👧") == "[👨 👩 👧]");
  CHECK(read("成功🎉") == "[成功 功 🎉]");
  CHECK(read("🎉了") == "[🎉 了*]");
  CHECK(read("5€") == "[5 €]");
}

TEST_CASE("a query is refused for nothing and for too much", "[messages][search]") {
  for (const auto& query :
       {std::string{}, std::string{" \t"}, std::string{"al*"}, std::string(1025, 'a')}) {
    failure why;
    static_cast<void>(read_search_query(query, why));
    CHECK(why.code == errc::request_invalid);
  }
  std::string many;
  for (int i = 0; i < 33; ++i)
    many += "w ";
  failure why;
  static_cast<void>(read_search_query(many, why));
  CHECK(why.code == errc::request_invalid);
}

TEST_CASE("a snippet marks what was found", "[messages][search]") {
  CHECK(snippet("Foxes and a FOX", "fox") == "Foxes and a {FOX}");
  CHECK(snippet("今天讨论了部署方案，请看", "部署") == "今天讨论了{部署}方案，请看");
  CHECK(snippet("今天讨论了部署方案，请看", "部署方案") == "今天讨论了{部署方案}，请看");
  CHECK(snippet("北京天气怎么样", "北京 天气") == "{北京天气}怎么样");
  CHECK(snippet("北京天气怎么样", "天") == "北京{天}气怎么样");
  CHECK(snippet("重跑gen-itgc后50条", "ITGC") == "重跑gen-{itgc}后50条");
  CHECK(snippet("ＡＢＣ１２３ 全角", "abc123") == "{ＡＢＣ１２３} 全角");
  CHECK(snippet("a résumé, please", "resume") == "a {résumé}, please");
  CHECK(snippet("alphabet alpha", "alph*") == "{alphabet} {alpha}");
  CHECK(snippet("alpha beta alpha", "\"alpha beta\"") == "{alpha beta} alpha");
  CHECK(snippet("东京东京", "东京") == "{东京东京}");
  CHECK(snippet("go ➡️ there", "➡") == "go {➡️} there");
  CHECK(snippet("meet 👨‍👩‍👧 today", "👨‍👩‍👧") ==
        "meet {👨‍👩‍👧} today");
  CHECK(snippet("in der Straße", "strasse") == "in der {Straße}");
  CHECK(snippet("a ﬁne day", "fine") == "a {ﬁne} day");
  CHECK(snippet("らーめん屋", "ラーメン") == "{らーめん}屋");
  CHECK(snippet("no such word", "other") == "no such word");
  CHECK(snippet("", "other") == "");
}

TEST_CASE("a snippet of a long text is the place with the most of it", "[messages][search]") {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += fmt::format("one{} ", i);
  text += "alpha ";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("two{} ", i);
  text += "alpha beta ";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("three{} ", i);
  const auto found = snippet(text, "beta alpha");
  CHECK(found.starts_with("...two"));
  CHECK(found.find("{alpha} {beta} three0") != std::string::npos);
  CHECK(found.ends_with("..."));
  CHECK(std::count(found.begin(), found.end(), ' ') == 23);
  std::string run;
  for (int i = 0; i < 300; ++i)
    run += "文";
  CHECK(snippet(run + "部署" + run, "部署").size() == 49 * 3 + 2 + 6); // 48 words of two each
}

TEST_CASE("marks that stand in a text are left out of its snippet", "[messages][search]") {
  CHECK(snippet("a \3 fox \2 b", "fox") == "a  {fox}  b");
}

} // namespace search_query_test
