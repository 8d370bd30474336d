// An MCP server over HTTP that has everything, for tests of an engine.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "messages/mcp/mcp_config.hpp"
#include "messages/wire/json/json_source.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace troupe::test {

/// An MCP server over Streamable HTTP without sessions and without a stream of its own. Its tool
/// "ask" asks the client for a name and answers with what it got.
class web_mcp_server {
public:
  mcp_server_config entry(const std::string& name = "web") const {
    mcp_server_config out;
    out.name = name;
    out.type = "http";
    out.url = http_.url("/mcp");
    return out;
  }

  /// Returns the heads of all requests so far.
  std::string seen() const {
    std::lock_guard guard{mutex_};
    return seen_;
  }

private:
  static std::string json_answer(std::string_view id, std::string_view result) {
    auto body =
        R"({"jsonrpc":"2.0","id":)" + std::string{id} + R"(,"result":)" + std::string{result} + "}";
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  static std::string result_of(std::string_view method) {
    if (method == "initialize")
      return R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"web","version":"1"},)"
             R"("capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},)"
             R"("completions":{},"logging":{}}})";
    if (method == "tools/list")
      return R"({"tools":[{"name":"ask","inputSchema":{"type":"object"}}]})";
    if (method == "resources/list")
      return R"({"resources":[{"uri":"test://a","name":"a","mimeType":"text/plain"}]})";
    if (method == "resources/templates/list")
      return R"({"resourceTemplates":[{"uriTemplate":"test://{id}","name":"t"}]})";
    if (method == "resources/read")
      return R"({"contents":[{"uri":"test://a","mimeType":"text/plain","text":"content of a"}]})";
    if (method == "prompts/list")
      return R"({"prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]}]})";
    if (method == "prompts/get")
      return R"({"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]})";
    if (method == "completion/complete")
      return R"({"completion":{"values":["anna"]}})";
    return "{}";
  }

  /// Asks on the stream of the call, and waits for what the client posts.
  void ask(raw_connection& to, std::string_view id) {
    to.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
            "data: {\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"elicitation/create\",\"params\":"
            "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
            "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}}\n\n");
    json_source result{answers_.take()};
    std::string_view action, content, name;
    read_members(result.root(), {{"action", &action}, {"content", &content}});
    read_members(content, {{"name", &name}});
    to.send(R"(data: {"jsonrpc":"2.0","id":)" + std::string{id} +
            R"(,"result":{"content":[{"type":"text","text":")" + json_string(action) + ' ' +
            json_string(name) + "\"}]}}\n\n");
  }

  void serve(raw_connection& connection) {
    while (auto request = connection.request()) {
      auto head = request->substr(0, request->find("\r\n\r\n"));
      {
        std::lock_guard guard{mutex_};
        seen_ += head + '\n';
      }
      if (!head.starts_with("POST")) {
        connection.send("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n");
        continue;
      }
      json_source body{request->substr(head.size() + 4)};
      std::string_view id, method, result;
      read_members(body.root(), {{"id", &id}, {"method", &method}, {"result", &result}});
      if (!result.empty())
        answers_.put(std::string{result});
      if (method.empty() || id.empty()) {
        connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
      } else if (method == "\"tools/call\"") {
        ask(connection, id);
        return;
      } else {
        connection.send(json_answer(id, result_of(json_string(method))));
      }
    }
  }

  mutable std::mutex mutex_;
  std::string seen_;
  mailbox<std::string> answers_; ///< results that the client posted
  raw_server http_{[this](raw_connection& connection) { serve(connection); }};
};

} // namespace troupe::test
