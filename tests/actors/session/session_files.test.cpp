// Turns whose history names uploaded files: the store of files is the test.
#include "messages/ids.hpp"
#include "tests/actors/session/kept_chat.hpp"

namespace session_files_test {

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string id = make_id("file-");
const std::string data_url = "data:image/png;base64,iVBORw0KGgo=";

/// A chat whose model takes images, and whose files the test has.
class filed : public kept_chat {
public:
  filed() {
    settings.models["default"].images = true;
    files = sys.spawn([this](file_store_actor::pointer) {
      return file_store_actor::behavior_type{
          [](const begin_file&) {},
          [](const file_bytes&) {},
          [](const end_file&) { return file_answer{}; },
          [](const file_request&) { return file_answer{}; },
          [](const list_files&) { return file_page{}; },
          [](const read_file_piece&) { return file_piece{}; },
          [this](const read_chat_files& ask) {
            asked.push_back(ask);
            return answered;
          },
          [](const chat_files_news&) {},
          [](atom::tick) {},
      };
    });
    sys.registry().put(file_store_name, caf::actor_cast<caf::strong_actor_ptr>(files));
    answered.files = {{id, "image/png", "a.png", data_url}};
  }

  ~filed() {
    sys.registry().erase(file_store_name);
    crash(*this, files);
  }

  static turn_request with_file(const std::string& text) {
    auto made = request(text);
    made.messages.back().files.push_back({"image/png", "/v1/files/" + id});
    return made;
  }

  std::shared_ptr<received> ask_with_file(const std::string& text) {
    auto got = send(with_file(text));
    run();
    return got;
  }

  std::vector<read_chat_files> asked;
  file_contents answered;
  file_store_actor files;
};

} // namespace

TEST_CASE_METHOD(filed, "each request of a chat that names a file has its bytes",
                 "[actors][session_files]") {
  open();
  auto first = ask_with_file("look");
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].ids == strings{id});
  CHECK(asked[0].wanted == 1);
  CHECK(asked[0].kept);
  CHECK(http.calls.back()->request.body.find(data_url) != std::string::npos);
  answer({text_chunk("a cat")});
  CHECK(first->names() == plain_turn);
  send("and now?");
  REQUIRE(asked.size() == 2);
  CHECK(asked[1].wanted == 0);
  CHECK(http.calls.back()->request.body.find(data_url) != std::string::npos);
  answer({text_chunk("still a cat")});
  for (const auto& each : kept.data.load({"s"}).history)
    for (const auto& file : each.files)
      CHECK(file.url == "/v1/files/" + id); // what is kept has the name only
}

TEST_CASE_METHOD(filed, "a turn whose new file is not there fails before the model is asked",
                 "[actors][session_files]") {
  open();
  answered = {{errc::file_unknown, "There is no file."}, {}};
  auto got = ask_with_file("look");
  CHECK(http.calls.empty());
  REQUIRE(!got->events.empty());
  CHECK(std::get<session_error>(got->events.back()).error == errc::file_unknown);
  CHECK(counts().running_turns == 0);
}

TEST_CASE_METHOD(filed, "a file of an older message that is gone is told to the model",
                 "[actors][session_files]") {
  open();
  ask_with_file("look");
  answer({text_chunk("a cat")});
  answered.files.clear();
  send("and now?");
  CHECK(http.calls.back()->request.body.find("it is not kept any more") != std::string::npos);
  answer({text_chunk("what?")});
}

TEST_CASE_METHOD(filed, "without a store of files a new file is refused, an older one passed over",
                 "[actors][session_files]") {
  sys.registry().erase(file_store_name);
  open();
  auto got = ask_with_file("look");
  CHECK(std::get<session_error>(got->events.back()).error == errc::capability_missing);
  auto goes = send("go on");
  answer({text_chunk("ok")});
  CHECK(goes->names() == plain_turn);
}

TEST_CASE_METHOD(filed, "a turn that is stopped while its files are read asks no model",
                 "[actors][session_files]") {
  open();
  auto held = std::make_shared<caf::typed_response_promise<file_contents>>();
  auto slow = sys.spawn([this, held](file_store_actor::pointer me) {
    return file_store_actor::behavior_type{
        [](const begin_file&) {},
        [](const file_bytes&) {},
        [](const end_file&) { return file_answer{}; },
        [](const file_request&) { return file_answer{}; },
        [](const list_files&) { return file_page{}; },
        [](const read_file_piece&) { return file_piece{}; },
        [me, held](const read_chat_files&) -> caf::result<file_contents> {
          return *held = me->make_response_promise<file_contents>();
        },
        [](const chat_files_news&) {},
        [this, held](atom::tick) { held->deliver(answered); }, // an actor answers while it runs
    };
  });
  sys.registry().erase(file_store_name); // a name is given once
  sys.registry().put(file_store_name, caf::actor_cast<caf::strong_actor_ptr>(slow));
  auto got = ask_with_file("look");
  caf::anon_send<caf::message_priority::high>(hub, abort_turn{"s", "", "stop"});
  run();
  CHECK(got->names().back() == "SESSION_END");
  self->send(slow, atom::tick_v);
  run();
  CHECK(http.calls.empty());
  CHECK(counts().running_turns == 0);
  crash(*this, slow);
}

TEST_CASE_METHOD(filed, "texts of models about failures are hidden where that is wanted",
                 "[actors][session_files]") {
  settings.error_details = false;
  open();
  auto got = send("hi");
  http.calls.back()->head(500, "application/json");
  http.calls.back()->bytes(R"({"error":{"message":"upstream 10.0.0.7 is down"}})");
  http.calls.back()->end();
  run();
  const auto& error = std::get<session_error>(got->events.back());
  CHECK(error.error_text.find("10.0.0.7") == std::string::npos);
  CHECK(error.error_text == user_text(error.error));
}

} // namespace session_files_test
