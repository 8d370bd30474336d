// Any bytes, in any pieces, give the same events. The last byte chooses how they are cut.
#include <string>

#include "messages/wire/sse.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

struct outcome {
  std::string events;
  bool overflowed = false;
  int64_t retry = 0;
  std::string last_id;

  bool operator==(const outcome&) const = default;
};

class collector {
public:
  void feed(std::string_view bytes) { parser_.feed(bytes, visitor()); }

  outcome finish() {
    parser_.finish(visitor());
    return {events_, parser_.overflowed(), parser_.retry().count(), parser_.last_event_id()};
  }

private:
  troupe::sse_parser::visitor visitor() {
    return [this](const troupe::sse_event& each) {
      require(each.data_capacity >= each.data.size() + 64, "data is padded");
      const volatile char* bytes = each.data.data();
      for (size_t i = 0; i < each.data_capacity; ++i)
        static_cast<void>(bytes[i]);
      events_.append(each.type).append("|").append(each.data).append("|").append(each.id) += '\n';
      return each.data != "stop";
    };
  }

  troupe::sse_parser parser_{300};
  std::string events_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto bytes = text_of(data, size - 1);
  collector whole;
  whole.feed(bytes);
  collector cut;
  feed_in_pieces(bytes, data[size - 1], [&cut](std::string_view piece) { cut.feed(piece); });
  require(whole.finish() == cut.finish(), "the events do not depend on the pieces");
  return 0;
}
