// Any bytes, in any pieces, are the same form. The last byte chooses how they are cut.
#include <string>
#include <utility>

#include "messages/wire/multipart.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace troupe;

namespace {

/// Writes down what it is given.
class recorder final : public multipart_reader {
public:
  void begin(multipart_field field) override {
    require(!field.name.empty(), "a field has a name");
    require(!open_, "a field ends before the next one begins");
    open_ = true;
    seen_ += "<" + field.name + "|" + field.filename + "|" + field.media_type + ">";
  }
  void take(std::string_view bytes) override {
    require(open_ && !bytes.empty(), "bytes are those of a field");
    seen_ += bytes;
  }
  void end() override {
    require(std::exchange(open_, false), "what ends has begun");
    seen_ += "</>";
  }

  const std::string& seen() const { return seen_; }

private:
  std::string seen_;
  bool open_ = false;
};

/// A field that is broken off has as many bytes as could be told from its border: that depends on
/// the cuts, so only what is whole is compared.
std::string whole_fields(const std::string& seen) {
  return seen.substr(0, seen.rfind("</>") + 3);
}

struct outcome {
  std::string fields;
  bool is_over = false;
  bool is_broken = false;

  bool operator==(const outcome&) const = default;
};

template <class Feed>
outcome read(Feed feed) {
  recorder to;
  multipart form{"b", to};
  feed(form);
  const auto broken = !form.feed({}).empty();
  require(!(broken && form.is_over()), "a form that is over is not broken");
  return {to.seen().find("</>") == std::string::npos ? "" : whole_fields(to.seen()), form.is_over(),
          broken};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const auto text = text_of(data, size - 1);
  require(form_boundary(text).size() <= 70, "a boundary is short");
  const auto whole = read([&](multipart& form) { form.feed(text); });
  const auto cut = read([&](multipart& form) {
    feed_in_pieces(text, data[size - 1], [&](std::string_view piece) { form.feed(piece); });
  });
  require(whole == cut, "the cuts do not matter");
  return 0;
}
