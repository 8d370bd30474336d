#include "apps/bench/report/html_text.hpp"

namespace troupe::bench {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out.push_back(c);
    }
  }
  return out;
}

std::string json_in_html(std::string_view json) {
  std::string out;
  for (char c : json) {
    if (c == '<') // it can only stand in a string
      out += "\\u003c";
    else
      out.push_back(c);
  }
  return out;
}

std::string html_table(const std::vector<std::vector<std::string>>& rows, size_t marked) {
  std::string out = "<div class=\"scroll\"><table>\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const char* tag = i == 0 ? "th" : "td";
    out += i > 0 && i == marked ? "<tr class=\"marked\">" : "<tr>";
    for (const auto& cell : rows[i])
      out += "<" + std::string{tag} + ">" + html_escaped(cell) + "</" + tag + ">";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string html_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string out = "<table class=\"facts\">\n";
  for (const auto& [name, text] : facts)
    out += "<tr><th scope=\"row\">" + html_escaped(name) + "</th><td>" + html_escaped(text) +
           "</td></tr>\n";
  return out + "</table>\n";
}

} // namespace troupe::bench
