#include "apps/troupe/markdown/unspaced_text.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "apps/troupe/markdown/markdown_block.hpp"
#include "tests/support/catch.hpp"

namespace unspaced_text_test {

using namespace troupe;

namespace {

/// Returns what a terminal gets, with `{style:text}` in place of the sequences that paint.
std::string shown(std::string_view markdown) {
  std::string out;
  const auto painted = rendered_markdown(markdown, 200);
  for (size_t at = 0; at < painted.size(); ++at) {
    if (painted.compare(at, 2, "\x1b[") != 0) {
      out.push_back(painted[at]);
      continue;
    }
    const auto end = painted.find('m', at);
    const auto style = painted.substr(at + 2, end - at - 2);
    out += style == "0" ? "}" : "{" + style + ":";
    at = end;
  }
  return out.substr(0, out.find_last_not_of('\n') + 1);
}

using rows = std::pair<std::string_view, std::string_view>;

} // namespace

TEST_CASE("marks with punctuation on their inner side are marks where one side is CJK",
          "[apps][markdown][unspaced_text]") {
  const rows each = GENERATE(values<rows>({
      {"这里有**「三个」**步骤", "这里有{1:「三个」}步骤"},
      {"- **优点：**速度快", "• {1:优点：}速度快"},
      {"请看**《红楼梦》**和**《西游记》**。", "请看{1:《红楼梦》}和{1:《西游记》}。"},
      {"他叫**“小明”**吗", "他叫{1:“小明”}吗"},
      {"**等等……**然后", "{1:等等……}然后"},
      {"これは*（たぶん）*正しい", "これは{3:（たぶん）}正しい"},
      {"コード**`x`**です", "コード{1;36:x}です"},
      {"먼저 **설정(Settings)**을 엽니다", "먼저 {1:설정(Settings)}을 엽니다"},
      {"API**（接口）**is", "API{1:（接口）}is"},
      {"用***「全部」***才行", "用{1;3:「全部」}才行"},
      {"价格**~~「旧」~~**新", "价格{1;9:「旧」}新"},
      {"价格~~（旧）~~新", "价格{9:（旧）}新"},
      {"请~~**「旧」**~~新", "请{1;9:「旧」}新"},
      {"内容**_（重点）_**内容", "内容{1;3:（重点）}内容"},
      {"_前**「中」**_ 后", "{3:前}{1;3:「中」} 后"},
      {"**（甲）**：**乙**和**丙**", "{1:（甲）}：{1:乙}和{1:丙}"},
      {"**标题**：**内容**，*次要*。", "{1:标题}：{1:内容}，{3:次要}。"},
      {"\U00020000**「x」**\U00020000", "\U00020000{1:「x」}\U00020000"},
      {"| a |\n|---|\n| 看**（甲）**吧 |", "{1:a}\n{2:──────────}\n看{1:（甲）}吧"},
      {"> 看**（甲）**吧", "{2:│ }看{1:（甲）}吧"},
  }));
  CHECK(shown(each.first) == each.second);
}

TEST_CASE("text in other scripts, code and underscores in words are read as ever",
          "[apps][markdown][unspaced_text]") {
  const rows each = GENERATE(values<rows>({
      {"a**\"b\"**c", "a**\"b\"**c"},
      {"a **\"b\"** c", "a {1:\"b\"} c"},
      {"5*(3)*2", "5*(3)*2"},
      {"**a:**b", "**a:**b"},
      {"слово**«да»**слово", "слово**«да»**слово"},
      {"ไทย**(ก)**ไทย", "ไทย**(ก)**ไทย"},
      {"变量_（名）_值", "变量_（名）_值"},
      {"report_（终稿）_2024", "report_（终稿）_2024"},
      {"`看**「x」**y~z`", "{36:看**「x」**y~z}"},
      {"    看**「x」**y~z", "{2:```}\n{36:看**「x」**y~z}\n{2:```}"},
      {"- a\n  ```~1\n  看**「x」**y~z\n  ```",
       "• a\n  {2:```~1}\n  {36:看**「x」**y~z}\n  {2:```}"},
      {"[l](x/看**（a）**b~c)", "{4:l} {2:(x/看**（a）**b~c)}"},
      {"[l]\n\n[l]: x/看**（a）**b", "{4:l} {2:(x/看**（a）**b)}"},
      {"[看**（a）**b]\n\n[看**（a）**b]: x", "{4:看}{1;4:（a）}{4:b} {2:(x)}"},
      {"看\\*\\*（x）\\*\\*好", "看**（x）**好"},
      {"** 空「 **后", "** 空「 **后"},
  }));
  CHECK(shown(each.first) == each.second);
}

TEST_CASE("one tilde is a tilde, and two strike out", "[apps][markdown][unspaced_text]") {
  const rows each = GENERATE(values<rows>({
      {"大约3~5天，价格100~200元", "大约3~5天，价格100~200元"},
      {"~1.3 to ~5.4 GB", "~1.3 to ~5.4 GB"},
      {"f(1~3), g(80~100)", "f(1~3), g(80~100)"},
      {"~~3~5天~~ 7天", "{9:3~5天} 7天"},
      {"**~5** and **~6**", "{1:~5} and {1:~6}"},
      {"x ~~~a~~~ b ~c~", "x ~~~a~~~ b ~c~"},
      {"[home](https://example.org/~me)", "{4:home} {2:(https://example.org/~me)}"},
      {"https://example.org/~me/x", "{4:https://example.org/~me/x}"},
  }));
  CHECK(shown(each.first) == each.second);
}

TEST_CASE("a bare address ends before CJK punctuation", "[apps][markdown][unspaced_text]") {
  const rows each = GENERATE(values<rows>({
      {"见 https://example.org/a，然后", "见 {4:https://example.org/a}，然后"},
      {"https://example.org/a，**重点**", "{4:https://example.org/a}，{1:重点}"},
      {"http://example.org/b）、ftp://example.org/c。",
       "{4:http://example.org/b}）、ftp://example.org/c。"},
      {"(https://example.org/?a=1&b=2”", "({4:https://example.org/?a=1&b=2}”"},
      {"https://example.org/路径/中文 x", "{4:https://example.org/路径/中文} x"},
      {"https://example.org/アーサー・C 他", "{4:https://example.org/アーサー・C} 他"},
      {"https://example.org/a,b.", "{4:https://example.org/a,b}."},
      {"<https://example.org/a，b>", "{4:https://example.org/a，b}"},
      {"[x](https://example.org/a，b)", "{4:x} {2:(https://example.org/a，b)}"},
      {"[x]\n\n[x]: https://example.org/a，b", "{4:x} {2:(https://example.org/a，b)}"},
      {"`https://example.org/a，b`", "{36:https://example.org/a，b}"},
      {"（甲）", "（甲）"},
  }));
  CHECK(shown(each.first) == each.second);
}

TEST_CASE("what is added for the parser is taken out again", "[apps][unspaced_text]") {
  for (const auto* text :
       {"看**「x」**好", "a~b ~~c~~ ~", "https://a.b/c，d", "，,，", "", "*", "~"})
    CHECK(without_stand_ins(with_stand_ins(text)) == text);
  CHECK(shown("a\uFDD0b `\uFDD1,\uFDD2` c") == "ab {36:,} c");
}

} // namespace unspaced_text_test
