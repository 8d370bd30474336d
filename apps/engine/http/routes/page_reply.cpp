#include "apps/engine/http/routes/page_reply.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace troupe {

namespace {

/// Nothing runs, and nothing is fetched, but what the server itself serves.
constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

/// Takes the next element off a list that commas separate.
std::string_view next_element(std::string_view& list) {
  auto element = list.substr(0, list.find(','));
  list.remove_prefix(std::min(list.size(), element.size() + 1));
  element.remove_prefix(std::min(element.find_first_not_of(" \t"), element.size()));
  return element.substr(0, element.find_last_not_of(" \t") + 1);
}

bool is_letter(char a, char b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; };
  return lower(a) == lower(b);
}

bool is_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_letter);
}

/// Returns the name of an element such as "gzip;q=0.5", or "" if its weight is 0.
std::string_view wanted_name(std::string_view element) {
  const auto name = element.substr(0, element.find_first_of("; \t"));
  const auto weight = element.find("q=");
  if (weight != element.npos &&
      std::strtod(std::string{element.substr(weight + 2)}.c_str(), nullptr) <= 0)
    return {};
  return name;
}

bool allows(std::string_view list, std::string_view name) {
  while (!list.empty())
    if (is_word(wanted_name(next_element(list)), name))
      return true;
  return false;
}

headers page_headers(const page_asset& file, const page_coding& how) {
  const auto is_page = file.path == "/";
  headers all{{"content-type", std::string{file.type}},
              {"etag", '"' + std::string{file.etag} + '"'},
              {"cache-control", is_page ? "no-cache" : "public, max-age=31536000, immutable"},
              {"vary", is_page ? "Accept, Accept-Encoding" : "Accept-Encoding"},
              {"content-security-policy", std::string{page_policy}},
              {"referrer-policy", "no-referrer"},
              {"cross-origin-opener-policy", "same-origin"},
              {"permissions-policy", "camera=(), microphone=(), geolocation=()"}};
  if (!how.name.empty())
    all.push_back({"content-encoding", std::string{how.name}});
  return all;
}

} // namespace

bool accepts_html(std::string_view accept) {
  return allows(accept, "text/html");
}

page_coding choose_coding(const page_asset& file, std::string_view accept_encoding) {
  if (!file.br.empty() && allows(accept_encoding, "br"))
    return {"br", file.br};
  if (!file.gzip.empty() && allows(accept_encoding, "gzip"))
    return {"gzip", file.gzip};
  return {"", file.identity};
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
  while (!if_none_match.empty()) {
    auto element = next_element(if_none_match);
    if (element.starts_with("W/"))
      element.remove_prefix(2);
    if (element == "*" ||
        (element.size() == etag.size() + 2 && element.substr(1, etag.size()) == etag))
      return true;
  }
  return false;
}

const page_asset* find_page_asset(const engine_config& config, std::string_view path) {
  if (!config.page)
    return nullptr;
  const auto found = std::ranges::find(config.page_files, path, &page_asset::path);
  return found == config.page_files.end() ? nullptr : &*found;
}

void reply_with_page(http_call& in, const page_asset& file) {
  const auto& fields = in.request.fields;
  const auto how = choose_coding(file, find_header(fields, "accept-encoding"));
  if (names_etag(find_header(fields, "if-none-match"), file.etag))
    return in.response->send(304, page_headers(file, {"", ""}), "");
  in.response->send(200, page_headers(file, how), std::string{how.bytes});
}

} // namespace troupe
