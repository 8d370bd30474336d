#include <future>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/chat_backend.hpp"
#include "messages/json.hpp"
#include "messages/wire/sse.hpp"
#include "transport/http_client.hpp"
#include "transport/loop.hpp"

namespace troupe {

namespace {

class remote final : public chat_backend {
public:
  remote(std::string url, std::string session_id, std::string model)
      : loops_(1), http_(loops_), model_(std::move(model)) {
    while (url.ends_with('/'))
      url.pop_back();
    session_url_ = url + "/v1/sessions/" + session_id;
  }

  failure run(const std::string& prompt, const event_printer& print) override {
    answer reading{print};
    auto done = reading.done.get_future();
    auto exchange = http_.open(post("/turns", turn_body(prompt)), 0,
                               [&](http_part&& part) { reading.take(part); });
    return done.get();
  }

  void abort() override {
    stopping_ = http_.open(post("/abort", "{}"), 0, [](http_part&&) {});
  }

private:
  /// One answer on its way; used by the loop's thread alone.
  struct answer {
    explicit answer(const event_printer& each) : print(each) {}

    const event_printer& print;
    sse_parser events;
    std::string refusal; ///< the body of an answer that is no stream
    uint16_t status = 0;
    std::promise<failure> done;

    void take(const http_part& part) {
      if (part.status != 0)
        status = part.status;
      if (status == 200)
        events.feed(part.bytes, [this](const sse_event& event) {
          print(event.data);
          return true;
        });
      else
        refusal += part.bytes;
      if (part.last)
        done.set_value(outcome(part));
    }

    failure outcome(const http_part& part) const {
      if (part.error != errc::none)
        return {part.error, part.error_text};
      if (status != 200)
        return {errc::request_invalid, fmt::format("the server answered {}: {}", status, refusal)};
      return {};
    }
  };

  http_request post(std::string_view path, std::string body) const {
    http_request request;
    request.method = "POST";
    request.url = session_url_ + std::string{path};
    request.fields = {{"content-type", "application/json"}};
    request.body = std::move(body);
    request.deadlines = {std::chrono::seconds{10}, {}, {}, {}};
    return request;
  }

  std::string turn_body(const std::string& prompt) const {
    json_buffer body;
    append_raw(body, R"({"message":)");
    append_json(body, prompt);
    if (!model_.empty()) {
      append_raw(body, R"(,"model":)");
      append_json(body, model_);
    }
    append_raw(body, "}");
    return std::string{view(body)};
  }

  shards loops_;
  http_client http_;
  std::string session_url_;
  std::string model_;
  std::unique_ptr<http_exchange> stopping_;
};

} // namespace

std::unique_ptr<chat_backend> remote_backend(std::string url, std::string session_id,
                                             std::string model) {
  return std::make_unique<remote>(std::move(url), std::move(session_id), std::move(model));
}

} // namespace troupe
