import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expand, fieldsIn } from './uri_template.ts';

test('values are put into a template as its form says', () => {
  const values = { id: 'a b', path: 'x/y', q: '中', n: '' };
  for (const [template, uri] of [
    ['demo://text/{id}', 'demo://text/a%20b'],
    ['file:///{+path}', 'file:///x/y'],
    ['file:///{path}', 'file:///x%2Fy'],
    ['x://a{/id,path}', 'x://a/a%20b/x%2Fy'],
    ['x://a{?q,n}', 'x://a?q=%E4%B8%AD'],
    ['x://a{?n}', 'x://a'],
    ['x://a?b=1{&q*}', 'x://a?b=1&q=%E4%B8%AD'],
    ['x://a{#id}', 'x://a#a%20b'],
    ['x://plain', 'x://plain'],
  ] as const)
    assert.equal(expand(template, values), uri, template);
});

test('each field is asked for once, and those of a query may stay empty', () => {
  assert.deepEqual(fieldsIn('x://{a}/{a}{?b,c:3}{&a}'), [
    { name: 'a', required: true }, { name: 'b', required: false }, { name: 'c', required: false },
  ]);
});
