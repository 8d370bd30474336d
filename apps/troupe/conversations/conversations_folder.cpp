// The conversations of a data folder that no server uses.
#include "apps/troupe/conversations/conversations_backend.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/engine/engine.hpp"
#include "apps/troupe/data_folder.hpp"
#include "apps/troupe/folder_owner.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/clients/conversation/ui_conversation.hpp"

namespace troupe {

namespace {

/// Returns the body of an answer without an error.
template <class Answer, class Render>
backend_answer rendered(const Answer& answer, Render render) {
  if (answer.error)
    return {answer.error, ""};
  return {{}, render(answer)};
}

class folder final : public conversations_backend {
public:
  folder(engine_config config, std::string owner)
      : engine_{std::move(config)}, all_{engine_.conversations()}, owner_{std::move(owner)} {}
  ~folder() override { engine_.shutdown(std::chrono::milliseconds{0}); }

  backend_answer list(uint32_t limit, const std::string& cursor) override {
    list_conversations what;
    what.owner = owner_;
    what.limit = limit == 0 ? what.limit : limit;
    what.cursor = cursor;
    return rendered(all_.list(what), conversations_json);
  }

  backend_answer search(const std::string& words, uint32_t limit,
                        const std::string& cursor) override {
    search_conversations what;
    what.owner = owner_;
    what.query = words;
    what.limit = limit == 0 ? what.limit : limit;
    what.cursor = cursor;
    return rendered(all_.search(what), hits_json);
  }

  backend_answer show(const std::string& id) override { return get(id, ui_conversation_json); }

  backend_answer export_file(const std::string& id) override { return get(id, export_json); }

  backend_answer import_file(std::string json, const std::string& id) override {
    return info(all_.import_file(std::move(json), {id, owner_}));
  }

  backend_answer rename(const std::string& id, const std::string& title) override {
    return info(all_.rename(name(id), title));
  }

  backend_answer remove(const std::string& id, uint64_t if_version) override {
    return {all_.remove(name(id, if_version)), "{}"};
  }

  backend_answer branch(const std::string& id, const branch_options& how) override {
    return info(all_.branch(name(id), how));
  }

  backend_answer overrides(const std::string& id) override {
    const auto answer = all_.get(name(id));
    return {answer.error, overrides_json(answer.found.overrides), answer.found.info.version};
  }

  backend_answer set_overrides(const std::string& id, const chat_overrides& what,
                               uint64_t if_version) override {
    return {all_.set_overrides(name(id, if_version), what).error, overrides_json(what)};
  }

  backend_answer usage(const std::string& from, const std::string& to) override {
    return rendered(all_.usage({owner_, from, to}), usage_json);
  }

private:
  conversation_name name(const std::string& id, uint64_t if_version = 0) const {
    return {id, owner_, if_version};
  }

  template <class Render>
  backend_answer get(const std::string& id, Render render) {
    return rendered(all_.get(name(id)),
                    [&](const conversation_answer& answer) { return render(answer.found); });
  }

  static backend_answer info(const info_answer& answer) {
    return rendered(answer, [](const info_answer& what) { return to_json(what.info); });
  }

  engine engine_;
  conversations& all_;
  std::string owner_;
};

} // namespace

std::unique_ptr<conversations_backend> folder_backend(engine_config config,
                                                      const std::string& owner, failure& why) {
  config.shards = 1;
  config.mcp = false; // no turn runs here
  std::string told;   // what is printed stays the same
  if (why = become_owner_of(config, told); why)
    return nullptr;
  try {
    return std::make_unique<folder>(std::move(config), owner);
  } catch (const start_error& what) {
    why = what.why();
    if (why.code == errc::store_locked)
      why.message = why.text() + ". If a server uses it, name that with --server.";
    return nullptr;
  }
}

std::unique_ptr<conversations_backend> open_backend(const conversations_options& options,
                                                    bool makes_folder, failure& why) {
  if (!options.url.empty())
    return server_backend(options.url);
  engine_config config; // of the file only the folder and the quota of owners count
  if (!options.config_file.empty()) {
    engine_config read;
    why = load_config(options.config_file, read, config_use::servers);
    if (why)
      return nullptr;
    config.store = read.store;
    config.limits.owner = read.limits.owner;
  }
  if (!options.folder.empty())
    config.store = {options.folder, {}};
  if (!config.store.keeps())
    config.store.folder = default_data_folder();
  std::error_code ignored;
  if (const auto& place = config.store.folder;
      !makes_folder && !place.empty() && !std::filesystem::is_directory(place, ignored)) {
    why = {errc::request_invalid, "There is no data folder " + place + "."};
    return nullptr;
  }
  return folder_backend(std::move(config), options.owner, why);
}

} // namespace troupe
