// The HTML report of troupe-bench.
#include <catch2/catch.hpp>

#include "apps/bench/report/report_html.hpp"
#include "apps/bench/report/reports.hpp"
#include "tests/apps/bench/report/bench_outcome.hpp"

namespace troupe::bench::bench_page_test {

namespace {

using Catch::Contains;

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("text is escaped for HTML", "[apps][bench]") {
  CHECK(html_escaped("<a href='x'>\"&</a>") == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&lt;/a&gt;");
  CHECK(json_in_html(R"({"a":"</script>"})") == "{\"a\":\"\\u003c/script>\"}");
}

TEST_CASE("the page has title, verdict, tables, data and scripts", "[apps][bench]") {
  auto page = report_html(made_up_head(), made_up_outcome());
  CHECK(page.rfind("<!doctype html>", 0) == 0);
  CHECK_THAT(page, Contains("<title>troupe-bench: troupe http://127.0.0.1:8080</title>"));
  CHECK_THAT(page, Contains("Valid: the generator kept up"));
  CHECK_THAT(page, Contains("<td>first_text</td><td>1,000</td><td>500 us</td>"));
  CHECK_THAT(page, Contains("2 model_timeout (too slow)"));
  CHECK_THAT(page, Contains("A CPU") && Contains("2026-01-31T12:00:00Z"));
  CHECK_THAT(page, Contains("<script type=\"application/json\" id=\"report\">{\"format\":1"));
  CHECK(page.find(page::script) != std::string::npos);
  CHECK(page.find(page::plot_script) != std::string::npos);
}

TEST_CASE("the page asks for nothing from outside", "[apps][bench]") {
  auto page = report_html(made_up_head(), made_up_outcome());
  CHECK_THAT(page, Contains("default-src 'none'"));
  CHECK(count_of(page, " src=") == 0);
  CHECK(count_of(page, "<link") == 0);
  CHECK(count_of(page, "@import") == 0);
}

TEST_CASE("the page's fixed parts are small", "[apps][bench]") {
  auto parts = page::style.size() + page::script.size() + page::plot_style.size() +
               page::plot_script.size() + page::plot_licence.size();
  CHECK(page::script.size() > 0);
  CHECK(parts < 200 * 1024);
}

TEST_CASE("no text of a target breaks out of the page", "[apps][bench]") {
  auto clean = report_html(made_up_head(), made_up_outcome());
  auto outcome = made_up_outcome();
  auto& run = outcome.runs[0];
  run.plan.target.model = nasty;
  run.plan.work.texts = {nasty};
  run.failures = {{nasty, 1}};
  run.failure_texts = {{nasty, nasty}};
  run.invalid = {nasty};
  run.notes = {nasty};
  auto head = made_up_head();
  head.command = nasty;
  head.on.cpu = nasty;
  auto page = report_html(head, outcome);
  CHECK(count_of(page, "</script>") == count_of(clean, "</script>"));
  CHECK(page.find("<b onload") == std::string::npos);
  CHECK_THAT(page, Contains("&lt;b onload=x&gt;"));
}

TEST_CASE("the page of a sweep has its steps, with the one at the knee marked", "[apps][bench]") {
  auto page = report_html(made_up_head(), made_up_sweep());
  CHECK_THAT(page, Contains("<h2>Steps</h2>"));
  CHECK_THAT(page, Contains("<tr class=\"marked\"><td>200/s</td>"));
  CHECK_THAT(page, Contains("Knee: 200 sessions/s"));
}

TEST_CASE("the page of steps that were given has no knee, and shows the last", "[apps][bench]") {
  auto outcome = made_up_sweep();
  outcome.knee = 0;
  for (auto& run : outcome.runs)
    run.plan.sweep.steps = {100, 200, 400};
  auto page = report_html(made_up_head(), outcome);
  CHECK_THAT(page, Contains("<tr class=\"marked\"><td>400/s</td>"));
  CHECK_THAT(page, !Contains("Knee"));
  CHECK_THAT(page, Contains("100, 200, 400 sessions/s"));
}

TEST_CASE("a page of nothing is a page", "[apps][bench]") {
  CHECK_THAT(report_html(made_up_head(), {}), Contains("nothing was run") && Contains("</html>"));
}

} // namespace troupe::bench::bench_page_test
