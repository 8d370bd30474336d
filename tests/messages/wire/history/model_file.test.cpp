#include "messages/wire/history/model_file.hpp"

#include "messages/wire/data_url.hpp"
#include "tests/support/catch.hpp"

namespace model_file_test {

using namespace troupe;

namespace {

const std::string png = "\x89PNG\r\n\x1A\n rest";
const std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>hi</text></svg>";
const std::string no_such = "; this model takes no such files]";

/// Returns the URL of an image, or the text.
std::string read(const message_file& file, bool images = true, bool documents = false) {
  model_file seen;
  read_file(file, {images, documents}, seen);
  CHECK(seen.is_taken() == !seen.url.empty());
  CHECK(seen.is_taken() == seen.text.empty());
  return seen.is_taken() ? std::string{seen.url} : seen.text;
}

std::string url_of(std::string_view type, std::string_view bytes) {
  return make_data_url(type, bytes);
}

} // namespace

TEST_CASE("the four types that models read go as they came", "[messages][model_file]") {
  for (std::string type : {"image/png", "image/jpeg", "image/gif", "image/webp"}) {
    auto url = "data:" + type + ";base64,AAAA";
    CHECK(read({type, url}) == url);
    CHECK(read({type, "https://x.example/a"}) == "https://x.example/a");
    CHECK(read({type, url, "a"}, false) ==
          "[" + type + " a was attached; this model takes no images]");
  }
  CHECK(read({"image/*", "https://x.example/a?b=c.svg"}) == "https://x.example/a?b=c.svg");
}

TEST_CASE("sounds go to models that hear, under the name of what they are",
          "[messages][model_file]") {
  const auto heard = [](const message_file& file, bool audio = true) {
    model_file seen;
    read_file(file, {true, true, audio}, seen);
    CHECK(seen.is_audio == seen.is_taken());
    return seen.is_taken() ? std::string{seen.url} : seen.text;
  };
  const std::string wav = std::string{"RIFF"} + std::string(4, 'x') + "WAVEfmt ";
  const std::string mp3 = "ID3\x04 rest";
  CHECK(heard({"audio/wav", url_of("audio/wav", wav)}) == url_of("audio/wav", wav));
  CHECK(heard({"audio/x-wav", url_of("audio/x-wav", wav)}) == url_of("audio/wav", wav));
  CHECK(heard({"audio/wav", url_of("audio/wav", mp3)}) == url_of("audio/mpeg", mp3));
  CHECK(heard({"audio/mp3", url_of("audio/mp3", "\xFF\xFBxx")}) ==
        url_of("audio/mpeg", "\xFF\xFBxx"));
  CHECK(heard({"", url_of("application/octet-stream", wav)}) == url_of("audio/wav", wav));
  CHECK(heard({"audio/wav", "data:audio/wav;base64,AAAA"}) == "data:audio/wav;base64,AAAA");
  CHECK(heard({"audio/wav", "data:audio/wav;base64,AAAA", "a"}, false) ==
        "[audio/wav a was attached; this model takes no audio]");
  CHECK(heard({"audio/ogg", url_of("audio/ogg", "OggS"), "a"}) ==
        "[audio/ogg a was attached" + no_such);
  CHECK(heard({"audio/wav", "https://x.example/a.wav", "a"}) ==
        "[audio/wav a was attached" + no_such);
  CHECK(heard({"audio/wav", "data:audio/wav;base64,%%", "a"}) ==
        "[audio/wav a was attached; its data cannot be read]");
}

TEST_CASE("an SVG goes as its XML, in whatever way it came", "[messages][model_file]") {
  const auto text = "[image/svg+xml d.svg]\n" + svg;
  CHECK(read({"image/svg+xml", url_of("image/svg+xml", svg), "d.svg"}) == text);
  CHECK(read({"image/svg+xml", url_of("image/svg+xml", svg), "d.svg"}, false) == text);
  CHECK(read({"image/svg+xml", url_of("image/svg+xml;charset=utf-8", svg), "d.svg"}) == text);
  CHECK(read({"image/svg+xml", "data:image/svg+xml;utf8," + svg, "d.svg"}) == text);
  CHECK(read({"image/svg+xml",
              "DATA:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E"
              "%3Ctext%3Ehi%3C/text%3E%3C/svg%3E",
              "d.svg"}) == text);
  CHECK(read({"IMAGE/SVG+XML; charset=utf-8", url_of("image/svg+xml", svg), "d.svg"}) ==
        "[IMAGE/SVG+XML; charset=utf-8 d.svg]\n" + svg);
  CHECK(read({"application/xml", url_of("application/xml", svg), "d.svg"}) ==
        "[application/xml d.svg]\n" + svg);
  CHECK(read({"image/png", url_of("image/png", svg), "d.png"}) == "[image/png d.png]\n" + svg);
}

TEST_CASE("an SVG that is too large, packed or elsewhere is cut or noted",
          "[messages][model_file]") {
  auto large = "<svg>" + std::string(100'000, 'x');
  auto text = read({"image/svg+xml", url_of("image/svg+xml", large), "d.svg"});
  CHECK(text.size() < 66'000);
  CHECK(text.ends_with("x\n[34469 more bytes were left out]"));
  CHECK(read({"image/svg+xml", url_of("image/svg+xml", "\x1F\x8B\x08"), "d.svgz"}) ==
        "[image/svg+xml d.svgz was attached" + no_such);
  CHECK(read({"image/svg+xml", "https://x.example/d.svg", "d.svg"}) ==
        "[image/svg+xml d.svg was attached" + no_such);
  CHECK(read({"image/*", "https://x.example/d.SVG?v=1", ""}) == "[image/* was attached" + no_such);
}

TEST_CASE("images of other types are noted with name and type", "[messages][model_file]") {
  for (std::string type : {"image/tiff", "image/bmp", "image/heic", "image/avif", "image/x-icon"})
    CHECK(read({type, "data:" + type + ";base64,AAAA", "scan"}) ==
          "[" + type + " scan was attached" + no_such);
  CHECK(read({"image/heic", "data:image/heic;base64,AAAA", "p"}, false) ==
        "[image/heic p was attached; this model takes no images]");
  CHECK(read({"image/png", "blob:https://x/1", "p"}) == "[image/png p was attached" + no_such);
}

TEST_CASE("the bytes decide what an image is, not its label", "[messages][model_file]") {
  const auto right = url_of("image/png", png);
  CHECK(read({"image/jpeg", url_of("image/jpeg", png)}) == right);
  CHECK(read({"IMAGE/PNG", url_of("IMAGE/PNG", png)}) == right);
  CHECK(read({"application/octet-stream", url_of("", png)}) == right);
  CHECK(read({"image/jpg", "data:image/jpg;base64,/9j/"}) == "data:image/jpeg;base64,/9j/");
  const auto heic = std::string{"\0\0\0\x18", 4} + "ftypheic rest";
  CHECK(read({"image/jpeg", url_of("image/jpeg", heic), "p.jpg"}) ==
        "[image/jpeg p.jpg was attached" + no_such);
  CHECK(read({"text/plain", url_of("text/plain", "GIF89a is a format"), "n"}) ==
        "[text/plain n]\nGIF89a is a format");
}

TEST_CASE("the data of an image goes out as strict base64, or not at all",
          "[messages][model_file]") {
  const std::string right = "data:image/png;base64,+/8=";
  CHECK(read({"image/png", "data:image/png;base64,-_8"}) == right);
  CHECK(read({"image/png", "data:image/png;base64,+/\r\n8="}) == right);
  CHECK(read({"image/png", "data:image/png;base64,%2B%2F8%3D"}) == right);
  CHECK(read({"image/png", "data:image/png;name=a.png;base64,+/8="}) == right);
  CHECK(read({"image/png", "data:image/png,%FB%FF"}) == right);
  for (std::string data : {"", "====", "no base64!", "A"})
    CHECK(read({"image/png", "data:image/png;base64," + data, "p"}) ==
          "[image/png p was attached; its data cannot be read]");
}

TEST_CASE("texts of all kinds are read", "[messages][model_file]") {
  for (std::string type : {"text/csv", "application/json", "application/ld+json", "application/xml",
                           "application/yaml", "TEXT/PLAIN; charset=utf-8"})
    CHECK(read({type, "data:" + type + ";base64,SGk=", "n"}) == "[" + type + " n]\nHi");
  CHECK(read({"application/pdf", "data:application/pdf;base64,AAAA", "p.pdf"}) ==
        "[application/pdf p.pdf was attached" + no_such);
}

} // namespace model_file_test
