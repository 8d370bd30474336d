#include "messages/store/search_words.hpp"

#include <random>
#include <string>
#include <vector>

#include "messages/store/search_letters.hpp"
#include "tests/support/catch.hpp"

namespace search_words_test {

using namespace troupe;

namespace {

/// Returns the pieces of the text that its words come from.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> out;
  for_each_word(text, [&](const search_word& each) {
    out.emplace_back(text.substr(each.begin, each.end - each.begin));
  });
  return out;
}

} // namespace

TEST_CASE("words of scripts with spaces are folded", "[messages][search]") {
  CHECK(words_of("Hello, World 42") == "hello world 42");
  CHECK(words_of("error_code: E1001/x-y") == "error code e1001 x y");
  CHECK(words_of("Ärger résumé Ångström ŁÓDŹ Ĳ") == "arger resume angstrom lodz ij");
  CHECK(words_of("e\u0301te\u0301") == "ete");
  CHECK(words_of("ΑΘΉΝΑ λόγος ΛΟΓΟΣ") == "αθηνα λογοσ λογοσ");
  CHECK(words_of("Москва ЁЛКА ҐАНОК") == "москва елка ґанок");
  CHECK(words_of("ԵՐԵՎԱՆ თბილისი ᲗᲑᲘᲚᲘᲡᲘ") ==
        "երեվան თბილისი თბილისი");
  CHECK(words_of("שָׁלוֹם مَرْحَبًا") == "שלום مرحبا");
  CHECK(words_of("हिन्दी में") == "हिन्दी में");
  CHECK(words_of("  ...!? — «» ┌──┐ • \u2028") == "");
  CHECK(words_of("") == "");
}

TEST_CASE("letters that are written as several are those", "[messages][search]") {
  CHECK(words_of("Straße STRASSE GROẞ groß") == "strasse strasse gross gross");
  CHECK(words_of("ﬁnd ﬂow oﬀ oﬃce baﬄe ﬅ ﬆ") == "find flow off office baffle st st");
  CHECK(words_of("Æsop œuvre Ĳssel ǅ ǆ") == "aesop oeuvre ijssel dz dz");
  CHECK(words_of("क़लम \u095Eल") == words_of("\u0915\u093Cलम \u092B\u093Cल"));
  CHECK(words_of("№5 ™") == "no5 tm");
}

TEST_CASE("letters with a stroke, without a dot or with two are the plain ones",
          "[messages][search]") {
  CHECK(words_of("Đặng đường Ħal Øre øl Łódź ŧ") == "dang duong hal ore ol lodz t");
  CHECK(words_of("ISPARTA ısparta İSTANBUL i\u0307") == "isparta isparta istanbul i");
  CHECK(words_of("ещё Ёлка еще е\u0308лка ѐ") == "еще елка еще елка е");
  CHECK(words_of("ἀλήθεια ᾳ Ὦ") == "αληθεια α ω");
  CHECK(words_of("أحمد آخر إلى مسؤول شيئ") == "احمد اخر الى مسوول شيي");
  CHECK(words_of("й ї ў ѓ ќ") == "й ї ў ѓ ќ"); // letters of their own
  CHECK(words_of("и\u0306 і\u0308 У\u0306 г\u0301 К\u0301") == "й ї ў ѓ ќ");
  CHECK(words_of("Ȣ Ɂ ȡ ȴ") == "ȣ ɂ ȡ ȴ");
}

TEST_CASE("letters and digits in other places and faces are the plain ones", "[messages][search]") {
  CHECK(words_of("x² H₂O 1ª nº 10⁻⁶") == "x2 h2o 1a no 10 6");
  CHECK(words_of("① ⓐ Ⓑ ⒞") == "1 a b c");
  CHECK(words_of("𝗕𝗼𝗹𝗱 𝒾𝓉𝒶𝓁 𝟙𝟚") == "bold ital 12");
}

TEST_CASE("Hiragana is as Katakana", "[messages][search]") {
  CHECK(words_of("らーめん") == words_of("ラーメン"));
  CHECK(words_of("ﾗｰﾒﾝ") == words_of("らーめん"));
  CHECK(words_of("か\u3099っこう") == words_of("ガッコウ"));
  CHECK(words_of("ゔ ゝ ゞ") == words_of("ヴ ヽ ヾ"));
}

TEST_CASE("each sign is a word", "[messages][search]") {
  CHECK(words_of("ship it🚀now ✅✅") == "ship it 🚀 now ✅ ✅");
  CHECK(words_of("部署成功🎉了") == "部署 署成 成功 功 🎉 了");
  CHECK(words_of("5€ ±3° §7 → ∑ ∞ ≠ ¬a ♥ ★ ㎏ £") == "5 € ± 3 ° § 7 → ∑ ∞ ≠ ¬ a ♥ ★ ㎏ £");
  CHECK(words_of("➡️") == words_of("➡"));
  CHECK(words_of("👍🏽") == words_of("👍"));
  CHECK(words_of("👨‍👩‍👧") == "👨 👩 👧");
  CHECK(words_of("🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪") == "🏴 🇩 🇪");
  CHECK(words_of("1️⃣ ‼️ ❤️‍🔥") == "1 ‼ ❤ 🔥");
  CHECK(pieces_of("a➡️b 👨‍👩") ==
        std::vector<std::string>{"a", "➡️", "b", "👨‍", "👩"});
}

TEST_CASE("each character of a run without spaces begins a word", "[messages][search]") {
  CHECK(words_of("流程图") == "流程 程图 图");
  CHECK(words_of("图") == "图");
  CHECK(words_of("東京タワー") == "東京 京タ タワ ワー ー");
  CHECK(words_of("한국어 검색") == "한국 국어 어 검색 색");
  CHECK(words_of("ไทย") == "ไท ทย ย");
  CHECK(words_of("用户，验证") == "用户 户 验证 证");
  CHECK(words_of("重跑gen-itgc后50条") == "重跑 跑 gen itgc 后 50 条");
  CHECK(words_of("𠮷野家") == "𠮷野 野家 家");
}

TEST_CASE("characters of other widths and forms are the usual ones", "[messages][search]") {
  CHECK(words_of("ＡＢＣ１２３　ｘ") == "abc123 x");
  CHECK(words_of("ｶﾞｷﾞﾊﾟｳﾞ") == words_of("ガギパヴ"));
  CHECK(words_of("か\u3099は\u309A") == words_of("がぱ"));
  CHECK(words_of("ﾄﾞｷｭﾒﾝﾄ") == words_of("ドキュメント"));
  CHECK(words_of("\u1112\u1161\u11AB\u1100\u1173\u11AF") == words_of("한글"));
  CHECK(words_of("⽤⼾") == words_of("用戶"));
  CHECK(words_of("\uF90A") == words_of("金"));
  CHECK(words_of("ﾡﾢￂￊￒￚ") == words_of("ㄱㄲㅏㅕㅛㅡ"));
  CHECK(words_of("soft\u00ADhyphen") == "softhyphen");
}

TEST_CASE("words know where they stand", "[messages][search]") {
  CHECK(pieces_of("a (b\u0301c) 部署x") ==
        std::vector<std::string>{"a", "b\u0301c", "部署", "署", "x"});
  CHECK(pieces_of("ｶﾞｷ") == std::vector<std::string>{"ｶﾞｷ", "ｷ"});
  std::vector<std::string> firsts;
  const std::string_view text = "天气a";
  for_each_word(text, [&](const search_word& each) {
    firsts.emplace_back(text.substr(each.begin, each.first_end - each.begin));
  });
  CHECK(firsts == std::vector<std::string>{"天", "气", "a"});
}

TEST_CASE("broken UTF-8 separates words, at every place", "[messages][search]") {
  CHECK(words_of("a\xFF"
                 "b \xE6\x97 日\x80本") == "a b 日 本");
  const std::string text = "日本a語";
  for (size_t cut = 0; cut <= text.size(); ++cut)
    CHECK(words_of(text.substr(0, cut)).size() <= text.size() * 2);
}

TEST_CASE("words at once are those that a visitor gets", "[messages][search]") {
  const std::vector<std::string> parts{"a",    "Word",   "9", " ",  "  ",     "_",       "\n",
                                       "\x7F", "\xFF",   "é", "か", "日本",   "e\u0301", "\u3099",
                                       "—",    "\u00AD", "ß", "🚀",  "\uFE0F", "\u200D",  "ё"};
  std::minstd_rand random{7};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto count = random() % 8; count > 0; --count)
      text += parts[random() % parts.size()];
    std::string each;
    for_each_word(text, [&](const search_word& word) {
      each.append(each.empty() ? "" : " ").append(word.word);
    });
    if (words_of(text) != each) {
      INFO(text);
      CHECK(words_of(text) == each);
    }
  }
}

TEST_CASE("the tables of characters are in order", "[messages][search]") {
  for (char32_t code = 0; code < 0x30000; ++code) {
    const auto once = fold_letter(code);
    const auto twice = fold_letter(once.code);
    for (const auto each : letters_of(code))
      CHECK(fold_letter(each).code == each);
    CHECK((once.kind == letter_kind::letters) == !letters_of(code).empty());
    if (once.kind == letter_kind::letter || once.kind == letter_kind::unspaced)
      if (twice.code != once.code || twice.kind != once.kind) {
        INFO(std::hex << static_cast<uint32_t>(code));
        CHECK(twice.code == once.code);
        CHECK(twice.kind == once.kind);
      }
  }
}

} // namespace search_words_test
