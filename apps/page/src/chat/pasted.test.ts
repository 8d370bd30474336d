import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standsForFiles } from './pasted.ts';

const stands = (text: string, ...names: string[]) => standsForFiles(text, names.map((name) => ({ name })));

test('files without a text, or with one that only names them, are what was copied', () => {
  for (const [text, ...names] of [
    ['', 'image.png'],
    ['\n', 'image.png'],
    ['photo.png', 'photo.png'],
    ['my photo.png\n', 'my photo.png'],
    ['/home/me/report.pdf', 'report.pdf'],
    ['~/报告.docx', '报告.docx'],
    ['C:\\Users\\me\\a b.txt', 'a b.txt'],
    ['"C:\\Users\\me\\a b.txt"', 'a b.txt'],
    ["'/home/me/a b.txt'", 'a b.txt'],
    ['file:///home/me/a%20b.txt', 'a b.txt'],
    ['file:///home/me/%E5%9B%BE.png\r\n', '图.png'],
    ['cafe\u0301.txt', 'caf\u00e9.txt'],
    ['a.png\nb.png', 'a.png', 'b.png'],
    ['a.png\rb.png', 'a.png', 'b.png'],
    ['/x/b.png\n/x/a.png', 'a.png', 'b.png'],
    ['a.png', 'a.png', 'b.png'],
    ['x-special/nautilus-clipboard\ncopy\nfile:///x/a.png\nfile:///x/b.png\n', 'a.png', 'b.png'],
    ['copy', 'copy'],
  ] as [string, ...string[]][])
    assert.ok(stands(text, ...names), JSON.stringify(text));
});

test('a text that says anything else is what was copied', () => {
  for (const [text, ...names] of [
    ['a\tb', 'image.png'],
    ['42', 'image.png'],
    ['image', 'image.png'],
    ['see image.png', 'image.png'],
    ['image.png\nand a word', 'image.png'],
    ['https://example.org/image.png', 'image.png'],
    ['a.png\nc.png', 'a.png', 'b.png'],
    ['my-image.png', 'image.png'],
    ['file:///x/%E5%9.png', '%E5%9.png'],
    ['copy\nfile:///x/b.png', 'a.png'],
    ['photo.png'],
    [''],
  ] as [string, ...string[]][])
    assert.ok(!stands(text, ...names), JSON.stringify(text));
});
