// What tasks cost in an account, `npm run cost [-- --json|--write]`: counted on the adapters of the cloud host, priced from the rate card, in
// dollars per 1,000. `--write` puts the counts into the model that estimates are made of.
import { writeFileSync } from 'node:fs';
import { priceOf, RATES, RATES_OF, UNITS, type Unit, type Usage } from '#shared/domain/rate-card.ts';
import { MODEL, modelText, partsOf } from './cost/parts.ts';
import { measureAll, SHAPES, type Shapes } from './cost/shapes.ts';

interface Row {
  name: string;
  usage: Usage;
}

const NAMES: readonly Shapes[] = ['leaf', 'revised', 'chain', 'domains'];
const measured = await measureAll();
const rows: Row[] = [
  ...NAMES.map((name) => ({ name: SHAPES[name].name, usage: measured[name] })),
  { name: 'one revision of a leaf', usage: partsOf(measured).revision },
];
if (process.argv.includes('--write')) writeFileSync(MODEL, modelText(partsOf(measured)));
if (process.argv.includes('--json')) console.log(JSON.stringify(rows.map(priced), null, 2));
else print();

function priced({ name, usage }: Row) {
  const dollars = Object.fromEntries(UNITS.map((unit) => [unit, priceOf({ [unit]: usage[unit] }) / 1000]));
  return { name, per_1000: priceOf(usage) / 1000, usage, dollars };
}

function print(): void {
  const prices = UNITS.map((unit) => `${unit} $${RATES[unit]}`).join(', ');
  console.log(`Dollars per 1,000 tasks, us-east-1, prices of ${RATES_OF} (per million: ${prices})\n`);
  for (const row of rows.map(priced)) {
    console.log(`${row.name}: $${row.per_1000.toFixed(3)}`);
    for (const unit of UNITS) console.log(`  ${lineOf(unit, row.usage[unit], row.dollars[unit] ?? 0)}`);
  }
}

function lineOf(unit: Unit, count: number, dollars: number): string {
  const shown = Number.isInteger(count) ? String(count) : count.toFixed(2);
  return `${unit.padEnd(12)} ${shown.padStart(8)}  $${dollars.toFixed(4)}`;
}
