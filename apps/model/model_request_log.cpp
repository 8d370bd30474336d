#include "apps/model/model_request_log.hpp"

#include <algorithm>
#include <utility>

#include "messages/json.hpp"

namespace troupe::scripted {

void model_request_log::add(logged_request what) {
  if (ring_.size() < capacity) {
    ring_.push_back(std::move(what));
    return;
  }
  ring_[next_] = std::move(what);
  next_ = (next_ + 1) % capacity;
}

void model_request_log::clear() {
  ring_.clear();
  next_ = 0;
}

void model_request_log::copy_to(std::vector<logged_request>& out) const {
  out.insert(out.end(), ring_.begin(), ring_.end());
}

std::string to_json_array(std::vector<logged_request> requests) {
  std::sort(requests.begin(), requests.end(),
            [](const auto& a, const auto& b) { return a.seq < b.seq; });
  if (requests.size() > model_request_log::capacity)
    requests.erase(requests.begin(), requests.end() - model_request_log::capacity);
  json_buffer out;
  out.push_back('[');
  for (const auto& each : requests) {
    if (out.size() > 1)
      out.push_back(',');
    append_raw(out, R"({"seq":)");
    append_json(out, each.seq);
    append_raw(out, R"(,"model":)");
    append_json(out, each.model);
    append_raw(out, R"(,"body":)");
    if (each.is_json)
      append_raw(out, each.body);
    else
      append_json(out, each.body);
    append_raw(out, R"(,"path":)");
    append_json(out, each.path);
    out.push_back('}');
  }
  out.push_back(']');
  return std::string{view(out)};
}

} // namespace troupe::scripted
