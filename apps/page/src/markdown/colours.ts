// The colours of code: highlight.js's tree, not its HTML.
import hljs from 'highlight.js/lib/core';
import type { LanguageFn } from 'highlight.js';

export type Coloured = string | { kind: string; children: Coloured[] };

type Loader = () => Promise<{ default: LanguageFn }>;

const languages: Record<string, Loader> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  go: () => import('highlight.js/lib/languages/go'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  python: () => import('highlight.js/lib/languages/python'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const others: Record<string, string> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', c: 'cpp', 'c++': 'cpp', cc: 'cpp', h: 'cpp',
  hpp: 'cpp', js: 'javascript', mjs: 'javascript', jsx: 'javascript', ts: 'typescript',
  tsx: 'typescript', py: 'python', rs: 'rust', html: 'xml', svg: 'xml', yml: 'yaml', golang: 'go',
};

/** Resolves with the coloured pieces, or nothing for a language that is not known. */
export async function coloured(text: string, language: string): Promise<Coloured[] | undefined> {
  const name = others[language] ?? language;
  if (!Object.hasOwn(languages, name)) return undefined;
  if (!hljs.getLanguage(name)) hljs.registerLanguage(name, (await languages[name]!()).default);
  const made = hljs.highlight(text, { language: name, ignoreIllegals: true });
  return (made as unknown as { _emitter: { rootNode: Node } })._emitter.rootNode.children.map(piece);
}

interface Node {
  scope?: string;
  children: (Node | string)[];
}

const piece = (node: Node | string): Coloured =>
  typeof node === 'string'
    ? node
    : { kind: `c-${(node.scope ?? 'none').split(/[.\s]/, 1)[0]}`, children: node.children.map(piece) };
