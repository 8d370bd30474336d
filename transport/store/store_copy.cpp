#include "transport/store/store_copy.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "transport/store/file_copy.hpp"
#include "transport/store/owner_copy.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// The mark is a setting, whose value names the source.
constexpr const char* copy_mark = "storeCopy";

std::string mark_of(const std::string& from_name) {
  json_buffer out;
  append_json(out, from_name);
  return std::string{view(out)};
}

/// Finds the mark in settings, and takes it out. @return the name of the source; "": there is none
std::string take_mark(std::vector<setting>& all) {
  std::string out;
  std::erase_if(all, [&](const setting& each) {
    if (each.key != copy_mark)
      return false;
    stored::read(each.value, out);
    return true;
  });
  return out;
}

/// Copies the whole store: the rows beside conversations, and the order of it all.
class whole_copy {
public:
  whole_copy(const copy_way& way, copy_watcher& watcher, copy_report& out)
      : way_{way}, watcher_{watcher}, out_{out} {}

  failure run() {
    if (auto error = look())
      return error;
    if (auto error = begin())
      return error;
    owner_copy chats{way_, takes_over_, watcher_, out_};
    list_owners ask;
    do {
      auto piece = way_.from.owners(ask);
      if (piece.error)
        return piece.error;
      for (const auto& owner : piece.owners) {
        if (auto error = chats.run(owner))
          return error;
        ++out_.owners;
      }
      ask.after = piece.next;
    } while (ask.after != 0);
    if (way_.files != nullptr && way_.files_to != nullptr)
      if (auto error = bring_files(*way_.files, *way_.files_to))
        return error;
    return finish();
  }

private:
  /// Reads the small things of both sides, and decides whether the target may be used.
  failure look() {
    settings_ = way_.from.settings({});
    keys_ = way_.from.keys({true});
    there_ = way_.to.settings({});
    keys_there_ = way_.to.keys({true});
    auto owners = way_.to.owners({0, 1});
    for (const auto* each :
         {&settings_.error, &keys_.error, &there_.error, &keys_there_.error, &owners.error})
      if (*each)
        return *each;
    if (const auto source = take_mark(settings_.settings); !source.empty())
      return {errc::request_invalid, "the source is itself a copy that is not whole, of " + source};
    const auto begun = take_mark(there_.settings);
    const bool is_empty =
        there_.settings.empty() && keys_there_.keys.empty() && owners.owners.empty();
    if (!begun.empty() && begun != way_.from_name)
      return {errc::request_invalid, fmt::format("the target has a part of {}: copy that to the "
                                                 "end, or name another target",
                                                 begun)};
    if (begun.empty() && !is_empty && !way_.adds)
      return {errc::request_invalid, "the target is not empty; name another one, or say --add: "
                                     "what is there stays then, and what is missing comes"};
    takes_over_ = !begun.empty() || is_empty;
    return {};
  }

  failure begin() {
    if (auto error = way_.to.begin())
      return error;
    auto error = takes_over_ ? way_.to.put(setting{copy_mark, mark_of(way_.from_name)}) : failure{};
    if (!error)
      error = copy_keys();
    if (!error)
      error = copy_settings();
    if (!error)
      return way_.to.commit();
    way_.to.roll_back();
    return error;
  }

  failure copy_keys() {
    std::set<std::string> there;
    for (const auto& each : keys_there_.keys)
      there.insert(each.id);
    for (const auto& each : keys_.keys) {
      if (there.contains(each.id) && !takes_over_)
        continue;
      if (auto error = way_.to.put(each))
        return error;
      out_.keys += there.contains(each.id) ? 0 : 1;
    }
    return {};
  }

  failure copy_settings() {
    std::set<std::string> there;
    for (const auto& each : there_.settings)
      there.insert(each.key);
    for (const auto& each : settings_.settings) {
      const bool is_there = there.erase(each.key) > 0;
      if (is_there && !takes_over_)
        continue;
      if (auto error = way_.to.put(each))
        return error;
      out_.settings += is_there ? 0 : 1;
    }
    for (const auto& each : there) // removed in the source since
      if (takes_over_)
        if (auto error = way_.to.put(setting{each, {}}))
          return error;
    return {};
  }

  failure bring_files(file_shelf& from, file_shelf& to) {
    if (takes_over_)
      if (auto error = remove_gone_files(from, to))
        return error;
    return copy_files(from, to, out_.files);
  }

  failure finish() {
    if (takes_over_ && out_.left_out == 0)
      if (auto error = accept_copy(way_.to))
        return error;
    for (bool more = true; more;)
      if (auto error = way_.to.tidy(more))
        return error;
    return {};
  }

  const copy_way& way_;
  copy_watcher& watcher_;
  copy_report& out_;
  setting_list settings_, there_;
  key_list keys_, keys_there_;
  bool takes_over_ = false; ///< the target has nothing but what this copy brings
};

} // namespace

failure copy_store(const copy_way& way, copy_watcher& watcher, copy_report& out) {
  return whole_copy{way, watcher, out}.run();
}

failure unfinished_copy(store_connection& store, const std::string& shown) {
  auto found = store.settings({copy_mark});
  const auto source = take_mark(found.settings);
  if (source.empty())
    return {};
  return {errc::store_failed,
          fmt::format("{0} has a copy of {1} that is not whole: begin it again (troupe store copy "
                      "--from {1} --to {0}), or use it as it is (troupe store accept {0})",
                      shown, source)};
}

failure accept_copy(store_connection& store) {
  return store.put(setting{copy_mark, {}});
}

} // namespace troupe
