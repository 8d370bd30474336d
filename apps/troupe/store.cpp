#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "apps/engine/file_folder_shelf.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/folder_owner.hpp"
#include "messages/json.hpp"
#include "messages/terminal_text.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/postgres_store.hpp"
#include "transport/sqlite/sqlite_store.hpp"
#include "transport/store/store_copy.hpp"

namespace troupe {

namespace {

namespace fs = std::filesystem;

/// A whole list, or a very long conversation, may take its time here.
constexpr std::chrono::minutes longest_question{10};
constexpr std::chrono::seconds between_lines{5};

struct store_options {
  std::string from, to;
  bool adds = false;
  bool json = false;
};

/// A store that nobody else uses meanwhile, and the way into it.
struct opened_store {
  std::string name; ///< as people see it
  std::unique_ptr<store_port> port;
  std::unique_ptr<store_connection> connection;
  std::unique_ptr<file_shelf> files; ///< that owners have uploaded
};

int fail_store(const failure& why) {
  fmt::print(stderr, "troupe: {}\n", terminal_text(why.text()));
  return why.code == errc::request_invalid || why.code == errc::config_invalid ? exit_usage
                                                                               : exit_failed;
}

/// @param is_there a database without a store is a typing mistake
std::unique_ptr<store_port> open_database(const std::string& url, bool is_there, failure& why) {
  postgres_options options;
  options.question = longest_question;
  options.makes = !is_there;
  return open_postgres_store(url, why, options);
}

/// @param is_there as for a database
std::unique_ptr<store_port> open_folder(const std::string& folder, bool is_there, failure& why) {
  std::error_code ignored;
  if (is_there && !fs::exists(fs::path{folder} / "troupe.db", ignored))
    why = {errc::request_invalid, fmt::format("there is no store in {}", folder)};
  std::string told;
  if (!why)
    why = become_owner_of(folder, told);
  if (why)
    return nullptr;
  sqlite_options options;
  options.question_ms = static_cast<int>(std::chrono::milliseconds{longest_question}.count());
  return open_sqlite_store(folder, why, options);
}

failure open_place(const std::string& place, bool is_there, opened_store& out) {
  failure why;
  std::error_code ignored;
  const bool is_url = is_postgres_url(place);
  out.name =
      is_url ? shown_postgres_url(place) : fs::absolute(place, ignored).lexically_normal().string();
  out.port = is_url ? open_database(place, is_there, why) : open_folder(out.name, is_there, why);
  if (out.port)
    out.connection = out.port->open(durability::full, why);
  if (out.port && !out.port->notice().empty())
    fmt::print(stderr, "troupe: {}\n", terminal_text(out.port->notice()));
  if (!out.connection)
    return why;
  out.files = is_url ? out.port->open_files() : open_folder_files(out.name);
  return {};
}

/// Tells people how far it is, now and then.
class told_copy final : public copy_watcher {
public:
  void went_on(const copy_report& so_far) override {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_)
      return;
    next_ = now + between_lines;
    fmt::print(stderr, "{} conversations so far\n", so_far.copied + so_far.there);
  }

  void left_out(const std::string& owner, const std::string& id, const failure& why) override {
    const auto whose = owner.empty() ? std::string{} : " of " + owner;
    fmt::print(stderr, "troupe: {}{}: {}\n", terminal_text(id), terminal_text(whose),
               terminal_text(why.text()));
  }

private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + between_lines;
};

void print_report(const copy_report& what, bool json) {
  if (json) {
    fmt::print("{{\"copied\":{},\"replaced\":{},\"there\":{},\"removed\":{},\"leftOut\":{},"
               "\"owners\":{},\"usageRows\":{},\"keys\":{},\"settings\":{},\"files\":{}}}\n",
               what.copied, what.replaced, what.there, what.removed, what.left_out, what.owners,
               what.usage_rows, what.keys, what.settings, what.files);
    return;
  }
  fmt::print("copied {} conversations of {} owners; {} were there\n"
             "copied {} rows of usage, {} keys, {} settings, {} uploaded files\n",
             what.copied, what.owners, what.there, what.usage_rows, what.keys, what.settings,
             what.files);
  if (what.replaced + what.removed > 0)
    fmt::print("{} of them in place of an earlier copy; {} that are gone were removed\n",
               what.replaced, what.removed);
}

int copy(const store_options& options) {
  if (!is_postgres_url(options.from) && !is_postgres_url(options.to))
    return fail_store({errc::request_invalid, "both are folders: copy the folder itself while no "
                                              "server uses it (cp -a)"});
  opened_store from, to;
  if (auto bad = open_place(options.from, true, from))
    return fail_store(bad);
  if (auto bad = open_place(options.to, false, to))
    return fail_store(bad);
  told_copy watcher;
  copy_report done;
  const auto bad = copy_store(
      {*from.connection, *to.connection, from.name, options.adds, from.files.get(), to.files.get()},
      watcher, done);
  if (bad.code != errc::request_invalid)
    print_report(done, options.json);
  if (bad)
    return fail_store(bad);
  if (done.left_out == 0)
    return 0;
  if (!options.adds)
    fmt::print(stderr,
               "troupe: {} conversations are missing; no server takes the copy until they "
               "are there, or you say troupe store accept {}\n",
               done.left_out, terminal_text(to.name));
  return exit_failed;
}

int accept(const store_options& options) {
  opened_store at;
  if (auto bad = open_place(options.to, true, at))
    return fail_store(bad);
  if (!unfinished_copy(*at.connection, at.name)) {
    fmt::print(stderr, "troupe: no copy into {} is under way\n", terminal_text(at.name));
    return exit_failed;
  }
  const auto bad = accept_copy(*at.connection);
  return bad ? fail_store(bad) : 0;
}

} // namespace

void add_store(CLI::App& app, command& chosen) {
  auto options = std::make_shared<store_options>();
  auto* store = app.add_subcommand("store", "Move all chats between a data folder and a database");
  store->require_subcommand(1);
  auto* make = store->add_subcommand("copy", "Copy a whole store while no server uses it");
  make->add_option("--from", options->from, "Data folder, or postgresql://...")
      ->type_name("PLACE")
      ->required()
      ->check(not_empty);
  make->add_option("--to", options->to, "The same; empty, or with a part of this copy")
      ->type_name("PLACE")
      ->required()
      ->check(not_empty);
  make->add_flag("--add", options->adds, "Into a store that has something, which stays");
  make->add_flag("--json", options->json, "Print JSON");
  make->callback([options, &chosen] { chosen = [options] { return copy(*options); }; });
  auto* take = store->add_subcommand("accept", "Use a copy as it is, although it is not whole");
  take->add_option("PLACE", options->to, "Data folder, or postgresql://...")
      ->required()
      ->check(not_empty);
  take->callback([options, &chosen] { chosen = [options] { return accept(*options); }; });
}

} // namespace troupe
