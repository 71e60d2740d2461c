import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postage } from '../src/postage.js';

test('heavier parcels cost more', () => {
  assert.equal(postage(100, 'home'), 390);
  assert.equal(postage(1500, 'home'), 590);
});

test('farther parcels cost more', () => {
  assert.equal(postage(100, 'far'), 1560);
});

test('a parcel of exactly the limit still counts as the lighter one', () => {
  assert.equal(postage(500, 'home'), 390);
  assert.equal(postage(10000, 'near'), 2180);
});

test('a parcel that is too heavy is refused', () => {
  assert.equal(postage(10001, 'home'), null);
});
