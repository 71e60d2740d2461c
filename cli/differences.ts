// What would change, as a person reads it: a sign and a colour for each part, and below it the fields with both values.
import type { Difference, FieldChange } from '#shared/contracts/difference.ts';
import { type Colour, cut, plain, type Screen } from './screen.ts';

/** Longest value that is shown of a field; --json has the whole. */
const VALUE = 60;

const SIGN: Readonly<Record<Difference['how'], readonly [string, Colour]>> = {
  added: ['+', 'green'],
  removed: ['-', 'red'],
  changed: ['~', 'yellow'],
};

/** A line for each part and for each field of one that changed. */
export const differenceLines = (changes: readonly Difference[], screen: Pick<Screen, 'paint'>): string[] =>
  changes.flatMap(({ part, name, how, fields }) => {
    const [sign, colour] = SIGN[how];
    return [screen.paint(colour, `${sign} ${part} ${plain(name)}`.trimEnd()), ...fields.map(fieldLine)];
  });

const fieldLine = ({ field, before, after }: FieldChange): string =>
  `    ${plain(field)}: ${shown(before)} → ${shown(after)}`;

const shown = (value: string | null): string => (value === null ? '(nothing)' : cut(plain(value), VALUE));
