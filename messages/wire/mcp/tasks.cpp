#include "messages/wire/mcp/tasks.hpp"

#include <algorithm>

#include "messages/json_object.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view tasks_get_method = "tasks/get";
constexpr std::string_view related_key = "io.modelcontextprotocol/related-task";
constexpr double most_ms = 1e12; ///< some 30 years, above any use; sums of it do not overflow

constexpr task_status statuses[] = {task_status::working, task_status::input_required,
                                    task_status::completed, task_status::failed,
                                    task_status::cancelled};

milliseconds read_ms(std::string_view value) {
  return milliseconds{static_cast<int64_t>(std::clamp(number_of(value), 0.0, most_ms))};
}

failure read_task(std::string_view object, task& out) {
  std::string_view id, status, message, created, updated, ttl, poll;
  read_members(object, {{"taskId", &id},
                        {"status", &status},
                        {"statusMessage", &message},
                        {"createdAt", &created},
                        {"lastUpdatedAt", &updated},
                        {"ttl", &ttl},
                        {"pollInterval", &poll}});
  if (json_string(id).empty())
    return broken(tasks_get_method, "the task has no taskId");
  const auto* known = std::find_if(std::begin(statuses), std::end(statuses), [&](task_status each) {
    return to_string(each) == json_string(status);
  });
  if (known == std::end(statuses))
    return broken(tasks_get_method,
                  "the status of task \"" + json_string(id) + "\" is none of the five");
  out = {json_string(id),      *known,       json_string(message), json_string(created),
         json_string(updated), read_ms(ttl), read_ms(poll)};
  return {};
}

void append_task(json_buffer& out, const task& what) {
  json_object{out}
      .member("taskId", what.id)
      .member("status", what.status)
      .given("statusMessage", what.status_message)
      .member("createdAt", what.created_at)
      .member("lastUpdatedAt", what.last_updated_at)
      .or_null("ttl", what.ttl.count())
      .given("pollInterval", what.poll_interval.count());
}

} // namespace

std::string to_string(task_status what) {
  switch (what) {
  case task_status::working:
    return "working";
  case task_status::input_required:
    return "input_required";
  case task_status::completed:
    return "completed";
  case task_status::failed:
    return "failed";
  case task_status::cancelled:
    return "cancelled";
  }
  return "working";
}

std::string as_task_params(std::string_view params, milliseconds ttl) {
  return with_member(params, "task",
                     ttl.count() > 0 ? R"({"ttl":)" + std::to_string(ttl.count()) + "}" : "{}");
}

std::string task_params(std::string_view task_id) {
  return json_text([&](json_object& out) { out.member("taskId", task_id); });
}

failure parse(std::string_view result, task& out) {
  json_source source{result};
  if (auto bad = check_object(tasks_get_method, source))
    return bad;
  return read_task(source.root(), out);
}

failure parse_created(std::string_view result, task& out) {
  json_source source{result};
  if (auto bad = check_object("tools/call", source))
    return bad;
  std::string_view made;
  read_members(source.root(), {{"task", &made}});
  if (kind_of(made) != json_kind::object)
    return broken("tools/call", "the answer to a call as a task has no object \"task\"");
  return read_task(made, out);
}

bool asks_for_task(std::string_view params, milliseconds& ttl) {
  json_source source{params};
  std::string_view wanted, keep;
  read_members(source.root(), {{"task", &wanted}});
  if (kind_of(wanted) != json_kind::object)
    return false;
  read_members(wanted, {{"ttl", &keep}});
  ttl = read_ms(keep);
  return true;
}

std::string created_result(const task& made) {
  return json_text([&](json_object& out) { append_task(out.key("task"), made); });
}

std::string task_result(const task& known) {
  json_buffer out;
  append_task(out, known);
  return std::string{view(out)};
}

std::string with_related_task(std::string_view result, std::string_view task_id) {
  return with_meta(result, related_key, task_params(task_id));
}

std::string task_id_of(std::string_view params) {
  json_source source{params};
  std::string_view id;
  read_members(source.root(), {{"taskId", &id}});
  return json_string(id);
}

std::string related_task(std::string_view params) {
  json_source source{params};
  std::string_view meta, related, id;
  read_members(source.root(), {{"_meta", &meta}});
  read_members(meta, {{related_key, &related}});
  read_members(related, {{"taskId", &id}});
  return json_string(id);
}

} // namespace troupe::mcp
