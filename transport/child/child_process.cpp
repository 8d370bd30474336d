#include "transport/child/child_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <ev.h>

#include "transport/child/child_reaper.hpp"
#include "transport/child/child_start.hpp"
#include "transport/child/pipe_writer.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

namespace {

constexpr size_t read_bytes = size_t{8} * 1024; // in one read, at most
constexpr size_t error_tail_bytes = size_t{4} * 1024;

/// Most reads of a pipe after its process ended: a descendant that left the group may write on.
constexpr int last_reads = 128;

thread_local std::array<char, read_bytes> read_buffer;

} // namespace

struct child_process::impl : std::enable_shared_from_this<impl> {
  enum class phase { idle, starting, running, ended };
  enum class closing { no, mute, input, term, kill };
  enum class got { bytes, nothing, end };

  impl(loop& where, child_listener& who, child_graces how)
      : home{where}, listener{&who}, graces{how}, patience{where, [this] { on_patience_over(); }} {}

  void start(child_command&& what);
  void close();
  void abandon();

  void on_start_known();
  void on_exit();
  void on_output();
  void on_errors();
  void on_patience_over();

  void set_reading(bool on);
  got read(const descriptor& from, size_t& count);
  got read_output();
  got read_errors();
  void gone_mute();
  void let_go();
  void stop_watching();
  void report_end(child_end end);

  template <void (impl::*Handle)()>
  void watch(ev_io& watcher, int fd, int events) {
    ev_io_init(
        &watcher,
        [](struct ev_loop*, ev_io* which, int) {
          const auto self = static_cast<impl*>(which->data)->shared_from_this();
          (self.get()->*Handle)();
        },
        fd, events);
    watcher.data = this;
  }

  loop& home;
  child_listener* listener; // nullptr: no one listens any more
  child_graces graces;
  child_command command;
  child_pipes pipes;                    // ours
  std::shared_ptr<child_start> ordered; // while it starts
  spawned_child child;                  // while it runs
  size_t portion = read_bytes;
  phase now = phase::idle;
  closing end = closing::no;
  timer patience;
  ev_io starts{}, exits{}, reads{}, complains{};
  std::shared_ptr<pipe_writer> input; // set from the start on
  std::string errors;
};

void child_process::impl::start(child_command&& what) {
  command = std::move(what);
  child_pipes its;
  auto failed = open_pipes(command, pipes, its);
  if (!failed)
    failed = child_start::order(command, std::move(its), ordered);
  if (failed) {
    home.post([self = shared_from_this(), failed = std::move(failed)]() mutable {
      self->report_end({std::move(failed), 0, 0, {}});
    });
    return;
  }
  now = phase::starting;
  watch<&impl::on_start_known>(starts, pipes.start.get(), EV_READ);
  ev_io_start(home.native(), &starts);
  input = pipe_writer::make(home, std::move(pipes.input), [this] { gone_mute(); });
}

void child_process::impl::close() {
  if (end > closing::mute || now == phase::idle || now == phase::ended)
    return;
  end = closing::input;
  patience.start(graces.after_input);
  input->finish();
}

void child_process::impl::on_patience_over() {
  const auto self = shared_from_this();
  switch (end) {
  case closing::input:
    end = closing::term;
    input->close();
    kill_group(child.pid, SIGTERM);
    patience.start(graces.after_term);
    break;
  case closing::no:
  case closing::mute:
  case closing::term:
    end = closing::kill;
    kill_group(child.pid, SIGKILL);
    patience.start(graces.after_kill);
    break;
  case closing::kill:
    let_go();
    report_end({failure{}, 0, SIGKILL, "does not end, not even by SIGKILL"});
  }
}

void child_process::impl::on_start_known() {
  bool known = false;
  auto failed = start_failure(pipes.start, command, known);
  if (!known)
    return;
  if (failed) { // it has nothing to say but this
    let_go();
    report_end({std::move(failed), 0, 0, {}});
    return;
  }
  now = phase::running;
  ev_io_stop(home.native(), &starts);
  pipes.start.reset();
  child = std::exchange(ordered, nullptr)->take();
  watch<&impl::on_exit>(exits, child.exited.get(), EV_READ);
  watch<&impl::on_output>(reads, pipes.output.get(), EV_READ);
  watch<&impl::on_errors>(complains, pipes.errors.get(), EV_READ);
  for (ev_io* each : {&exits, &reads, &complains})
    ev_io_start(home.native(), each);
  if (listener)
    listener->child_started();
}

void child_process::impl::on_exit() {
  kill_group(child.pid, SIGKILL); // before the reaping, while no other process can have its number
  for (int i = 0; i < last_reads && listener && read_output() == got::bytes; ++i) {
  }
  for (int i = 0; i < last_reads && listener && read_errors() == got::bytes; ++i) {
  }
  if (!listener)
    return;
  const auto state = reap(child.exited);
  stop_watching();
  report_end({failure{}, state.code, state.signal, in_words(state)});
}

void child_process::impl::on_output() {
  if (read_output() == got::end) {
    ev_io_stop(home.native(), &reads);
    gone_mute();
  }
}

void child_process::impl::set_reading(bool on) {
  if (on && now == phase::running && pipes.output)
    ev_io_start(home.native(), &reads);
  else
    ev_io_stop(home.native(), &reads);
}

void child_process::impl::on_errors() {
  if (read_errors() == got::end)
    ev_io_stop(home.native(), &complains);
}

child_process::impl::got child_process::impl::read(const descriptor& from, size_t& count) {
  const auto result = ::read(from.get(), read_buffer.data(), portion);
  if (result < 0)
    return errno == EAGAIN || errno == EINTR ? got::nothing : got::end;
  count = static_cast<size_t>(result);
  return count == 0 ? got::end : got::bytes;
}

child_process::impl::got child_process::impl::read_output() {
  size_t count = 0;
  const auto what = read(pipes.output, count);
  if (what == got::bytes && listener)
    listener->child_wrote({read_buffer.data(), count});
  return what;
}

child_process::impl::got child_process::impl::read_errors() {
  size_t count = 0;
  const auto what = read(pipes.errors, count);
  errors.append(read_buffer.data(), count);
  if (errors.size() > error_tail_bytes)
    errors.erase(0, errors.size() - error_tail_bytes);
  return what;
}

/// A process without stdin or stdout is of no use. Mostly it is about to end.
void child_process::impl::gone_mute() {
  if (end != closing::no || now == phase::ended)
    return;
  end = closing::mute;
  patience.start(graces.mute);
}

/// Arranges that the process is killed and reaped, also if it is only about to start.
void child_process::impl::let_go() {
  if (ordered)
    child = std::exchange(ordered, nullptr)->take();
  kill_group(child.pid, SIGKILL);
  stop_watching();
  reap_later(home, std::move(child.exited));
}

void child_process::impl::stop_watching() {
  patience.stop();
  for (ev_io* each : {&starts, &exits, &reads, &complains})
    ev_io_stop(home.native(), each);
  for (descriptor* each : {&pipes.start, &pipes.output, &pipes.errors})
    each->reset();
  input->close();
}

void child_process::impl::report_end(child_end how) {
  now = phase::ended;
  child = {};
  if (auto* told = std::exchange(listener, nullptr))
    told->child_ended(std::move(how));
}

void child_process::impl::abandon() {
  listener = nullptr;
  const bool alive = now == phase::starting || now == phase::running;
  now = phase::ended;
  if (alive)
    let_go();
}

child_process::child_process(loop& home, child_listener& listener, child_graces graces)
    : impl_{std::make_shared<impl>(home, listener, graces)} {}

child_process::~child_process() {
  impl_->abandon();
}

void child_process::start(child_command command) {
  impl_->start(std::move(command));
}

void child_process::write(std::string_view bytes) {
  if (impl_->input && impl_->end == impl::closing::no)
    impl_->input->write(bytes);
}

size_t child_process::queued() const noexcept {
  return impl_->input ? impl_->input->queued() : 0;
}

void child_process::read_at_once(size_t bytes) {
  impl_->portion = std::clamp(bytes, size_t{1}, read_bytes);
}

void child_process::set_reading(bool on) {
  impl_->set_reading(on);
}

void child_process::close() {
  impl_->close();
}

std::string_view child_process::error_tail() const noexcept {
  return impl_->errors;
}

pid_t child_process::pid() const noexcept {
  return impl_->child.pid;
}

} // namespace troupe
