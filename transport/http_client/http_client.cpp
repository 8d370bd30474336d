#include "transport/http_client/http_client.hpp"

#include <utility>

#include <curl/curl.h>

#include "transport/http_client/http_client_shard.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

namespace {

/// The caller's end of an exchange.
class open_exchange final : public http_exchange {
public:
  open_exchange(std::shared_ptr<http_client_shard> shard, std::shared_ptr<http_transfer> transfer)
      : shard_{std::move(shard)}, transfer_{std::move(transfer)} {}

  ~open_exchange() override {
    transfer_->cancelled.store(true, std::memory_order_relaxed);
    auto& home = shard_->home();
    if (home.is_current()) {
      shard_->cancel(*transfer_);
      return;
    }
    home.post(
        [shard = std::move(shard_), transfer = std::move(transfer_)] { shard->cancel(*transfer); });
  }
  open_exchange(const open_exchange&) = delete;
  open_exchange& operator=(const open_exchange&) = delete;

  void pause() override {
    shard_->home().run([shard = shard_, transfer = transfer_] { shard->pause(*transfer); });
  }

  void resume() override {
    shard_->home().run([shard = shard_, transfer = transfer_] { shard->resume(*transfer); });
  }

private:
  std::shared_ptr<http_client_shard> shard_;
  std::shared_ptr<http_transfer> transfer_;
};

} // namespace

http_client::http_client(shards& on) : on_{on} {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK)
    throw std::bad_alloc{};
  for (size_t i = 0; i < on.size(); ++i) {
    auto shard = std::make_shared<http_client_shard>(on.at(i));
    on.at(i).call([&] { shard->attach(); });
    shards_.push_back(std::move(shard));
  }
}

http_client::~http_client() {
  for (auto& shard : shards_)
    shard->home().call([&] { shard->close(); });
}

std::unique_ptr<http_exchange> http_client::open(http_request request, uint64_t exchange,
                                                 receiver deliver) {
  auto& home = on_.near();
  auto& shard = shards_[home.index()];
  auto transfer = std::make_shared<http_transfer>(std::move(request), exchange, std::move(deliver));
  auto handle = std::make_unique<open_exchange>(shard, transfer);
  if (home.is_current())
    shard->start(std::move(transfer));
  else
    home.post([shard, transfer] { shard->start(transfer); });
  return handle;
}

} // namespace troupe
