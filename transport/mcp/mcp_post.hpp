// One JSON-RPC message sent over HTTP, and the answer to it, over as many streams as it takes.
//
//   POST --> answer --> over
//              |  ^
//  stream ended|  | GET with Last-Event-ID, after the server's retry time
//  without the v  |
//  response   waiting --> over (no event id, or too many tries without progress)
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "messages/mcp/mcp_channel.hpp"
#include "transport/loop/timer.hpp"
#include "transport/mcp/mcp_answer_reader.hpp"
#include "transport/mcp/mcp_http_session.hpp"
#include "transport/mcp/mcp_refusal.hpp"

namespace troupe {

/// A ping within the session. A server that refuses it in the same way as a request before it, or
/// in a way that shows the loss, has not looked at either. Any other answer, or none in time,
/// leaves that refusal what it is. Loop thread only, or any single thread after stop(); destroying
/// it cancels.
class mcp_session_check {
public:
  /// Called once; may destroy the check.
  using verdict = std::function<void(bool lost)>;

  /// @param doubted the refusal that may mean a lost session
  mcp_session_check(mcp_http_session& session, mcp_refusal doubted, verdict tell);
  mcp_session_check(const mcp_session_check&) = delete;
  mcp_session_check& operator=(const mcp_session_check&) = delete;

  void start();

  const mcp_refusal& doubted() const noexcept { return doubted_; }

private:
  void on_part(const http_part& part);
  void judge(const mcp_refusal& got);
  void end(bool lost);

  mcp_http_session& session_;
  mcp_refusal doubted_;
  verdict tell_;
  mcp_answer_reader answer_;
  std::unique_ptr<mcp_http_call> call_;
  timer patience_;
};

class mcp_post;

/// How a post ended.
struct mcp_post_end {
  errc error = errc::none;   ///< none = answered, or no response was expected
  std::string text;          ///< for the operator
  bool session_lost = false; ///< the server does not know our session any more
  bool unreachable = false;  ///< the server did not answer at all
  bool not_run = false;      ///< the server has certainly not begun the request
  uint16_t refused_with = 0; ///< the status that refused the POST itself; 0 = another end
};

/// Gets the events of a post. Loop thread. Must not destroy the post before the call returns.
class mcp_post_listener {
public:
  virtual ~mcp_post_listener() = default;

  /// Messages of one network read of this post's answer.
  virtual void post_received(mcp_post& post, std::vector<std::string> messages) = 0;

  /// A message that needs no answer was accepted. At most once, and before the end.
  virtual void post_accepted(mcp_post& post) = 0;

  /// The stream brought the response to another request of ours.
  virtual void post_saw_response(int64_t request_id) = 0;

  /// Returns whether requests are running whose answers a new session would cut off.
  virtual bool posts_run_beside(const mcp_post& post) const = 0;

  /// The post is over. Exactly once.
  virtual void post_ended(mcp_post& post, mcp_post_end end) = 0;
};

/// Sends one message by POST. A request is over when its response came, or cannot come any more. An
/// answer that may mean a lost session is held back until a ping has shown if it does.
/// Loop thread only, or any single thread after stop(); destroying it cancels.
class mcp_post {
public:
  mcp_post(mcp_http_session& session, mcp_outbound message, mcp_post_listener& listener);
  mcp_post(const mcp_post&) = delete;
  mcp_post& operator=(const mcp_post&) = delete;
  void start();

  /// The response came on another stream, or is no longer awaited. If the stream does not end by
  /// itself soon, it is closed.
  void settle();

  /// The request's id; 0 for a notification or a response.
  int64_t request_id() const noexcept { return message_.request_id; }

  /// Returns whether a request of the caller still waits for this post.
  bool is_awaited() const noexcept;

  bool is_checking() const noexcept { return check_ != nullptr; } ///< if the session is lost
  const std::string& method() const noexcept { return message_.method; }

  /// Gives the message back, to be sent another way. Its text is kept for `initialize` and replies.
  mcp_outbound release() { return std::move(message_); }

private:
  std::chrono::milliseconds longest_silence() const;
  bool expects_response() const noexcept;
  void on_part(http_part&& part);
  void on_last(const http_part& part);
  void accept(bool ended);
  void look_at(std::vector<std::string>& messages);
  bool holds_back(std::string& message);
  bool look_closer(std::string& message);
  void resume();
  void reopen();
  void wait_for(std::chrono::milliseconds time);
  void on_timer();
  void end(mcp_post_end how);
  mcp_post_end cut_off(const http_part& part) const;
  void refuse(const http_part& part);
  void finish_refused(const mcp_refusal& refusal, bool session_lost);
  void check(mcp_refusal refusal);
  void on_checked(bool lost);
  void lose_session(const mcp_refusal& refusal);

  mcp_http_session& session_;
  mcp_outbound message_;
  mcp_post_listener& listener_;
  mcp_answer_reader answer_;
  std::unique_ptr<mcp_http_call> call_;
  std::unique_ptr<timer> timer_; // until the stream is resumed, or closed after the response
  std::unique_ptr<mcp_session_check> check_;
  std::string held_;         // a message that waits for the check
  std::string unread_;       // why something in the answer is none
  int resumes_ = 0;          // since the last progress
  std::string resumed_from_; // event id of the last resumption
  bool settled_ = false;     // no response is awaited here, or no longer
  bool accepted_ = false;    // the listener was told
  bool over_ = false;
};

} // namespace troupe
