import assert from 'node:assert/strict';
import { test } from 'node:test';
import { board } from '../src/board.js';

const SHIPS = [
  { name: 'Petrel', day: 'mon', minute: 615, draught: 2, length: 14 },
  { name: 'Grey Heron', day: 'mon', minute: 75, draught: 5, length: 48 },
  { name: 'Colossus', day: 'mon', minute: 1290, draught: 14, length: 230 },
  { name: 'Tern', day: 'tue', minute: 0, draught: 2, length: 9 },
];

test('a day lists its arrivals, earliest first', () => {
  const lines = board(SHIPS, 'mon').split('\n');
  assert.deepEqual(lines, [
    '01:15  Grey Heron  berth quay',
    '10:15  Petrel  berth north',
    '21:30  Colossus  at anchor',
  ]);
});

test('an empty day says so', () => {
  assert.equal(board(SHIPS, 'wed'), 'no arrivals on wed');
});
