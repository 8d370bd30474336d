#include "apps/troupe/chat/chat_client.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"

namespace troupe {

namespace {

std::string text_part(std::string_view text) {
  return R"({"type":"text","text":)" + to_json(std::string{text}) + '}';
}

std::string file_part(const attached_file& file) {
  if (file.media_type.starts_with("image/"))
    return R"({"type":"image_url","image_url":{"url":)" + to_json(file.url) + "}}";
  return fmt::format(R"({{"type":"file","file":{{"filename":{},"file_data":{}}}}})",
                     to_json(file.name), to_json(file.url));
}

std::string content_of(const turn_input& input) {
  if (input.files.empty())
    return to_json(input.text);
  std::string parts;
  for (const auto& each : input.files)
    parts += file_part(each) + ',';
  return '[' + parts + text_part(input.text) + ']';
}

std::string body_of(const turn_input& input) {
  std::string body = R"({"messages":[{"role":"user","content":)" + content_of(input) + "}]";
  if (input.system)
    body += R"(,"systemPrompt":)" + to_json(*input.system);
  if (!input.model.empty())
    body += R"(,"model":)" + to_json(input.model);
  if (input.answers)
    body += R"(,"clientRequests":true)";
  return body + '}';
}

} // namespace

chat_client::chat_client(server_client& server, std::string id) : server_{server} {
  use(std::move(id));
}

void chat_client::use(std::string id) {
  id_ = std::move(id);
  session_ = "/v1/sessions/" + path_segment(id_);
  conversation_ = "/v1/conversations/" + path_segment(id_);
}

std::unique_ptr<http_exchange> chat_client::begin_turn(const turn_input& input,
                                                       server_client::event_visitor visit,
                                                       server_client::end_visitor ended) {
  return server_.begin("POST", session_ + "/turns", body_of(input), std::move(visit),
                       std::move(ended));
}

server_answer chat_client::approve(std::string_view approval_id, bool approved) {
  return server_.send("POST", session_ + "/approvals",
                      fmt::format(R"({{"approvals":[{{"approvalId":{},"approved":{}}}]}})",
                                  to_json(std::string{approval_id}), approved));
}

server_answer chat_client::latest(int limit) {
  return server_.send("GET", fmt::format("/v1/conversations?limit={}", limit));
}

} // namespace troupe
