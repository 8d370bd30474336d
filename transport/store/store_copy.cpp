#include "transport/store/store_copy.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "messages/json.hpp"
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

constexpr size_t bytes_at_once = size_t{1} << 20;

failure copy_bytes(file_shelf& from, const stored_file& file, file_writer& to) {
  for (uint64_t at = 0; at < file.bytes;) {
    std::string piece;
    if (auto bad = from.read(file.id, at, bytes_at_once, piece))
      return bad;
    if (piece.empty())
      return file_bytes_gone();
    if (auto bad = to.write(piece))
      return bad;
    at += piece.size();
  }
  return to.end();
}

/// @return file_unknown: its bytes are gone
failure copy_one(file_shelf& from, const stored_file& file, file_shelf& to) {
  failure bad;
  static_cast<void>(to.remove(file.id)); // a part, of a copy that was broken off
  auto writer = to.create(file.id, bad);
  if (!writer)
    return bad;
  bad = copy_bytes(from, file, *writer);
  writer.reset();
  if (!bad)
    bad = to.keep(file);
  if (bad)
    static_cast<void>(to.remove(file.id));
  return bad;
}

/// Calls `visit(file)` for all files of a shelf, until it fails.
template <class Visit>
failure for_each_file(file_shelf& in, Visit visit) {
  std::string after;
  for (;;) {
    std::vector<stored_file> files;
    if (auto bad = in.all(after, files))
      return bad;
    if (files.empty())
      return {};
    for (const auto& file : files)
      if (auto bad = visit(file))
        return bad;
    after = files.back().id;
  }
}

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

failure copy_files(file_shelf& from, file_shelf& to, uint64_t& count) {
  return for_each_file(from, [&](const stored_file& file) {
    stored_file there;
    auto bad = to.find(file.owner, file.id, there);
    if (!bad) // an earlier copy brought it, and other chats may use it by now
      for (const auto& chat : file.chats)
        to.use(file.id, chat);
    if (bad.code != errc::file_unknown)
      return bad;
    bad = copy_one(from, file, to);
    count += bad ? 0 : 1;
    return bad.code == errc::file_unknown ? failure{} : bad;
  });
}

failure remove_gone_files(file_shelf& from, file_shelf& to) {
  return for_each_file(to, [&](const stored_file& file) {
    stored_file here;
    auto bad = from.find(file.owner, file.id, here);
    return bad.code == errc::file_unknown ? to.remove(file.id) : bad;
  });
}

} // namespace troupe
