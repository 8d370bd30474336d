// Bodies that go to the file_store.
#pragma once

#include <memory>
#include <string>

#include <caf/actor_system.hpp>

#include "messages/http.hpp"
#include "messages/interfaces/file_interfaces.hpp"
#include "messages/ports/client_ports.hpp"
#include "messages/store/upload_messages.hpp"

namespace troupe {

/// Passes the body of one request to the file_store. Its end without take_over() drops the upload.
class upload_sink final : public body_sink {
public:
  /// @param to the store
  upload_sink(file_store_actor to, begin_file what);
  ~upload_sink() override;

  void watch(std::function<void()> go_on) override;
  wish take(std::string_view bytes) override;

  /// Returns what the store knows the upload by; the caller sends it end_file.
  std::string take_over();

private:
  file_store_actor to_;
  begin_file what_;
  bool begun_ = false;
};

/// Returns the sink for the body of a request; nullptr if there is no file_store, or the body is
/// packed. Any thread. @param owner of the file
std::shared_ptr<upload_sink> make_upload_sink(caf::actor_system& system,
                                              const server_request& request,
                                              const std::string& owner);

} // namespace troupe
