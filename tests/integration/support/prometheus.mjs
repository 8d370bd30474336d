// Prometheus' text exposition format 0.0.4, read as strictly as Prometheus and `promtool check
// metrics` do together.
import assert from 'node:assert/strict';

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const number = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/;
const types = ['counter', 'gauge', 'histogram'];

/**
 * Parses and checks a text. Returns `families` (name -> {type, help, samples: [{name, labels,
 * value}]}) and value(name, labels), the value of the one sample with exactly those labels.
 */
export function parseMetrics(text) {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const families = new Map();
  let family;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('# HELP ')) family = begin(families, line);
    else if (line.startsWith('# TYPE ')) declare(family, line);
    else family.samples.push(readSample(family, line));
  }
  families.forEach(checkFamily);
  return { families, value: (name, labels = {}) => valueOf(families, name, labels) };
}

function begin(families, line) {
  const [, name, help] = line.match(/^# HELP (\S+) (.+)$/) ?? assert.fail(line);
  assert.match(name, metricName);
  assert.ok(!families.has(name), `${name} stands once`);
  assert.doesNotMatch(help.replaceAll('\\\\', '').replaceAll('\\n', ''), /\\/, line);
  families.set(name, { name, help, samples: [] });
  return families.get(name);
}

function declare(family, line) {
  const [, name, type] = line.match(/^# TYPE (\S+) (\S+)$/) ?? assert.fail(line);
  assert.equal(name, family?.name, 'TYPE follows the HELP of the same family');
  assert.equal(family.type, undefined, `${name} has one TYPE`);
  assert.ok(types.includes(type), line);
  family.type = type;
}

function readSample(family, line) {
  const [, name, rest] = line.match(/^([^{ ]+)(.*)$/) ?? assert.fail(line);
  assert.match(name, metricName);
  assert.ok(family?.type, `a HELP and a TYPE stand before ${line}`);
  const names = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  assert.ok(names.some((suffix) => name === family.name + suffix), `${line} is of ${family.name}`);
  const { labels, after } = readLabels(rest, line);
  assert.match(after.slice(1), number, line);
  assert.equal(after[0], ' ', line);
  return { name, labels, value: Number(after.slice(1).replace('Inf', 'Infinity')) };
}

function readLabels(rest, line) {
  const labels = {};
  if (rest[0] !== '{') return { labels, after: rest };
  let at = 1;
  for (;;) {
    const [whole, name, value] =
      rest.slice(at).match(/^([^=]+)="((?:[^"\\\n]|\\[\\"n])*)"/) ?? assert.fail(line);
    assert.match(name, labelName, line);
    assert.ok(!(name in labels), `${name} stands once: ${line}`);
    labels[name] = value.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));
    at += whole.length;
    if (rest[at] === '}') return { labels, after: rest.slice(at + 1) };
    assert.equal(rest[at++], ',', line);
  }
}

const series = ({ le, ...labels }) => JSON.stringify(Object.entries(labels).sort());

function checkFamily({ name, type, samples }) {
  assert.ok(type, `${name} has a TYPE`);
  const all = samples.map((one) => one.name + series(one.labels) + (one.labels.le ?? ''));
  assert.equal(new Set(all).size, all.length, `${name}: no series twice`);
  if (type === 'counter') {
    assert.match(name, /_total$/);
    samples.forEach((one) => assert.ok(one.value >= 0, `${name} never falls below zero`));
  }
  if (type === 'histogram') {
    for (const key of new Set(samples.map((one) => series(one.labels))))
      checkHistogram(name, samples.filter((one) => series(one.labels) === key));
  } else {
    samples.forEach((one) => assert.ok(!('le' in one.labels)));
  }
}

function checkHistogram(name, row) {
  const buckets = row.filter((one) => one.name === `${name}_bucket`);
  const sum = row.filter((one) => one.name === `${name}_sum`);
  const count = row.filter((one) => one.name === `${name}_count`);
  assert.equal(sum.length, 1, `${name} has one sum per series`);
  assert.equal(count.length, 1, `${name} has one count per series`);
  const bounds = buckets.map((one) => Number(one.labels.le.replace('Inf', 'Infinity')));
  assert.equal(bounds.at(-1), Infinity, `${name} ends with le="+Inf"`);
  for (let i = 1; i < buckets.length; ++i) {
    assert.ok(bounds[i] > bounds[i - 1], `${name}: bounds ascend`);
    assert.ok(buckets[i].value >= buckets[i - 1].value, `${name}: buckets add up`);
  }
  assert.equal(buckets.at(-1).value, count[0].value, `${name}: the last bucket is the count`);
}

function valueOf(families, name, labels) {
  const key = series(labels) + (labels.le ?? '');
  for (const family of families.values()) {
    const found = family.samples.find(
      (one) => one.name === name && series(one.labels) + (one.labels.le ?? '') === key,
    );
    if (found) return found.value;
  }
  return undefined;
}
