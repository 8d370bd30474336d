#include "messages/store/search_letters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace troupe {

namespace {

struct range {
  char32_t first;
  char32_t last;
};

template <size_t N>
bool is_in(const std::array<range, N>& sorted, char32_t code) {
  const auto behind =
      std::upper_bound(sorted.begin(), sorted.end(), code,
                       [](char32_t each, const range& in) { return each < in.first; });
  return behind != sorted.begin() && code <= std::prev(behind)->last;
}

/// Punctuation, symbols, spaces and controls beyond ASCII.
constexpr std::array gaps{
    range{0x80, 0xA9},     range{0xAB, 0xAC},     range{0xAE, 0xB1},     range{0xB4, 0xB4},
    range{0xB6, 0xB8},     range{0xBB, 0xBB},     range{0xBF, 0xBF},     range{0xD7, 0xD7},
    range{0xF7, 0xF7},     range{0x2C2, 0x2C5},   range{0x2D2, 0x2DF},   range{0x37E, 0x37E},
    range{0x387, 0x387},   range{0x482, 0x482},   range{0x55A, 0x55F},   range{0x589, 0x58F},
    range{0x5BE, 0x5BE},   range{0x5C0, 0x5C0},   range{0x5C3, 0x5C3},   range{0x5F3, 0x5F4},
    range{0x606, 0x60F},   range{0x61B, 0x61F},   range{0x66A, 0x66D},   range{0x6D4, 0x6D4},
    range{0x700, 0x70D},   range{0x964, 0x965},   range{0x970, 0x970},   range{0xE3F, 0xE3F},
    range{0xE4F, 0xE4F},   range{0xE5A, 0xE5B},   range{0xF01, 0xF17},   range{0xF3A, 0xF3D},
    range{0x104A, 0x104F}, range{0x10FB, 0x10FB}, range{0x1360, 0x1368}, range{0x1400, 0x1400},
    range{0x166D, 0x166E}, range{0x1680, 0x1680}, range{0x17D4, 0x17DB}, range{0x1800, 0x180A},
    range{0x2000, 0x200A}, range{0x2010, 0x205F}, range{0x207A, 0x207E}, range{0x208A, 0x208E},
    range{0x20A0, 0x20CF}, range{0x2190, 0x245F}, range{0x2500, 0x2775}, range{0x2794, 0x2BFF},
    range{0x2CE5, 0x2CEA}, range{0x2CF9, 0x2CFF}, range{0x2E00, 0x2EFF}, range{0x2FF0, 0x3004},
    range{0x3008, 0x3020}, range{0x3030, 0x3030}, range{0x303D, 0x303F}, range{0x309B, 0x309C},
    range{0x30A0, 0x30A0}, range{0x30FB, 0x30FB}, range{0x3190, 0x319F}, range{0x31C0, 0x31EF},
    range{0x3200, 0x33FF}, range{0x4DC0, 0x4DFF}, range{0xA490, 0xA4CF}, range{0xA4FE, 0xA4FF},
    range{0xA60D, 0xA60F}, range{0xD800, 0xDFFF}, range{0xFB29, 0xFB29}, range{0xFD3E, 0xFD3F},
    range{0xFE10, 0xFE1F}, range{0xFE30, 0xFE6F}, range{0xFF00, 0xFF0F}, range{0xFF1A, 0xFF20},
    range{0xFF3B, 0xFF40}, range{0xFF5B, 0xFF65}, range{0xFFE0, 0xFFFF}, range{0x1F000, 0x1FAFF}};

/// The gaps that people look for: signs of money, law, mathematics, arrows, shapes, emojis. Lines
/// of tables (U+2500 to U+259F) and punctuation are none.
constexpr std::array signs{
    range{0xA2, 0xA7},     range{0xA9, 0xA9},     range{0xAC, 0xAC},      range{0xAE, 0xAE},
    range{0xB0, 0xB1},     range{0xB6, 0xB6},     range{0xD7, 0xD7},      range{0xF7, 0xF7},
    range{0xE3F, 0xE3F},   range{0x203C, 0x203C}, range{0x2049, 0x2049},  range{0x20A0, 0x20CF},
    range{0x2190, 0x23FF}, range{0x25A0, 0x2767}, range{0x2794, 0x27E5},  range{0x27F0, 0x2982},
    range{0x2999, 0x29D7}, range{0x29DC, 0x29FB}, range{0x29FE, 0x2BFF},  range{0x3012, 0x3013},
    range{0x3020, 0x3020}, range{0x3030, 0x3030}, range{0x303D, 0x303D},  range{0x3200, 0x33FF},
    range{0x4DC0, 0x4DFF}, range{0xFFE0, 0xFFE6}, range{0x1F000, 0x1FAFF}};

/// Accents, points of vowels, shades of skin, and characters without a width: a word is the same
/// without them.
constexpr std::array unseen{
    range{0xAD, 0xAD},       range{0x300, 0x36F},    range{0x483, 0x489},   range{0x591, 0x5BD},
    range{0x5BF, 0x5BF},     range{0x5C1, 0x5C2},    range{0x5C4, 0x5C5},   range{0x5C7, 0x5C7},
    range{0x610, 0x61A},     range{0x640, 0x640},    range{0x64B, 0x65F},   range{0x670, 0x670},
    range{0x6D6, 0x6DC},     range{0x6DF, 0x6E4},    range{0x6E7, 0x6E8},   range{0x6EA, 0x6ED},
    range{0x1AB0, 0x1AFF},   range{0x1DC0, 0x1DFF},  range{0x200B, 0x200F}, range{0x2060, 0x2064},
    range{0x20D0, 0x20FF},   range{0x302A, 0x302D},  range{0x3099, 0x309A}, range{0xFE00, 0xFE0F},
    range{0xFE20, 0xFE2F},   range{0xFEFF, 0xFEFF},  range{0xFF9E, 0xFF9F}, range{0x1F3FB, 0x1F3FF},
    range{0xE0020, 0xE007F}, range{0xE0100, 0xE01EF}};

/// Thai to Lao, Myanmar, Hangul, Khmer; Han, Kana and Hangul of all blocks; Yi.
constexpr std::array unspaced{
    range{0xE01, 0xEDF},    range{0x1000, 0x109F}, range{0x1100, 0x11FF}, range{0x1780, 0x17D3},
    range{0x17DC, 0x17DD},  range{0x1950, 0x19DF}, range{0x1A20, 0x1AAD}, range{0x2F00, 0x2FD5},
    range{0x3005, 0x3007},  range{0x3021, 0x302F}, range{0x3031, 0x303C}, range{0x3041, 0x309F},
    range{0x30A1, 0x312F},  range{0x3131, 0x318E}, range{0x31A0, 0x31BF}, range{0x31F0, 0x31FF},
    range{0x3400, 0x4DBF},  range{0x4E00, 0x9FFF}, range{0xA000, 0xA48C}, range{0xA960, 0xA97C},
    range{0xAC00, 0xD7FB},  range{0xF900, 0xFAD9}, range{0xFF66, 0xFFDC}, range{0x1AFF0, 0x1B16F},
    range{0x20000, 0x3FFFF}};

/// The digits of these scripts stand for themselves, as words with spaces do.
constexpr std::array digits{range{0xE50, 0xE59}, range{0xED0, 0xED9}, range{0x1040, 0x1049}};

/// Latin letters without their accents, from U+00C0 and from U+1E00; '.': has no other form here.
constexpr std::string_view latin_00c0 =
    "aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccdd"
    "ddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllll..llnnnnnn...oooooo..rrrrrrssssss"
    "ssttttttuuuuuuuuuuuuwwyyyzzzzzzs................................oo.............u"
    "u............................aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa...."
    "aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............................";
constexpr std::string_view latin_1e00 =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooo"
    "oooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s...."
    "aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuu"
    "uuyyyyyyyy......";

/// Greek letters without their accents, from U+1F00.
constexpr std::u16string_view greek_1f00 =
    u"ααααααααααααααααεεεεεε..εεεεεε..ηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιι"
    u"οοοοοο..οοοοοο..υυυυυυυυ.υ.υ.υ.υωωωωωωωωωωωωωωωωααεεηηιιοουυωω.."
    u"ααααααααααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωωααααα.ααααααα.ι."
    u"..ηηη.ηηεεηηη...ιιιι..ιιιιιι....υυυυρρυυυυυυρ.....ωωω.ωωοοωωω...";

/// Characters that are written as several letters: folded, in order.
struct several {
  char32_t code;
  std::u32string_view letters;
};
constexpr std::array ligatures{several{0xC6, U"ae"},
                               several{0xDF, U"ss"},
                               several{0xE6, U"ae"},
                               several{0x132, U"ij"},
                               several{0x133, U"ij"},
                               several{0x152, U"oe"},
                               several{0x153, U"oe"},
                               several{0x1C4, U"dz"},
                               several{0x1C5, U"dz"},
                               several{0x1C6, U"dz"},
                               several{0x1C7, U"lj"},
                               several{0x1C8, U"lj"},
                               several{0x1C9, U"lj"},
                               several{0x1CA, U"nj"},
                               several{0x1CB, U"nj"},
                               several{0x1CC, U"nj"},
                               several{0x1E2, U"ae"},
                               several{0x1E3, U"ae"},
                               several{0x1F1, U"dz"},
                               several{0x1F2, U"dz"},
                               several{0x1F3, U"dz"},
                               several{0x1FC, U"ae"},
                               several{0x1FD, U"ae"},
                               several{0x587, U"եւ"},
                               several{0x958, U"\u0915\u093C"},
                               several{0x959, U"\u0916\u093C"},
                               several{0x95A, U"\u0917\u093C"},
                               several{0x95B, U"\u091C\u093C"},
                               several{0x95C, U"\u0921\u093C"},
                               several{0x95D, U"\u0922\u093C"},
                               several{0x95E, U"\u092B\u093C"},
                               several{0x95F, U"\u092F\u093C"},
                               several{0x1E9E, U"ss"},
                               several{0x2116, U"no"},
                               several{0x2122, U"tm"},
                               several{0xFB00, U"ff"},
                               several{0xFB01, U"fi"},
                               several{0xFB02, U"fl"},
                               several{0xFB03, U"ffi"},
                               several{0xFB04, U"ffl"},
                               several{0xFB05, U"st"},
                               several{0xFB06, U"st"}};

/// The NFKC forms of the radicals from U+2F00, the compatibility characters from U+F900, and the
/// Katakana of half a width from U+FF66; '?': no other character.
constexpr std::u16string_view radicals_2f00 =
    u"一丨丶丿乙亅二亠人儿入八冂冖冫几凵刀力勹匕匚匸十卜卩厂厶又口囗土士夂夊夕大女子宀寸小尢尸"
    u"屮山巛工己巾干幺广廴廾弋弓彐彡彳心戈戶手支攴文斗斤方无日曰月木欠止歹殳毋比毛氏气水火爪父"
    u"爻爿片牙牛犬玄玉瓜瓦甘生用田疋疒癶白皮皿目矛矢石示禸禾穴立竹米糸缶网羊羽老而耒耳聿肉臣自"
    u"至臼舌舛舟艮色艸虍虫血行衣襾見角言谷豆豕豸貝赤走足身車辛辰辵邑酉釆里金長門阜隶隹雨靑非面"
    u"革韋韭音頁風飛食首香馬骨高髟鬥鬯鬲鬼魚鳥鹵鹿麥麻黃黍黑黹黽鼎鼓鼠鼻齊齒龍龜龠";
constexpr std::u16string_view characters_f900 =
    u"豈更車賈滑串句龜龜契金喇奈懶癩羅蘿螺裸邏樂洛烙珞落酪駱亂卵欄爛蘭鸞嵐濫藍襤拉臘蠟廊朗浪狼"
    u"郎來冷勞擄櫓爐盧老蘆虜路露魯鷺碌祿綠菉錄鹿論壟弄籠聾牢磊賂雷壘屢樓淚漏累縷陋勒肋凜凌稜綾"
    u"菱陵讀拏樂諾丹寧怒率異北磻便復不泌數索參塞省葉說殺辰沈拾若掠略亮兩凉梁糧良諒量勵呂女廬旅"
    u"濾礪閭驪麗黎力曆歷轢年憐戀撚漣煉璉秊練聯輦蓮連鍊列劣咽烈裂說廉念捻殮簾獵令囹寧嶺怜玲瑩羚"
    u"聆鈴零靈領例禮醴隸惡了僚寮尿料樂燎療蓼遼龍暈阮劉杻柳流溜琉留硫紐類六戮陸倫崙淪輪律慄栗率"
    u"隆利吏履易李梨泥理痢罹裏裡里離匿溺吝燐璘藺隣鱗麟林淋臨立笠粒狀炙識什茶刺切度拓糖宅洞暴輻"
    u"行降見廓兀嗀??塚?晴??凞猪益礼神祥福靖精羽?蘒?諸??逸都???飯飼館鶴郞隷侮僧免勉"
    u"勤卑喝嘆器塀墨層屮悔慨憎懲敏既暑梅海渚漢煮爫琢碑社祉祈祐祖祝禍禎穀突節練縉繁署者臭艹艹著"
    u"褐視謁謹賓贈辶逸難響頻恵?舘??並况全侀充冀勇勺喝啕喙嗢塚墳奄奔婢嬨廒廙彩徭惘慎愈憎慠懲"
    u"戴揄搜摒敖晴朗望杖歹殺流滛滋漢瀞煮瞧爵犯猪瑱甆画瘝瘟益盛直睊着磌窱節类絛練缾者荒華蝹襁覆"
    u"視調諸請謁諾諭謹變贈輸遲醙鉶陼難靖韛響頋頻鬒龜???㮝䀘䀹???齃龎";
constexpr std::u16string_view katakana_ff66 =
    u"ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ"
    u"ヤユヨラリルレロワン";
static_assert(latin_00c0.size() == 0x190 && latin_1e00.size() == 0x100);
static_assert(greek_1f00.size() == 0x100);
static_assert(radicals_2f00.size() == 0xD6 && characters_f900.size() == 0x1DA);
static_assert(katakana_ff66.size() == 0x38);

/// Letters of Cyrillic whose accent makes no letter of its own: io, and two with a grave.
char32_t plain_cyrillic(char32_t small) {
  return small == 0x450 || small == 0x451 ? 0x435 : small == 0x45D ? 0x438 : small;
}

/// Arabic letters with a hamza or a madda on them.
char32_t plain_arabic(char32_t code) {
  return code == 0x624 ? 0x648 : code == 0x626 ? 0x64A : 0x627;
}

/// Returns the small letter, for scripts of which pairs or blocks have both.
char32_t small(char32_t code) {
  const auto within = [code](char32_t first, char32_t last) {
    return code >= first && code <= last;
  };
  const auto even = [code](bool fits) { return fits ? code | 1U : code; };
  const auto odd = [code](bool fits) { return fits && code % 2 == 1 ? code + 1 : code; };
  if (within(0xC0, 0xDE) || within(0x391, 0x3A1) || within(0x3A3, 0x3A9) || within(0x410, 0x42F))
    return code + 0x20;
  if (within(0x139, 0x148) || within(0x179, 0x17E) || within(0x1CD, 0x1DC) ||
      within(0x4C1, 0x4CE) || code == 0x23B || code == 0x241)
    return odd(true);
  if (within(0x400, 0x40F))
    return plain_cyrillic(code + 0x50);
  if (within(0x450, 0x45F))
    return plain_cyrillic(code);
  if (within(0x531, 0x556))
    return code + 0x30;
  if (within(0x10A0, 0x10C5)) // Georgian
    return code + 0x1C60;
  if (within(0x1C90, 0x1CBA) || within(0x1CBD, 0x1CBF))
    return code - 0xBC0;
  if (within(0x2160, 0x216F)) // Roman numbers
    return code + 0x10;
  if (within(0x10400, 0x10427))
    return code + 0x28;
  return even(within(0x100, 0x137) || within(0x14A, 0x177) || within(0x1DE, 0x21F) ||
              within(0x222, 0x233) || within(0x246, 0x24F) || within(0x370, 0x373) ||
              within(0x3D8, 0x3EF) || within(0x460, 0x481) || within(0x48A, 0x4BF) ||
              within(0x4D0, 0x52F) || within(0x1E00, 0x1E95) || within(0x1EA0, 0x1EFF) ||
              within(0x2C80, 0x2CE3) || within(0xA640, 0xA66D) || within(0xA722, 0xA76F));
}

/// Greek letters with an accent, and the sigma at the end of a word.
char32_t plain_greek(char32_t code) {
  constexpr std::u32string_view with = U"\u0386\u0388\u0389\u038A\u038C\u038E\u038F\u0390\u03AA"
                                       U"\u03AB\u03AC\u03AD\u03AE\u03AF\u03B0\u03C2\u03CA\u03CB"
                                       U"\u03CC\u03CD\u03CE";
  constexpr std::u32string_view plain = U"\u03B1\u03B5\u03B7\u03B9\u03BF\u03C5\u03C9\u03B9\u03B9"
                                        U"\u03C5\u03B1\u03B5\u03B7\u03B9\u03C5\u03C3\u03B9\u03C5"
                                        U"\u03BF\u03C5\u03C9";
  static_assert(with.size() == plain.size());
  const auto at = with.find(code);
  return at == with.npos ? code : plain[at];
}

template <class Text>
char32_t from_table(const Text& table, char32_t first, char32_t code) {
  const char32_t found = static_cast<char32_t>(table[code - first]);
  return found == U'?' || found == U'.' ? code : found;
}

/// Returns the letter or digit of one that is raised, lowered, in a circle, or in a face that
/// mathematicians use (U+1D400) and people who want bold letters.
char32_t usual_latin(char32_t code) {
  const auto letter = [](char32_t at) { return (at % 52 < 26 ? U'A' : U'a') + at % 26; };
  if (code >= 0x2460 && code <= 0x2468)
    return code - 0x2460 + U'1';
  if (code >= 0x249C && code <= 0x24E9)
    return U'a' + (code - 0x249C) % 26;
  if (code >= 0x2080 && code <= 0x2089)
    return code - 0x2080 + U'0';
  if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079))
    return code - 0x2070 + U'0';
  if (code >= 0x1D400 && code <= 0x1D6A3)
    return letter(code - 0x1D400);
  if (code >= 0x1D7CE && code <= 0x1D7FF)
    return U'0' + (code - 0x1D7CE) % 10;
  if (code == 0xB2 || code == 0xB3)
    return code - 0xB0 + U'0';
  return code == 0xB9 ? U'1' : code == 0xAA ? U'a' : code == 0xBA ? U'o' : code;
}

/// Returns the same character in its usual width and form.
char32_t usual(char32_t code) {
  if (code >= 0x2F00 && code <= 0x2FD5)
    return from_table(radicals_2f00, 0x2F00, code);
  if (code >= 0xF900 && code <= 0xFAD9)
    return from_table(characters_f900, 0xF900, code);
  if (code >= 0x3041 && code <= 0x309E)
    return code <= 0x3096 || code >= 0x309D ? code + 0x60 : code; // Katakana
  if (code < 0xFF01 || code > 0xFFDC)
    return usual_latin(code);
  if (code <= 0xFF5E)
    return code - 0xFEE0;
  if (code >= 0xFF66 && code <= 0xFF9D)
    return from_table(katakana_ff66, 0xFF66, code);
  if (code >= 0xFFA1 && code <= 0xFFBE)
    return code - 0xCE70;                                                 // consonants of Hangul
  return code >= 0xFFC2 ? code - 0xCE73 - (code - 0xFFC2) / 8 * 2 : code; // and vowels
}

char32_t folded(char32_t code) {
  char32_t out = code;
  if (code >= 0xC0 && code <= 0x24F)
    out = from_table(latin_00c0, 0xC0, code);
  else if (code >= 0x1E00 && code <= 0x1EFF)
    out = from_table(latin_1e00, 0x1E00, code);
  else if (code >= 0x386 && code <= 0x3CE)
    out = plain_greek(code);
  else if (code >= 0x1F00 && code <= 0x1FFF)
    out = from_table(greek_1f00, 0x1F00, code);
  else if (code >= 0x622 && code <= 0x626)
    out = plain_arabic(code);
  return out == code ? small(code) : out;
}

/// Returns the character of Kana with a mark of voice, or of half voice.
char32_t voiced(char32_t kana, bool half) {
  const char32_t hiragana = kana >= 0x30A1 && kana <= 0x30F6 ? kana - 0x60 : kana;
  constexpr std::u32string_view takes_voice =
      U"\u304B\u304D\u304F\u3051\u3053\u3055\u3057\u3059\u305B\u305D\u305F\u3061\u3064\u3066\u3068";
  if (hiragana >= 0x306F && hiragana <= 0x307B && (hiragana - 0x306F) % 3 == 0)
    return kana + (half ? 2 : 1);
  if (!half && takes_voice.find(hiragana) != takes_voice.npos)
    return kana + 1;
  return !half && hiragana == 0x3046 ? kana + 0x4E : 0;
}

/// Returns the letter of Cyrillic that is one of its own, not an accented one.
char32_t cyrillic_with(char32_t code, char32_t mark) {
  if (mark == 0x306)
    return code == 0x438 ? 0x439 : code == 0x443 ? 0x45E : 0;
  if (mark == 0x308)
    return code == 0x456 ? 0x457 : 0;
  return mark != 0x301 ? 0 : code == 0x433 ? 0x453 : code == 0x43A ? 0x45C : 0;
}

std::u32string_view expansion_of(char32_t code) {
  const auto found =
      std::lower_bound(ligatures.begin(), ligatures.end(), code,
                       [](const several& each, char32_t than) { return each.code < than; });
  return found != ligatures.end() && found->code == code ? found->letters : std::u32string_view{};
}

search_letter fold_ascii(char32_t code) {
  const bool upper = code >= 'A' && code <= 'Z';
  const bool word = upper || (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9');
  return {upper ? code + 0x20 : code, word ? letter_kind::letter : letter_kind::gap};
}

search_letter fold_by_ranges(char32_t code) {
  if (code < 0x80)
    return fold_ascii(code);
  if (is_in(unseen, code))
    return {code, letter_kind::unseen};
  if (is_in(gaps, code))
    return {code, is_in(signs, code) ? letter_kind::sign : letter_kind::gap};
  if (!expansion_of(code).empty())
    return {code, letter_kind::letters};
  const auto plain = usual(code);
  if (plain < 0x80)
    return fold_ascii(plain);
  if (is_in(unspaced, plain) && !is_in(digits, plain))
    return {plain, letter_kind::unspaced};
  return {folded(plain), letter_kind::letter};
}

/// The folded characters up to Kana, in which nearly all scripts lie: made once, in a millisecond.
class letter_table {
public:
  static constexpr char32_t end = 0x3100;

  letter_table() {
    for (char32_t code = 0; code < end; ++code) {
      const auto letter = fold_by_ranges(code);
      packed_[code] = static_cast<uint32_t>(letter.code) << 8 | static_cast<uint32_t>(letter.kind);
    }
  }

  search_letter at(char32_t code) const {
    return {packed_[code] >> 8, static_cast<letter_kind>(packed_[code] & 0xFF)};
  }

private:
  std::array<uint32_t, end> packed_;
};

} // namespace

search_letter fold_letter(char32_t code) {
  if ((code >= 0x4E00 && code <= 0x9FFF) || (code >= 0xAC00 && code <= 0xD7A3))
    return {code, letter_kind::unspaced}; // most of them
  static const letter_table common;
  return code < letter_table::end ? common.at(code) : fold_by_ranges(code);
}

std::u32string_view letters_of(char32_t code) {
  return expansion_of(code);
}

char32_t composed(char32_t code, char32_t next) {
  if (next < 0x301)
    return 0;
  if (next <= 0x308)
    return cyrillic_with(code, next);
  if (next == 0x3099 || next == 0xFF9E)
    return voiced(code, false);
  if (next == 0x309A || next == 0xFF9F)
    return voiced(code, true);
  constexpr char32_t first_syllable = 0xAC00;
  if (code >= 0x1100 && code <= 0x1112 && next >= 0x1161 && next <= 0x1175)
    return first_syllable + ((code - 0x1100) * 21 + (next - 0x1161)) * 28;
  if (next < 0x11A8 || next > 0x11C2)
    return 0;
  const bool open = code >= first_syllable && code <= 0xD7A3 && (code - first_syllable) % 28 == 0;
  return open ? code + (next - 0x11A7) : 0;
}

} // namespace troupe
