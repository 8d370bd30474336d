#include "apps/engine/http/openapi/api_schemas.hpp"

namespace troupe {

namespace {

constexpr std::string_view schemas = R"({
"AnyObject":{"type":"object"},
"ForeignBody":{"type":"object","description":"As the API of this name documents it; docs/clients.md says what differs.",
 "properties":{"model":{"type":"string"},"stream":{"type":"boolean"},
  "maxToolRoundtrips":{"type":"integer","minimum":0,"maximum":100},
  "mcpServers":{"type":"array","items":{"type":"string"}}}},
"Error":{"type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],
 "properties":{"code":{"type":"string"},"message":{"type":"string"},"retryable":{"type":"boolean"}}}}},
"TurnOptions":{"type":"object","properties":{
 "model":{"type":"string"},"streaming":{"type":"boolean"},
 "maxToolRoundtrips":{"type":"integer","minimum":0,"maximum":100},
 "mcpServers":{"type":"array","items":{"type":"string"}},
 "tools":{"oneOf":[{"type":"object"},{"type":"array","items":{"type":"object"}}]},
 "toolApproval":{"const":"always"},"parameters":{"type":"object"},"resumable":{"type":"boolean"},
 "whenBusy":{"enum":["refuse","wait","abort"]},"systemPrompt":{"type":"string"},"clientRequests":{"type":"boolean"},
 "prompt":{"type":"object","required":["server","name"],"properties":{"server":{"type":"string"},
  "name":{"type":"string"},"arguments":{"type":"object","additionalProperties":{"type":"string"}}}}}},
"Turn":{"allOf":[{"$ref":"#/components/schemas/TurnOptions"},{"type":"object","properties":{
 "message":{"type":"string"},
 "messages":{"type":"array","items":{"type":"object"}},"replaceHistory":{"type":"boolean"},
 "replaceFrom":{"type":"string"},"resume":{"type":"boolean"},"ephemeral":{"type":"boolean"}}}]},
"UiTurn":{"allOf":[{"$ref":"#/components/schemas/TurnOptions"},{"type":"object","required":["id"],"properties":{
 "id":{"type":"string"},"message":{"oneOf":[{"type":"string"},{"type":"object"}]},
 "messages":{"type":"array","items":{"type":"object"}},
 "trigger":{"enum":["submit-message","regenerate-message"]},"messageId":{"type":"string"},
 "ephemeral":{"type":"boolean"},"uiProfile":{"enum":["v5-min","v6","v7"]}}}]},
"ChatTurn":{"oneOf":[{"$ref":"#/components/schemas/UiTurn"},{"$ref":"#/components/schemas/ForeignBody"}]},
"ToolResults":{"allOf":[{"$ref":"#/components/schemas/TurnOptions"},{"type":"object","required":["results"],
 "properties":{"results":{"type":"array","items":{"type":"object","required":["toolCallId"],
  "properties":{"toolCallId":{"type":"string"},"output":{},"error":{"type":"string"}}}}}}]},
"Approvals":{"type":"object","required":["approvals"],"properties":{"approvals":{"type":"array",
 "items":{"type":"object","required":["approvalId","approved"],"properties":{"approvalId":{"type":"string"},
  "approved":{"type":"boolean"},"reason":{"type":"string"}}}}}},
"Model":{"type":"object","properties":{"id":{"type":"string"},"object":{"const":"model"},
 "created":{"type":"integer"},"owned_by":{"type":"string"},"type":{"const":"model"},
 "created_at":{"type":"string"},"display_name":{"type":"string"}}},
"ModelList":{"type":"object","properties":{"object":{"const":"list"},
 "data":{"type":"array","items":{"$ref":"#/components/schemas/Model"}},"has_more":{"type":"boolean"},
 "first_id":{"type":["string","null"]},"last_id":{"type":["string","null"]}}},
"ConversationInfo":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},
 "createdAt":{"type":"integer"},"updatedAt":{"type":"integer"},"messageCount":{"type":"integer"},
 "version":{"type":"integer"}}},
"ConversationPage":{"type":"object","properties":{"conversations":{"type":"array",
 "items":{"$ref":"#/components/schemas/ConversationInfo"}}}},
"Conversation":{"allOf":[{"$ref":"#/components/schemas/ConversationInfo"},{"type":"object","properties":{
 "overrides":{"type":"object"},"messages":{"type":"array","items":{"type":"object"}},
 "lastTurn":{"type":["object","null"]}}}]},
"FileForm":{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"},
 "purpose":{"type":"string"}}},
"File":{"type":"object","properties":{"id":{"type":"string"},"object":{"const":"file"},"bytes":{"type":"integer"},
 "created_at":{"type":"integer"},"expires_at":{"type":["integer","null"]},"filename":{"type":"string"},
 "purpose":{"type":"string"},"status":{"const":"processed"},"type":{"const":"file"},
 "mime_type":{"type":"string"},"size_bytes":{"type":"integer"},"downloadable":{"type":"boolean"},"mediaType":{"type":"string"},"url":{"type":"string"}}},
"FileList":{"type":"object","properties":{"object":{"const":"list"},
 "data":{"type":"array","items":{"$ref":"#/components/schemas/File"}},"has_more":{"type":"boolean"},"next_page":{"type":["string","null"]}}},
"Title":{"type":"object","required":["title"],"properties":{"title":{"type":"string"}}},
"Branch":{"type":"object"},
"Overrides":{"type":"object","properties":{"model":{"type":["string","null"]},
 "mcpServers":{"type":["array","null"],"items":{"type":"string"}}}},
"Enabled":{"type":"object","required":["enabled"],"properties":{"enabled":{"type":"boolean"}}},
"ToolCall":{"type":"object","required":["server","tool"],"properties":{"server":{"type":"string"},
 "tool":{"type":"string"},"arguments":{"type":"object"},"asTask":{"type":"boolean"},
 "sessionId":{"type":"string"},"clientRequests":{"type":"boolean"}}},
"Resource":{"type":"object","required":["server","uri"],"properties":{"server":{"type":"string"},
 "uri":{"type":"string"},"refresh":{"type":"boolean"}}},
"Prompt":{"type":"object","required":["server","name"],"properties":{"server":{"type":"string"},
 "name":{"type":"string"},"arguments":{"type":"object","additionalProperties":{"type":"string"}}}}
})";

} // namespace

std::string_view api_schemas() {
  return schemas;
}

} // namespace troupe
