#include "transport/mcp/mcp_channels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/mcp/mcp_transports.hpp"
#include "transport/mcp/mcp_link.hpp"

namespace troupe {

// -- mcp link table -------------------------------------------------------------------------------

/// The links of one loop, by number. Only the loop's thread uses the table, so links are made, used
/// and destroyed on that thread, wherever their handles are.
class mcp_link_table {
public:
  void add(uint64_t number, std::shared_ptr<mcp_link> link) {
    const auto& kept = links_.emplace(number, std::move(link)).first->second;
    kept->start();
  }

  /// Destroys a link: it has reported its end, or it is no longer wanted.
  void remove(uint64_t number) { links_.erase(number); }

  /// Called when the handle is gone; a link that still closes its session lives until that is done.
  void let_go(uint64_t number) {
    if (auto* link = find(number); link != nullptr && !link->leave())
      remove(number);
  }

  mcp_link* find(uint64_t number) {
    const auto found = links_.find(number);
    return found == links_.end() ? nullptr : found->second.get();
  }

  void clear() { links_.clear(); }

private:
  std::unordered_map<uint64_t, std::shared_ptr<mcp_link>> links_;
};

// -- mcp channels ---------------------------------------------------------------------------------

namespace {

struct link_surroundings {
  loop& home;
  http_port& http;
  const mcp_channel_limits& limits;
};

/// How the links of one transport are made.
struct link_maker {
  std::string_view type;
  std::shared_ptr<mcp_link> (*make)(const link_surroundings&, const mcp_server_config&,
                                    mcp_reporter);
};

std::shared_ptr<mcp_link> make_http(const link_surroundings& in, const mcp_server_config& config,
                                    mcp_reporter reports) {
  return make_mcp_http(in.home, in.http, config, std::move(reports), in.limits.http);
}

constexpr std::array link_makers{
    link_maker{
        "stdio",
        [](const link_surroundings& in, const mcp_server_config& config, mcp_reporter reports) {
          return make_mcp_stdio(in.home, config, std::move(reports), in.limits.stdio);
        }},
    link_maker{"http", make_http},
    link_maker{"sse", make_http},
    link_maker{
        "websocket",
        [](const link_surroundings& in, const mcp_server_config& config, mcp_reporter reports) {
          return make_mcp_websocket(in.home, config, std::move(reports), in.limits.websocket);
        }},
};

static_assert(std::ranges::equal(link_makers, mcp_transports, {}, &link_maker::type,
                                 &mcp_transport::type),
              "each transport needs a maker, in the order of mcp_transports");

/// The link of a server whose `type` has no row.
class unknown_link final : public mcp_link {
public:
  unknown_link(const mcp_server_config& config, mcp_reporter reports)
      : config_{config}, reports_{std::move(reports)} {}

  void start() override {
    std::vector<std::string_view> known;
    for (const auto& row : mcp_transports)
      known.push_back(row.type);
    reports_.closed(errc::config_invalid,
                    fmt::format("MCP server '{}': unknown type '{}'; known are: {}", config_.name,
                                config_.type, fmt::join(known, ", ")));
  }
  void send(mcp_outbound) override {}
  void close() override {}

private:
  mcp_server_config config_;
  mcp_reporter reports_;
};

std::shared_ptr<mcp_link> make_link(const link_surroundings& in, const mcp_server_config& config,
                                    mcp_reporter reports) {
  for (const auto& row : link_makers)
    if (row.type == config.type)
      return row.make(in, config, std::move(reports));
  return std::make_shared<unknown_link>(config, std::move(reports));
}

/// The state that the two ends of a channel share.
struct channel_state {
  std::atomic<bool> wanted{true};
  std::atomic<size_t> under_way{0}; ///< tasks that the owner has posted and that have not run yet
};

/// The owner's handle of a channel: its number, and whether it gets reports.
class channel_handle final : public mcp_channel {
public:
  channel_handle(loop& home, std::shared_ptr<mcp_link_table> table, uint64_t number,
                 std::shared_ptr<channel_state> state)
      : home_{home}, table_{std::move(table)}, number_{number}, state_{std::move(state)} {}

  ~channel_handle() override {
    state_->wanted.store(false, std::memory_order_relaxed);
    home_.post([table = table_, number = number_] { table->let_go(number); });
  }

  void send(mcp_outbound message) override {
    with_link(
        [message = std::move(message)](mcp_link& link) mutable { link.send(std::move(message)); });
  }

  void close() override {
    with_link([](mcp_link& link) { link.close(); });
  }

private:
  /// Runs `work` at once if the owner is on the loop and no earlier task is under way: the usual
  /// case.
  template <class Work>
  void with_link(Work work) {
    if (home_.is_current() && state_->under_way.load(std::memory_order_acquire) == 0)
      return on_link(*table_, number_, work);
    state_->under_way.fetch_add(1, std::memory_order_relaxed);
    home_.post(
        [table = table_, number = number_, state = state_, work = std::move(work)]() mutable {
          on_link(*table, number, work);
          state->under_way.fetch_sub(1, std::memory_order_release);
        });
  }

  template <class Work>
  static void on_link(mcp_link_table& table, uint64_t number, Work& work) {
    if (auto* link = table.find(number))
      work(*link);
  }

  loop& home_;
  std::shared_ptr<mcp_link_table> table_;
  uint64_t number_;
  std::shared_ptr<channel_state> state_;
};

} // namespace

struct mcp_channels::impl {
  impl(shards& on, http_port& with, const mcp_channel_limits& within)
      : loops{on}, http{with}, limits{within} {
    for (size_t i = 0; i < on.size(); ++i)
      tables.push_back(std::make_shared<mcp_link_table>());
  }

  shards& loops;
  http_port& http;
  mcp_channel_limits limits;
  std::vector<std::shared_ptr<mcp_link_table>> tables; // by the loop's index
  std::atomic<uint64_t> last_number{0};
};

mcp_channels::mcp_channels(shards& on, http_port& http, const mcp_channel_limits& limits)
    : impl_{std::make_unique<impl>(on, http, limits)} {}

mcp_channels::~mcp_channels() {
  for (size_t i = 0; i < impl_->tables.size(); ++i) {
    impl_->loops.at(i).call([] {}); // dropped links have posted exchanges to destroy
    impl_->loops.at(i).call([&] { impl_->tables[i]->clear(); });
    impl_->loops.at(i).call([] {}); // closing links have posted exchanges to destroy
  }
}

std::unique_ptr<mcp_channel> mcp_channels::open(const mcp_server_config& config, uint64_t channel,
                                                receiver deliver) {
  auto& home = impl_->loops.near();
  auto table = impl_->tables[home.index()];
  const auto number = ++impl_->last_number;
  auto state = std::make_shared<channel_state>();
  auto report = [state, number, &home, table = std::weak_ptr{table},
                 deliver = std::move(deliver)](mcp_inbound&& what) {
    if (what.signal == mcp_signal::closed) // the link is the caller: removed later
      home.post([table, number] {
        if (const auto in = table.lock())
          in->remove(number);
      });
    if (state->wanted.load(std::memory_order_relaxed))
      deliver(std::move(what));
  };
  state->under_way.store(1, std::memory_order_relaxed);
  home.post([this, &home, table, number, config, state,
             reports = mcp_reporter{channel, std::move(report)}]() mutable {
    table->add(number, make_link({home, impl_->http, impl_->limits}, config, std::move(reports)));
    state->under_way.fetch_sub(1, std::memory_order_release);
  });
  return std::make_unique<channel_handle>(home, std::move(table), number, std::move(state));
}

} // namespace troupe
