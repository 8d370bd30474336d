// Outgoing HTTP/1.1 and HTTP/2: libcurl's multi interface on the loops.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "messages/ports/ports.hpp"

namespace troupe {

class http_client_shard;
class shards;

/// The HTTP client of all loops. Each loop has lanes, with one libcurl multi handle per lane;
/// connections are kept and reused within a lane. An exchange that is opened on a loop's thread
/// runs on that loop, any other on the next loop in turn. Its parts are delivered on that thread,
/// never from within open(), pause() or resume().
///
/// TLS certificates are verified (against SSL_CERT_FILE if the environment has it), redirects are
/// not followed, only http and https are accepted, nothing is decompressed. An open exchange costs
/// about 14 KiB, or 28 KiB if answers come in bulk. A paused exchange holds at most one receive
/// buffer (2 or 16 KiB, with HTTP/2 one frame more) beside the buffers of the peer's and our
/// kernel.
class http_client final : public http_port {
public:
  /// @param on must outlive the client and every exchange; its loops must run
  explicit http_client(shards& on);

  /// Cancels open exchanges: no callback runs any more once this returns. Not on a loop's thread.
  ~http_client() override;

  std::unique_ptr<http_exchange> open(http_request request, uint64_t exchange,
                                      receiver deliver) override;

private:
  shards& on_;
  std::vector<std::shared_ptr<http_client_shard>> shards_;
};

} // namespace troupe
