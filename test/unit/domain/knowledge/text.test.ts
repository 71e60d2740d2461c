// Any text, any script, any size becomes terms (L3-KBQ-04), and an index asked with it answers.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from '#shared/domain/knowledge/stem.ts';
import { readQuery, wordsOf } from '#shared/domain/knowledge/text.ts';
import { entry, ids, indexOf, NOW } from './index-samples.ts';

test('words in lower case, without accents, stop words and whatever is no word', () => {
  expect(wordsOf('The Café\u0000 was\u001b[31m CLOSED \ud800 — twice')).toEqual(['cafe', '31m', 'closed', 'twice']);
});

test('an identifier is found whole and by its parts; a path and a rule by their words', () => {
  expect(wordsOf('noUnusedVars')).toEqual(['nounusedvars', 'unused', 'vars']);
  expect(wordsOf('src/read-file.ts')).toEqual(['src', 'read', 'file', 'ts']);
});

test('a script without spaces is read in pairs, mixed with words or not', () => {
  expect(wordsOf('网络超时 in テスト')).toEqual(['网络', '络超', '超时', 'テス', 'スト']);
  expect(wordsOf('кэш API超')).toEqual(['кэш', 'api', '超']);
  const index = indexOf([
    entry('zh', '上传网络超时'),
    entry('ru', 'сбой кэша'),
    entry('ar', 'فشل فحص الشيفرة'),
    entry('ko', '업로드 시간 초과'),
    entry('de', 'Prüfung schlägt fehl'),
  ]);
  expect(ids(index, { text: 'فحص' })).toEqual(['ar']);
  expect(ids(index, { text: '시간초과' })).toEqual(['ko']);
  expect(ids(index, { text: '网络超时了' })).toEqual(['zh']);
  expect(ids(index, { text: 'СБОЙ' })).toEqual(['ru']);
  expect(ids(index, { text: 'prufung' })).toEqual(['de']);
});

test('stems after Porter2', () => {
  const stems = {
    retries: 'retri',
    retrying: 'retri',
    caching: 'cach',
    cached: 'cach',
    hopping: 'hop',
    hoping: 'hope',
    agreed: 'agre',
    generously: 'generous',
    relational: 'relat',
    conditional: 'condit',
    happiness: 'happi',
    cement: 'cement',
    adjustment: 'adjust',
    dying: 'die',
    news: 'news',
    proceed: 'proceed',
    controlling: 'control',
    rate: 'rate',
    analogies: 'analog',
    sky: 'sky',
    gas: 'gas',
    gaps: 'gap',
    kiwis: 'kiwi',
    ties: 'tie',
    cries: 'cri',
    youth: 'youth',
    sayings: 'say',
    formalize: 'formal',
    electricity: 'electr',
    x9: 'x9',
    naïve: 'naïve',
  };
  expect(Object.fromEntries(Object.keys(stems).map((word) => [word, stem(word)]))).toEqual(stems);
});

test('a query of 100 KB is cut to its first 64 distinct terms', () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(' ');
  expect([...readQuery(long).terms.keys()]).toEqual(Array.from({ length: 64 }, (_, at) => `w${at}`));
  const index = indexOf([entry('early', 'w3'), entry('late', 'w9999')]);
  expect(ids(index, { text: long })).toEqual(['early']);
  expect(ids(index, { text: 'w3 '.repeat(40_000) })).toEqual(['early']);
});

test('a text without terms is answered by trust, outcomes and age', () => {
  const index = indexOf([
    entry('old', 'a', { created_at: 0 }),
    entry('new', 'b'),
    entry('weak', 'c', { trust: 'provisional' }),
  ]);
  for (const text of ['', '   ', 'the of and', '\u0000\u0007', '—!?'])
    expect(ids(index, { text })).toEqual(['new', 'old', 'weak']);
  expect(index.search({ text: '', now: NOW })[0]?.why).toEqual([]);
});

test('unknown words, an unknown domain and an empty index find nothing', () => {
  const index = indexOf([entry('a', 'lint')]);
  expect(ids(index, { text: 'zeppelin' })).toEqual([]);
  expect(ids(index, { text: 'lint', domain: 'nowhere' })).toEqual([]);
  expect(ids(indexOf([]), { text: 'lint' })).toEqual([]);
});

test('no text whatever breaks an index', () => {
  void fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const index = indexOf([entry('a', text), entry('b', 'lint')]);
      const found = ids(index, { text });
      if (readQuery(text).terms.size > 0) expect(found[0]).toBe('a');
    }),
  );
});
