#include "actors/cluster/single_server_link.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <caf/all.hpp>
#include <fmt/format.h>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "messages/mcp/mcp_channel.hpp"
#include "messages/wire/mcp/jsonrpc_peek.hpp"

namespace troupe {

// -- link messages --------------------------------------------------------------------------------

/// Requests without an answer, and those that were not sent, which their owner sends again on its
/// next link. Not thread safe.
class link_messages {
public:
  void sent(const mcp_outbound& message) {
    if (message.method == "initialize")
      first_ = message;
    if (message.request_id != 0)
      running_.insert(message.request_id);
    else if (message.method == "notifications/cancelled")
      running_.erase(jsonrpc::cancelled_request(message.json));
  }

  void heard(const mcp_inbound& in) {
    running_.erase(in.request_id);
    for (const auto& text : in.messages)
      for (const auto id : jsonrpc::response_ids(text))
        running_.erase(id);
  }

  /// There is no channel for it. Notifications are of no use to another one.
  void hold(mcp_outbound message) {
    if (message.method == "initialize")
      first_ = std::move(message);
    else if (message.request_id != 0)
      held_.push_back(message.request_id);
  }

  bool is_idle() const { return running_.empty(); } ///< no request runs
  const std::vector<int64_t>& held() const { return held_; }

  /// Returns `initialize`, which another node may have to answer, once it was sent.
  const std::optional<mcp_outbound>& first() const { return first_; }

private:
  std::optional<mcp_outbound> first_;
  std::set<int64_t> running_;
  std::vector<int64_t> held_;
};

// -- single server link ---------------------------------------------------------------------------

namespace {

/// Between two attempts to reach a node, or to find the cluster_member.
constexpr std::chrono::milliseconds retry_delay{250};
/// The number of atom::reconnect with which the latter is looked for.
constexpr uint64_t member_again = 0;
/// How long calls that run may take when the server is given to another node.
constexpr std::chrono::seconds calls_limit{20};
/// How long answers of a node are waited for that has given the server away, or is dead.
constexpr std::chrono::seconds last_answers{1};

enum class link_phase : uint8_t { waiting, opening, open, settling, closing };

struct single_server_link_state {
  static inline const char* name = "troupe.single_server_link";

  explicit single_server_link_state(single_server_link_actor::pointer ptr) : self{ptr} {}

  ~single_server_link_state() {
    if (setup.deliver) // it crashed, or the owner has left and hears nothing
      setup.deliver(end_of({errc::server_lost, ""}));
  }

  void start(single_server_setup with) {
    quiet(self);
    self->set_down_handler([this](caf::down_msg&) {
      self->delayed_send(self, retry_delay, atom::reconnect_v, member_again);
    });
    setup = std::move(with);
    find_member();
  }

  void find_member() {
    const auto member = whereis<cluster_member_actor>(self->system(), cluster_member_name);
    if (!member)
      return self->delayed_send(self, retry_delay, atom::reconnect_v, member_again);
    self->monitor(member);
    self->send(member, want_server{setup.config.name, has_it()});
  }

  bool is_remote() const { return used.where == server_where::there; }
  bool has_it() const { return channel && !is_remote(); }

  // -- where the server is

  void on_place(const server_assignment& now) {
    place = now;
    if (phase == link_phase::waiting)
      return open_channel();
    if (phase == link_phase::settling && place.where == server_where::nowhere && !is_remote())
      return close_channel();
    if (phase != link_phase::opening && phase != link_phase::open)
      return;
    if (is_remote()) {
      if (place.where == server_where::there && place.node == used.node)
        return;
      if (phase == link_phase::opening)
        return open_again({});
      settle(last_answers);
    } else if (place.where == server_where::leaving) {
      settle(calls_limit);
    } else if (place.where != server_where::here) {
      close_channel(); // another node may have it already
    }
  }

  void open_channel() {
    if (place.where != server_where::here && place.where != server_where::there)
      return;
    used = place;
    phase = link_phase::opening;
    auto config = setup.config;
    if (is_remote()) {
      config.type = "http";
      config.url = used.address + single_server_path(config.name);
      config.http_headers = {{std::string{meant_node_field}, std::to_string(used.node)}};
      config.proxy.clear();
    }
    auto me = caf::actor_cast<single_server_link_actor>(self);
    channel =
        (is_remote() ? setup.there : setup.here)->open(config, ++number, [me](mcp_inbound&& in) {
          caf::anon_send(me, std::move(in));
        });
  }

  /// The node has not answered anything yet, so nothing is lost.
  void open_again(std::chrono::milliseconds delay) {
    channel.reset();
    phase = link_phase::waiting;
    self->delayed_send(self, delay, atom::reconnect_v, ++number);
  }

  void on_reconnect(uint64_t attempt) {
    if (attempt == member_again)
      find_member();
    else if (attempt == number && phase == link_phase::waiting)
      open_channel();
  }

  // -- messages

  void on_outbound(mcp_outbound& message) {
    if (phase == link_phase::opening || phase == link_phase::open)
      send(std::move(message));
    else
      messages.hold(std::move(message));
  }

  void send(mcp_outbound message) {
    messages.sent(message);
    channel->send(std::move(message));
  }

  void on_inbound(mcp_inbound& in) {
    if (in.channel != number)
      return;
    in.channel = setup.channel;
    if (phase == link_phase::opening && (!is_remote() || in.signal == mcp_signal::received)) {
      in.node = used.name;
      in.remote = is_remote();
    }
    switch (in.signal) {
    case mcp_signal::opened:
      return on_opened(in);
    case mcp_signal::received:
      return on_received(in);
    case mcp_signal::failed:
      return on_failed(in);
    case mcp_signal::closed:
      return on_closed(in);
    }
  }

  void on_opened(mcp_inbound& in) {
    if (!std::exchange(told_opened, true))
      setup.deliver(std::move(in));
    else if (messages.first())
      send(*messages.first());
  }

  void on_received(mcp_inbound& in) {
    phase = phase == link_phase::opening ? link_phase::open : phase;
    messages.heard(in);
    setup.deliver(std::move(in));
    close_if_settled();
  }

  /// An answer that breaks off shows that the node is gone, and the owner decides what comes again.
  void on_failed(mcp_inbound& in) {
    messages.heard(in);
    if (is_remote() && phase == link_phase::opening)
      return open_again(retry_delay);
    if (is_remote() && !in.not_run && in.error == errc::server_lost)
      return end_moved();
    const bool gone = is_remote() && in.not_run && in.error == errc::server_unavailable;
    if (is_remote())
      in.error_text = describe_loss();
    if (gone)
      in.error = errc::server_session_lost; // comes again on the next connection
    setup.deliver(std::move(in));
    if (gone)
      end_moved();
    else
      close_if_settled();
  }

  void on_closed(mcp_inbound& in) {
    channel.reset();
    if (phase == link_phase::closing)
      return on_left();
    if (is_remote() && phase == link_phase::opening)
      return open_again(retry_delay);
    if (is_remote())
      return end_moved();
    end(std::move(in)); // the server itself has ended, and may be started here again
  }

  // -- the end

  void settle(std::chrono::milliseconds limit) {
    phase = link_phase::settling;
    self->delayed_send(self, limit, atom::expire_v);
    close_if_settled();
  }

  void close_if_settled(bool in_any_case = false) {
    if (phase == link_phase::settling && (in_any_case || messages.is_idle()))
      close_channel();
  }

  void close_channel() {
    if (is_remote() && !is_closing)
      return end_moved();
    phase = link_phase::closing;
    channel->close();
  }

  /// The channel to the server is closed.
  void on_left() {
    const auto member = whereis<cluster_member_actor>(self->system(), cluster_member_name);
    if (!is_remote() && member)
      self->send(member, server_closed{setup.config.name});
    if (!is_closing)
      return end_moved();
    end(end_of({}));
  }

  /// The server continues elsewhere.
  void end_moved() {
    channel.reset();
    auto last = end_of({errc::server_session_lost, describe_loss()});
    last.moved = true;
    for (const auto id : messages.held()) {
      auto lost = last;
      lost.signal = mcp_signal::failed;
      lost.request_id = id;
      lost.not_run = true;
      setup.deliver(std::move(lost));
    }
    end(std::move(last));
  }

  void on_disconnect() {
    is_closing = true;
    if (!channel)
      end(end_of({}));
    else if (phase != link_phase::closing)
      close_channel();
  }

  void end(mcp_inbound last) {
    std::exchange(setup.deliver, nullptr)(std::move(last));
    self->quit();
  }

  mcp_inbound end_of(failure why) const {
    mcp_inbound out;
    out.channel = setup.channel;
    out.signal = mcp_signal::closed;
    out.error = why.code;
    out.error_text = std::move(why.message);
    return out;
  }

  std::string describe_loss() const {
    return fmt::format("MCP server '{}': the node '{}' of the cluster {}", setup.config.name,
                       used.name, is_remote() ? "does not answer" : "has given it away");
  }

  single_server_link_actor::pointer self;
  single_server_setup setup;
  link_phase phase = link_phase::waiting;
  server_assignment place; ///< as the cluster_member says
  server_assignment used;  ///< of the channel
  std::unique_ptr<mcp_channel> channel;
  uint64_t number = 0; ///< of the channel, or of the attempt
  bool told_opened = false;
  bool is_closing = false; ///< the owner wants it
  link_messages messages;
};

single_server_link_actor::behavior_type
single_server_link(single_server_link_actor::stateful_pointer<single_server_link_state> self,
                   single_server_setup setup) {
  auto& state = self->state;
  state.start(std::move(setup));
  return {
      [&state](mcp_outbound& message) { state.on_outbound(message); },
      [&state](atom::disconnect) { state.on_disconnect(); },
      [&state](const server_assignment& place) { state.on_place(place); },
      [&state](mcp_inbound& in) { state.on_inbound(in); },
      [&state](atom::reconnect, uint64_t attempt) { state.on_reconnect(attempt); },
      [&state](atom::expire) { state.close_if_settled(true); },
  };
}

} // namespace

single_server_link_actor spawn_single_server_link(caf::actor_system& system,
                                                  single_server_setup setup) {
  return system.spawn(single_server_link, std::move(setup));
}

} // namespace troupe
