import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marked, type Token } from 'marked';
import { lex } from './blocks.ts';

const names: Record<string, string> = { strong: 'b', em: 'i', del: 's', link: 'a', codespan: 'code' };

/** A text's inner elements, as short tags. */
function shown(tokens: Token[]): string {
  return tokens
    .map((each) => {
      const inner = 'tokens' in each && each.tokens ? shown(each.tokens) : 'text' in each ? each.text : each.raw;
      const name = names[each.type];
      return name ? `<${name}>${inner}</${name}>` : each.type === 'list' ? shown(each.items) : inner;
    })
    .join('');
}

const compare = (cases: Record<string, string>) => {
  for (const [text, expected] of Object.entries(cases)) assert.equal(shown(lex(text)), expected, text);
};

test('marks with punctuation on their inner side are marks where one side is CJK', () => {
  compare({
    '这里有**「三个」**步骤': '这里有<b>「三个」</b>步骤',
    '- **优点：**速度快': '<b>优点：</b>速度快',
    '请看**《红楼梦》**和**《西游记》**。': '请看<b>《红楼梦》</b>和<b>《西游记》</b>。',
    '他叫**“小明”**吗': '他叫<b>“小明”</b>吗',
    '**等等……**然后': '<b>等等……</b>然后',
    'これは*（たぶん）*正しい': 'これは<i>（たぶん）</i>正しい',
    'コード**`x`**です': 'コード<b><code>x</code></b>です',
    '먼저 **설정(Settings)**을 엽니다': '먼저 <b>설정(Settings)</b>을 엽니다',
    'API**（接口）**is': 'API<b>（接口）</b>is',
    '用***「全部」***才行': '用<i><b>「全部」</b></i>才行',
    '价格**~~「旧」~~**新': '价格<b><s>「旧」</s></b>新',
    '价格~~（旧）~~新': '价格<s>（旧）</s>新',
    '请~~**「旧」**~~新': '请<s><b>「旧」</b></s>新',
    '内容**_（重点）_**内容': '内容<b><i>（重点）</i></b>内容',
    '_前**「中」**_ 后': '<i>前<b>「中」</b></i> 后',
    '**（甲）**：**乙**和**丙**': '<b>（甲）</b>：<b>乙</b>和<b>丙</b>',
    '**标题**：**内容**，*次要*。': '<b>标题</b>：<b>内容</b>，<i>次要</i>。',
    '\u{20000}**「x」**\u{20000}': '\u{20000}<b>「x」</b>\u{20000}',
    '**看[文档](https://example.org)**吧': '<b>看<a>文档</a></b>吧',
    '**重点**和普通': '<b>重点</b>和普通',
  });
});

test('text in other scripts, code and underscores in words are read as ever', () => {
  const texts = [
    'a**"b"**c', 'a **"b"** c', 'x*(y)*z', '5*(3)*2', '**a:**b', 'foo**(bar)**baz', 'слово**«да»**слово', '2 * 3 * 4',
    'snake_case_name', '`**「x」**y`', '```\n**「x」**y\n```', '    **「x」**y', '\\*\\*「x」\\*\\*y', '变量_（名）_值',
    'report_（终稿）_2024', '** 空格「 **后', 'a ** b ** c', '~~old~~ new', 'a~~(b)~~c', 'ไทย**(ก)**ไทย',
  ];
  const plain = new Marked({ gfm: true });
  for (const text of texts) assert.equal(shown(lex(text)), shown(plain.lexer(text)), text);
});

test('one tilde is a tilde, and two strike out', () => {
  compare({
    '大约3~5天，价格100~200元': '大约3~5天，价格100~200元',
    '~1.3 to ~5.4 GB': '~1.3 to ~5.4 GB',
    'f(1~3), g(80~100)': 'f(1~3), g(80~100)',
    '周一~周五，9:00~18:00': '周一~周五，9:00~18:00',
    '~a~': '~a~',
    '~~a~~ b': '<s>a</s> b',
    '~~3~5天~~ 7天': '<s>3~5天</s> 7天',
    '**~5** and **~6**': '<b>~5</b> and <b>~6</b>',
    'x ~~~a~~~ b ~c~': 'x ~~~a~~~ b ~c~',
    'cd ~/a && ls ~/b': 'cd ~/a && ls ~/b',
    '`~a~`': '<code>~a~</code>',
  });
});

test('a bare address ends before CJK punctuation', () => {
  compare({
    '见https://example.org/a，然后': '见<a>https://example.org/a</a>，然后',
    '（https://example.org/a）好': '（<a>https://example.org/a</a>）好',
    '「https://example.org」、https://example.org/b。': '「<a>https://example.org</a>」、<a>https://example.org/b</a>。',
    '“https://example.org/?a=1&b=2”': '“<a>https://example.org/?a=1&b=2</a>”',
    'www.example.org/x；下': '<a>www.example.org/x</a>；下',
    'https://example.org/a，**重点**': '<a>https://example.org/a</a>，<b>重点</b>',
    'https://example.org/路径/中文 x': '<a>https://example.org/路径/中文</a> x',
    'https://example.org/アーサー・C 他': '<a>https://example.org/アーサー・C</a> 他',
    'https://example.org/a,b.': '<a>https://example.org/a,b</a>.',
    '<https://example.org/a，b>': '<a>https://example.org/a，b</a>',
    '[x](https://example.org/a，b)': '<a>x</a>',
    'https://，': 'https://，',
  });
});
