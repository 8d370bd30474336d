// Outgoing HTTP/1.1 and HTTP/2: libcurl's multi interface on the loops.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "messages/ports/ports.hpp"

namespace troupe {

class http_client_shard;
class shards;

/// One libcurl multi handle per shard, with connections kept and reused. An exchange that is opened
/// on a loop's thread lives on that loop, any other on the next in turn; its parts are delivered on
/// that thread, never from within open(), pause() or resume().
///
/// TLS certificates are verified (against SSL_CERT_FILE if the environment has it), redirects are
/// not followed, only http and https are spoken, nothing is decompressed. Open exchanges cost about
/// 14 KiB each, 28 where answers come in bulk; while one is paused at most one receive buffer
/// (2 or 16 KiB, with HTTP/2 one frame more) is held besides what the peer's and our kernel hold.
class http_client final : public http_port {
public:
  /// @param on must outlive the client and every exchange; its loops must run
  explicit http_client(shards& on);

  /// Cancels what is open: no callback runs any more once this returns. Not on a loop's thread.
  ~http_client() override;

  std::unique_ptr<http_exchange> open(http_request request, uint64_t exchange,
                                      receiver deliver) override;

private:
  shards& on_;
  std::vector<std::shared_ptr<http_client_shard>> shards_;
};

} // namespace troupe
