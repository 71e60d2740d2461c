import assert from 'node:assert/strict';
import { test } from 'node:test';
import { label, shelf } from '../src/labels.js';

const SEEDS = [
  { name: 'Spinach', from: 'sep', until: 'mar', depth: 2, every: 8 },
  { name: 'Bean', from: 'may', until: 'jul', depth: 3, every: 12 },
  { name: 'Lettuce', from: 'mar', until: 'aug', depth: 0, every: 25 },
];

test('a label says how deep and how far apart', () => {
  assert.equal(label(SEEDS[1]), 'Bean: 3 cm deep, every 12 cm');
  assert.equal(label(SEEDS[2]), 'Lettuce: on the soil, every 25 cm');
});

test('the shelf of a month holds what is sown then, by name', () => {
  assert.equal(
    shelf(SEEDS, 'mar'),
    'Lettuce: on the soil, every 25 cm\nSpinach: 2 cm deep, every 8 cm',
  );
  assert.equal(
    shelf(SEEDS, 'jun'),
    'Bean: 3 cm deep, every 12 cm\nLettuce: on the soil, every 25 cm',
  );
  assert.equal(shelf(SEEDS, 'never'), '');
});
