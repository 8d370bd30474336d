// A reader that only writes down what its model_stream says.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/model/model_stream.hpp"
#include "actors/registry.hpp"
#include "tests/actors/model/model_chunks.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"

namespace troupe::test {

/// One model request to "default", which stands alone until the test adds models.
class stream_listener : public deterministic {
public:
  /// One reader with its stream, and what it was told.
  struct reader {
    model_reader_actor actor;
    model_stream_actor stream;
    std::vector<model_output> outputs;
    std::vector<fallback_due> due;
    std::vector<caf::error> ends;
  };

  stream_listener() { add("default"); }

  ~stream_listener() {
    for (const auto& each : readers)
      if (each->actor)
        crash(*this, each->actor, caf::exit_reason::kill);
    for (auto& each : readers)
      each->actor = nullptr, each->stream = nullptr;
  }

  model_config& add(const std::string& name) {
    auto& model = settings.models[name];
    model.name = name;
    model.base_url = "http://" + name + ".test/v1";
    return model;
  }

  model_config& model(const std::string& name = "default") { return settings.models.at(name); }

  /// Sends a request; what stands in settings counts from now on.
  reader& open(const std::string& name = "default") {
    readers.push_back(std::make_shared<reader>());
    auto made = readers.back();
    auto shared = std::make_shared<const chat_settings>(settings);
    made->actor = sys.spawn([=, this](model_reader_actor::pointer me) {
      me->set_exit_handler([=](caf::exit_msg& msg) {
        if (msg.source == me->address())
          me->quit(msg.reason);
        made->ends.push_back(msg.reason);
      });
      auto self_handle = caf::actor_cast<model_reader_actor>(me);
      made->stream = spawn_model_stream(*me, self_handle, request_of(shared, name));
      return model_reader_actor::behavior_type{
          [=](const model_output& output) { made->outputs.push_back(output); },
          [=, this](const fallback_due& due) {
            made->due.push_back(due);
            if (answers)
              me->send(made->stream,
                       fallback_request{request_to(*due.model, due.without_sealed_reasoning)});
          }};
    });
    run();
    return *made;
  }

  fake_http::call& call() { return *http.calls.back(); }

  /// The model answers the last request with a refusal.
  void refuse(uint16_t status, const std::string& retry_after = "") {
    http_part part;
    part.status = status;
    part.content_type = "application/json";
    part.retry_after = retry_after;
    part.bytes = R"({"error":{"message":"try later"}})";
    part.last = true;
    call().deliver(std::move(part));
    run();
  }

  void answer(const std::vector<std::string>& texts) {
    std::vector<std::string> chunks;
    for (const auto& text : texts)
      chunks.push_back(text_chunk(text));
    call().stream(chunks);
    run();
  }

  const std::vector<model_output>& outputs() const { return readers.front()->outputs; }

  /// The output that ended the first reader's answer.
  const model_output& end() const {
    REQUIRE(!outputs().empty());
    REQUIRE(outputs().back().over);
    return outputs().back();
  }

  /// All text that a reader was told.
  static std::string text_of(const reader& by) {
    std::string text;
    for (const auto& output : by.outputs)
      for (const auto& each : output.events)
        if (const auto* delta = std::get_if<text_delta>(&each))
          text += delta->text;
    return text;
  }

  std::string text() const { return text_of(*readers.front()); }

  fake_http http;
  chat_settings settings;
  double chance = 0.5; ///< of every jitter
  bool answers = true; ///< whether readers make the requests to fallbacks
  std::string
      sealed_reasoning; ///< provider_metadata of an answer in the history; "" = there is none
  std::vector<std::shared_ptr<reader>> readers;

private:
  http_request request_to(const model_config& asked, bool without_sealed_reasoning = false) const {
    std::vector<chat_message> history{user_message("hi")};
    if (!sealed_reasoning.empty()) {
      history.push_back({role::assistant, "said", {}, {}, {}});
      history.back().provider_metadata = sealed_reasoning;
      history.push_back(user_message("more"));
    }
    return request_for(
        {.model = asked, .history = history, .without_sealed_reasoning = without_sealed_reasoning},
        "");
  }

  model_stream_config request_of(const std::shared_ptr<const chat_settings>& shared,
                                 const std::string& name) {
    const auto& asked = shared->models.at(name);
    model_stream_config spec;
    spec.http = &http;
    spec.model = share_model(shared, asked);
    spec.request = request_to(asked);
    spec.fallbacks = fallbacks_of(shared, asked);
    spec.id_prefix = "made_";
    spec.number = 3;
    spec.chance = [this] { return chance; };
    return spec;
  }
};

} // namespace troupe::test
