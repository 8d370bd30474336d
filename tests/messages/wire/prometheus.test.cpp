#include "messages/wire/prometheus.hpp"

#include <array>
#include <limits>

#include "tests/support/catch.hpp"

namespace prometheus_test {

using namespace troupe;

namespace {

constexpr std::array bounds{0.5, 1.0, 67108864.0};

} // namespace

TEST_CASE("a value counts in the first bucket whose bound it does not exceed",
          "[messages][prometheus]") {
  histogram values{bounds};
  for (double each : {-1.0, 0.5, 0.6, 1.0, 2.0, 67108864.0, 67108865.0})
    values.observe(each);
  CHECK(std::vector<uint64_t>(values.counts().begin(), values.counts().end()) ==
        std::vector<uint64_t>{2, 2, 2, 1});
  CHECK(values.sum() == Approx(134217732.1));
}

TEST_CASE("a family is a help line, a type line and its samples", "[messages][prometheus]") {
  prometheus_text out;
  out.family("a_total", metric_kind::counter, "What\nit \\is.");
  out.sample({{"x", "1"}, {"none", ""}, {"y", "2"}}, 3);
  out.sample({}, 0.25);
  out.single("b", metric_kind::gauge, "B.", std::numeric_limits<double>::infinity());
  CHECK(out.take() == "# HELP a_total What\\nit \\\\is.\n"
                      "# TYPE a_total counter\n"
                      "a_total{x=\"1\",y=\"2\"} 3\n"
                      "a_total 0.25\n"
                      "# HELP b B.\n"
                      "# TYPE b gauge\n"
                      "b +Inf\n");
}

TEST_CASE("whatever stands in a label stays in it", "[messages][prometheus]") {
  prometheus_text out;
  out.family("a", metric_kind::gauge, "A \"quoted\" word.");
  out.sample({{"x", "q\"} 1\nb\\"}}, 1);
  CHECK(out.take() == "# HELP a A \"quoted\" word.\n"
                      "# TYPE a gauge\n"
                      "a{x=\"q\\\"} 1\\nb\\\\\"} 1\n");
}

TEST_CASE("the buckets of a histogram add up", "[messages][prometheus]") {
  prometheus_text out;
  histogram values{bounds};
  values.observe(0.25);
  values.observe(1);
  values.observe(1e9);
  out.family("h", metric_kind::histogram, "H.");
  out.sample({{"x", "1"}}, values);
  out.sample({}, histogram{bounds});
  CHECK(out.take() == "# HELP h H.\n"
                      "# TYPE h histogram\n"
                      "h_bucket{x=\"1\",le=\"0.5\"} 1\n"
                      "h_bucket{x=\"1\",le=\"1\"} 2\n"
                      "h_bucket{x=\"1\",le=\"67108864\"} 2\n"
                      "h_bucket{x=\"1\",le=\"+Inf\"} 3\n"
                      "h_sum{x=\"1\"} 1000000001.25\n"
                      "h_count{x=\"1\"} 3\n"
                      "h_bucket{le=\"0.5\"} 0\n"
                      "h_bucket{le=\"1\"} 0\n"
                      "h_bucket{le=\"67108864\"} 0\n"
                      "h_bucket{le=\"+Inf\"} 0\n"
                      "h_sum 0\n"
                      "h_count 0\n");
}

} // namespace prometheus_test
