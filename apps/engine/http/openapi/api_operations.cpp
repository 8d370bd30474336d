#include "apps/engine/http/openapi/api_operations.hpp"

#include <array>

namespace troupe {

namespace {

constexpr auto events = api_answer::events;
constexpr auto either = api_answer::json_or_events;
constexpr auto json = api_answer::json;

constexpr api_operation admin(api_operation of) {
  of.access = route_access::admins;
  return of;
}

constexpr api_operation anyone(api_operation of) {
  of.access = route_access::everybody;
  return of;
}

constexpr auto operations = std::to_array<api_operation>({
    {"POST", "/api/chat", "turns",
     "Runs a turn, answered as a UI message stream of the AI SDK; Ollama: a chat",
     api_answer::any_stream, "ChatTurn"},
    {"GET", "/api/chat/{id}/stream", "turns",
     "The running turn of a chat as a UI message stream; 204 when nothing runs", events},
    {"POST", "/api/chat/{id}/stop", "turns", "Stops the running turn of a chat"},
    {"POST", "/v1/sessions/{id}/turns", "turns", "Runs a turn, answered as native events", events,
     "Turn", "", "turn"},
    {"GET", "/v1/sessions/{id}/events", "turns",
     "The running turn of a chat, from after an event on", events, "", "", "after turn"},
    {"POST", "/v1/sessions/{id}/tool-results", "turns",
     "Goes on with the results of tools that the client ran", events, "ToolResults", "", "turn"},
    {"POST", "/v1/sessions/{id}/approvals", "turns", "Answers calls that wait for an approval",
     json, "Approvals"},
    {"POST", "/v1/sessions/{id}/abort", "turns", "Stops the running turn of a chat", json, "", "",
     "turn"},
    {"GET", "/v1/ws", "turns", "A WebSocket for many chats", api_answer::nothing},
    {"POST", "/v1/chat/completions", "clients", "OpenAI: a chat completion", either, "ForeignBody"},
    {"POST", "/v1/completions", "clients", "OpenAI: a completion of a prompt", either,
     "ForeignBody"},
    {"POST", "/v1/responses", "clients", "OpenAI: a response", either, "ForeignBody"},
    {"GET", "/v1/responses/{id}", "clients", "OpenAI: a response that was stored"},
    {"POST", "/v1/embeddings", "clients", "OpenAI: embeddings of the model's provider", json,
     "ForeignBody"},
    {"POST", "/v1/messages", "clients", "Anthropic: a message", either, "ForeignBody"},
    {"POST", "/v1/messages/count_tokens", "clients", "Anthropic: an estimate of a request's tokens",
     json, "ForeignBody"},
    {"POST", "/api/generate", "clients", "Ollama: the answer to a prompt",
     api_answer::json_or_lines, "ForeignBody"},
    {"GET", "/api/tags", "clients", "Ollama: the names of models"},
    {"POST", "/api/show", "clients", "Ollama: what a model can do", json, "ForeignBody"},
    {"GET", "/api/version", "clients", "Ollama: the version whose API this is"},
    {"GET", "/v1/models", "clients", "The names of models", json, "", "ModelList"},
    {"GET", "/v1/models/{id}", "clients", "One model", json, "", "Model"},
    {"GET", "/v1/conversations", "conversations", "Lists what is kept", json, "",
     "ConversationPage", "limit cursor"},
    {"DELETE", "/v1/conversations", "conversations", "Deletes the conversations that fit, or all",
     json, "", "", "id before all dryRun"},
    {"GET", "/v1/conversations/search", "conversations", "Looks for words in the messages", json,
     "", "", "q limit cursor"},
    {"POST", "/v1/conversations/import", "conversations", "Makes a conversation of an exported one",
     json, "AnyObject", "ConversationInfo", "id"},
    {"GET", "/v1/conversations/{id}", "conversations",
     "A conversation with its messages, as pages show them", json, "", "Conversation"},
    {"PATCH", "/v1/conversations/{id}", "conversations", "Renames a conversation", json, "Title",
     "ConversationInfo"},
    {"DELETE", "/v1/conversations/{id}", "conversations",
     "Deletes a conversation; a running turn is stopped"},
    {"POST", "/v1/conversations/{id}/branch", "conversations",
     "Copies a conversation up to a message", json, "Branch", "ConversationInfo"},
    {"GET", "/v1/conversations/{id}/export", "conversations", "A conversation as a file"},
    {"GET", "/v1/conversations/{id}/overrides", "conversations", "The settings of a chat", json, "",
     "Overrides"},
    {"PUT", "/v1/conversations/{id}/overrides", "conversations", "Replaces the settings of a chat",
     json, "Overrides", "Overrides"},
    {"GET", "/v1/usage", "conversations", "What turns used, by day and model", json, "", "",
     "from to"},
    {"POST", "/v1/files", "files",
     "Uploads a file, in a form as with OpenAI's API, or as a body with its own Content-Type", json,
     "FileForm", "File", "filename purpose", route_access::owners, "multipart/form-data"},
    {"GET", "/v1/files", "files", "Lists what was uploaded", json, "", "FileList",
     "after after_id limit order page purpose"},
    {"GET", "/v1/files/{id}", "files", "One file", json, "", "File"},
    {"GET", "/v1/files/{id}/content", "files", "The bytes of a file", api_answer::bytes},
    {"DELETE", "/v1/files/{id}", "files", "Deletes a file"},
    {"GET", "/v1/mcp/servers", "mcp", "All MCP servers"},
    {"GET", "/v1/mcp/servers/{name}", "mcp", "One MCP server"},
    admin({"PUT", "/v1/mcp/servers/{name}", "mcp", "Adds an MCP server or changes it", json,
           "AnyObject"}),
    admin({"PATCH", "/v1/mcp/servers/{name}", "mcp", "Enables or disables an MCP server", json,
           "Enabled"}),
    admin({"DELETE", "/v1/mcp/servers/{name}", "mcp", "Disconnects an MCP server and forgets it"}),
    admin({"POST", "/v1/mcp/servers/{name}/retry", "mcp", "Connects an MCP server now"}),
    {"POST", "/v1/mcp/servers/{name}/ping", "mcp", "Asks whether an MCP server answers"},
    {"GET", "/v1/mcp/tools", "mcp", "The tools of the connected servers", json, "", "", "server"},
    {"POST", "/v1/mcp/tools/call", "mcp", "Calls a tool", either, "ToolCall"},
    {"GET", "/v1/mcp/resources", "mcp", "The resources of the connected servers", json, "", "",
     "server"},
    {"POST", "/v1/mcp/resources/read", "mcp", "Reads a resource, through the cache", json,
     "Resource"},
    {"POST", "/v1/mcp/resources/subscribe", "mcp", "Asks for events about a resource", json,
     "Resource"},
    admin({"POST", "/v1/mcp/resources/unsubscribe", "mcp", "Takes that back", json, "Resource"}),
    {"GET", "/v1/mcp/prompts", "mcp", "The prompts of the connected servers", json, "", "",
     "server"},
    {"POST", "/v1/mcp/prompts/get", "mcp", "The messages of a prompt", json, "Prompt"},
    {"POST", "/v1/mcp/complete", "mcp", "Completes an argument", json, "AnyObject"},
    admin({"POST", "/v1/mcp/log-level", "mcp", "Sets how much an MCP server logs", json,
           "AnyObject"}),
    admin(
        {"POST", "/v1/mcp/request", "mcp", "Any other request of the protocol", json, "AnyObject"}),
    {"GET", "/v1/mcp/events", "mcp", "What changes, as server-sent events", events, "", "",
     "answers"},
    {"POST", "/v1/mcp/requests/{id}", "mcp", "Answers what an MCP server asked of the client", json,
     "AnyObject"},
    {"POST", "/v1/sessions/{id}/attachments", "mcp",
     "Adds a resource to the next message of a chat", json, "Resource"},
    {"GET", "/v1/sessions/{id}/attachments", "mcp", "What is attached"},
    {"DELETE", "/v1/sessions/{id}/attachments/{attachment}", "mcp", "Takes an attachment away"},
    admin({"GET", "/v1/status", "server", "What is going on"}),
    admin({"GET", "/metrics", "server", "Metrics for Prometheus", api_answer::text}),
    anyone({"GET", "/healthz", "server", "The process answers", api_answer::text}),
    anyone({"GET", "/readyz", "server", "The server takes turns; else 503 with the reason",
            api_answer::text}),
    anyone({"GET", "/openapi.json", "server", "This description"}),
    anyone({"GET", "/", "server", "The version and the main routes; for browsers the web page",
            api_answer::bytes}),
    anyone({"GET", "/page/assets/{file}", "server", "A file of the web page", api_answer::bytes}),
});

} // namespace

std::span<const api_operation> api_operations() {
  return operations;
}

} // namespace troupe
