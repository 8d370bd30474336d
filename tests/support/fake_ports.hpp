// Ports whose other side is the test.
#pragma once

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "messages/ports/ports.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/request_rules.hpp"

namespace troupe::test {

/// Records the requests and lets the test answer them. Whatever a test does, each request to a
/// model was one that strict servers take, or the test fails.
class fake_http : public http_port {
public:
  ~fake_http() override {
    for (const auto& each : calls)
      if (each->request.url.ends_with("/chat/completions"))
        CHECK(openai_body_fault(each->request.body) == "");
  }

  struct call {
    http_request request;
    receiver deliver;
    bool cancelled = false;
    int paused = 0;
    int resumed = 0;

    void head(uint16_t status, const std::string& type) {
      http_part part;
      part.status = status;
      part.content_type = type;
      deliver(std::move(part));
    }
    void bytes(std::string text) {
      http_part part;
      part.bytes = std::move(text);
      deliver(std::move(part));
    }
    void end(errc error = errc::none) {
      http_part part;
      part.last = true;
      part.error = error;
      deliver(std::move(part));
    }
    /// A whole streamed answer of the model.
    void stream(const std::vector<std::string>& chunks) {
      head(200, "text/event-stream");
      for (const auto& each : chunks)
        bytes("data: " + each + "\n\n");
      bytes("data: [DONE]\n\n");
      end();
    }
  };

  std::unique_ptr<http_exchange> open(http_request request, uint64_t, receiver deliver) override {
    calls.push_back(std::make_shared<call>(call{std::move(request), std::move(deliver)}));
    return std::make_unique<exchange>(calls.back());
  }

  std::vector<std::shared_ptr<call>> calls;

private:
  struct exchange : http_exchange {
    explicit exchange(std::shared_ptr<call> which) : of(std::move(which)) {}
    ~exchange() override {
      of->cancelled = true;
      of->deliver = nullptr;
    }
    void pause() override { ++of->paused; }
    void resume() override { ++of->resumed; }
    std::shared_ptr<call> of;
  };
};

/// Records what is sent to MCP servers and lets the test answer.
class fake_mcp : public mcp_port {
public:
  struct link {
    mcp_server_config config;
    uint64_t number = 0;
    receiver deliver;
    std::vector<mcp_outbound> sent;
    bool closing = false;
    bool destroyed = false;
    bool fails = false; ///< send() throws, as a defect would

    void signal(mcp_signal what, errc error = errc::none, std::string text = {}) {
      mcp_inbound in;
      in.channel = number;
      in.signal = what;
      in.error = error;
      in.error_text = std::move(text);
      deliver(std::move(in));
    }
    void receive(std::vector<std::string> messages) {
      mcp_inbound in;
      in.channel = number;
      in.messages = std::move(messages);
      deliver(std::move(in));
    }
    void result(int64_t id, const std::string& json) {
      receive({R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + json + "}"});
    }
    /// The last request with this method; id 0 if there was none.
    mcp_outbound last(const std::string& method) const {
      for (auto each = sent.rbegin(); each != sent.rend(); ++each)
        if (each->method == method)
          return *each;
      return {};
    }
  };

  std::unique_ptr<mcp_channel> open(const mcp_server_config& config, uint64_t number,
                                    receiver deliver) override {
    links.push_back(std::make_shared<link>());
    links.back()->config = config;
    links.back()->number = number;
    links.back()->deliver = std::move(deliver);
    return std::make_unique<channel>(links.back());
  }

  std::vector<std::shared_ptr<link>> links;

private:
  struct channel : mcp_channel {
    explicit channel(std::shared_ptr<link> which) : of(std::move(which)) {}
    ~channel() override {
      of->destroyed = true;
      of->deliver = nullptr;
    }
    void send(mcp_outbound message) override {
      if (of->fails)
        throw std::runtime_error{"this channel fails"};
      of->sent.push_back(std::move(message));
    }
    void close() override { of->closing = true; }
    std::shared_ptr<link> of;
  };
};

/// What a client has received so far.
struct received {
  std::vector<event> events;
  std::vector<uint64_t> numbers;
  failure refused;
  bool wants_more = true;
  std::function<void(response_signal)> signal;

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& each : events)
      out.emplace_back(name_of(each));
    return out;
  }
};

/// Writes down what arrives.
class recording_sink : public event_sink {
public:
  explicit recording_sink(std::shared_ptr<received> into) : into_(std::move(into)) {}
  void watch(std::function<void(response_signal)> watcher) override {
    into_->signal = std::move(watcher);
  }
  bool deliver(const event_batch& batch) override {
    for (size_t i = 0; i < batch.events.size(); ++i) {
      into_->events.push_back(batch.events[i]);
      into_->numbers.push_back(batch.first_seq + i);
    }
    return into_->wants_more;
  }
  void refuse(const failure& why) override { into_->refused = why; }

private:
  std::shared_ptr<received> into_;
};

} // namespace troupe::test
