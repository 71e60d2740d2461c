import assert from 'node:assert/strict';
import { test } from 'node:test';
import { berthFor } from '../src/berths.js';

test('a ship gets the smallest berth that it fits', () => {
  assert.equal(berthFor({ draught: 2.5, length: 20 }), 'north');
  assert.equal(berthFor({ draught: 3, length: 12 }), 'quay');
  assert.equal(berthFor({ draught: 7, length: 120 }), 'roads');
});

test('a ship that fits nowhere stays at anchor', () => {
  assert.equal(berthFor({ draught: 12, length: 100 }), null);
});
