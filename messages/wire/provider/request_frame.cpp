#include "messages/wire/provider/request_frame.hpp"

#include <algorithm>
#include <utility>

#include "messages/ascii_case.hpp"

namespace troupe {

namespace {

/// Adds the field, in the place of those of its name.
void put(headers& into, const header& field) {
  std::erase_if(into, [&](const auto& each) { return same_ignoring_case(each.name, field.name); });
  into.push_back(field);
}

} // namespace

bool streams(const model_request& asked) {
  return asked.streaming < 0 ? asked.model.streaming : asked.streaming != 0;
}

std::string_view model_name(const model_config& model) {
  return model.model.empty() ? model.name : model.model;
}

bool has_field(const headers& fields, std::string_view name) {
  return std::ranges::any_of(
      fields, [name](const header& each) { return same_ignoring_case(each.name, name); });
}

std::string method_url(std::string_view base, std::string_view path) {
  const auto query = base.find('?');
  auto url = std::string{base.substr(0, query)};
  while (url.ends_with('/'))
    url.pop_back();
  if (!url.ends_with(path))
    url.append(path);
  if (query == std::string_view::npos)
    return url;
  const auto joined = url.find('?') == std::string::npos;
  return url.append(joined ? "?" : "&").append(base.substr(query + 1));
}

http_request json_request(const model_request& asked, std::string url, header key,
                          std::string body) {
  http_request request;
  request.method = "POST";
  request.url = std::move(url);
  request.fields.push_back({"content-type", "application/json"});
  request.fields.push_back({"accept", streams(asked) ? "text/event-stream" : "application/json"});
  if (!key.name.empty())
    request.fields.push_back(std::move(key));
  for (const auto& each : asked.model.fields)
    put(request.fields, each);
  request.body = std::move(body);
  request.proxy = asked.model.proxy;
  request.deadlines = {asked.model.timeouts.connect, {}, {}, {}}; // the model_stream has the others
  return request;
}

} // namespace troupe
