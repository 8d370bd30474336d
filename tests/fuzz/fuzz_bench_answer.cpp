// The answers that troupe-bench reads from any server. Any bytes, in any pieces, give the same
// observations. The last byte chooses the protocol: 0 chat completions, 1 native, 2 UI messages, 3
// the body of a refusal; and how the bytes are cut.
#include <memory>
#include <string>
#include <vector>

#include "apps/bench/target/http/answer_reader.hpp"
#include "apps/bench/target/http/answer_readers.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;
using namespace troupe::bench;

namespace {

constexpr size_t keep_bytes = 200;

class answer {
public:
  explicit answer(unsigned protocol) {
    if (protocol == 0)
      reader_ = std::make_unique<chunk_answer_reader>(keep_bytes);
    else if (protocol == 1)
      reader_ = std::make_unique<native_answer_reader>(keep_bytes);
    else
      reader_ = std::make_unique<ui_answer_reader>(keep_bytes);
  }

  void feed(std::string_view bytes) {
    const auto before = seen_.size();
    const auto over = reader_->over();
    reader_->feed(bytes, seen_);
    require(!over || seen_.size() == before, "nothing follows the end");
  }

  std::string outcome() {
    reader_->finish(seen_);
    require(reader_->over() && is_last(seen_.back().what), "an answer ends");
    std::string out;
    for (const auto& each : seen_) {
      require(is_last(each.what) == (&each == &seen_.back()), "it ends once");
      require(each.text.size() <= max_observed_text_bytes && holds_utf8(each.text),
              "a failure is a short text");
      out += std::to_string(static_cast<int>(each.what)) + "x" + std::to_string(each.count) + ":" +
             to_string(each.code) + each.text + "," + std::to_string(each.used.total_tokens) + ";";
    }
    const auto text = reader_->take_text();
    require(text.size() <= keep_bytes && holds_utf8(text), "the kept text is bounded");
    return out + text + reader_->message_id();
  }

private:
  std::unique_ptr<answer_reader> reader_;
  answer_reader::observations seen_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto [bytes, seed, choice] = choose(data, size, 4);
  if (choice == 3) {
    for (const uint16_t status : {302, 401, 429, 500})
      require(static_cast<bool>(refused_turn(status, bytes)), "a refusal is a failure");
    return 0;
  }
  answer whole{choice};
  whole.feed(bytes);
  answer cut{choice};
  feed_in_pieces(bytes, seed, [&cut](std::string_view piece) { cut.feed(piece); });
  require(whole.outcome() == cut.outcome(), "the observations do not depend on the pieces");
  return 0;
}
