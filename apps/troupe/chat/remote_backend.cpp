#include <utility>

#include "apps/troupe/chat/chat_backend.hpp"
#include "apps/troupe/server_client.hpp"
#include "messages/json.hpp"

namespace troupe {

namespace {

class remote final : public chat_backend {
public:
  remote(std::string url, const std::string& session_id, std::string model)
      : server_(std::move(url)), session_("/v1/sessions/" + path_segment(session_id)),
        model_(std::move(model)) {}

  failure run(const std::string& prompt, const event_printer& print) override {
    auto answer = server_.stream("POST", session_ + "/turns", turn_body(prompt),
                                 [&](const sse_event& said) { print(said.data); });
    if (answer.ok())
      return {};
    return {answer.error ? answer.error.code : errc::request_invalid, answer.complaint()};
  }

  void abort() override { server_.post(session_ + "/abort", "{}"); }

private:
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

  server_client server_;
  std::string session_;
  std::string model_;
};

} // namespace

std::unique_ptr<chat_backend> remote_backend(std::string url, const std::string& session_id,
                                             std::string model) {
  return std::make_unique<remote>(std::move(url), session_id, std::move(model));
}

} // namespace troupe
