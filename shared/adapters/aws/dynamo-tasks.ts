// Records of tasks, delegations and reviews in DynamoDB: saved on the version that was read, under 100 KB each (architecture section 8).
import { HOME_OWNER } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { AnyRecord, type TaskRecord, TaskState } from '#shared/contracts/task.ts';
import { isTerminal, owesLesson } from '#shared/domain/lifecycle.ts';
import { recordText } from '#shared/domain/record-text.ts';
import type { RootPage, RootRow, Tasks } from '#shared/ports/tasks.ts';
import type { Clock } from '#shared/ports/world.ts';
import { getItems } from './dynamo-batch.ts';
import { dynamoLeases, leaseOf, recordKey } from './dynamo-leases.ts';
import { countItems, type Query, queryItems } from './dynamo-query.ts';
import { corruptFault, integerOf, joined, jsonOf, packed, setting, textOf, unpacked } from './dynamo-rows.ts';
import { type DynamoTable, getItem, type Item, putNew, updateItem } from './dynamo-table.ts';

/** Sorts behind every id: ids are ASCII. */
const BEHIND = '\u{10ffff}';
/** What a condition on the version needs; a record that its parent put has version 0 as well, so 0 means "create it, or change it while nobody has saved it". */
const UNCHANGED = '#version = :expected';
const NEW_OR_UNCHANGED = `attribute_not_exists(#pk) OR ${UNCHANGED}`;

/**
 * `checked` parses every record by its whole contract on the way in and out; a host leaves it off, as on SQLite: what is read back was written
 * here on a checked type. Loads are strong. Counts and listings of roots come from indexes and lag by some milliseconds.
 */
export const dynamoTasks = (table: DynamoTable, clock: Clock, options: { checked?: boolean } = {}): Tasks => {
  const checked = options.checked ?? false;
  const read = recordReader(table, checked);
  const written = (record: AnyRecord) => ({
    ...attributesOf(record, recordText(record, checked)),
    ...leaseOf(record.id, isOpen(record) || owesLesson(record) ? clock.now() : null),
  });
  return {
    ...dynamoLeases(table, clock),
    load: async (tenant, id) => {
      const item = await getItem(table, recordKey(tenant, id));
      return item === undefined ? undefined : read(item);
    },
    below: async (tenant, root) => {
      const items = await queryItems(table, { where: '#pk = :pk', values: { pk: joined(tenant, root) } });
      return items.sort(byBirth).map(read);
    },
    openOf: (tenant, holon) =>
      countItems(table, { index: 'open', where: '#open_of = :of', values: { of: joined(tenant, holon) } }),
    roots: async (tenant, page) => {
      const found = await queryItems(table, rootsQuery(tenant, page));
      return (await getItems(table, found)).sort(byAge).map(rootRow);
    },
    save: async (record, expected) => {
      const { set, values } = setting(written(record));
      const saved = await updateItem(table, recordKey(record.tenant, record.id), {
        set: set.replace(/^SET/, 'SET #born = if_not_exists(#born, :born),'),
        if: expected === 0 ? NEW_OR_UNCHANGED : UNCHANGED,
        values: { ...values, born: clock.ulid(), expected },
      });
      if (saved === undefined) throw lostRace(record, expected);
    },
    put: (record) => putNew(table, { ...recordKey(record.tenant, record.id), ...written(record), born: clock.ulid() }),
  };
};

/** Newest first: the ids of roots sort by their birth. */
const byAge = (a: Item, b: Item): number => (a.sk < b.sk ? 1 : -1);

function rootsQuery(tenant: string, { limit, before = BEHIND, open = false, owner }: RootPage): Query {
  const page = { newest: true, limit, values: { whose: tenant, before } };
  if (!open && owner !== undefined) {
    const values = { whose: joined(tenant, owner), before };
    return { ...page, index: 'owner-roots', where: '#owner_roots_of = :whose AND #sk < :before', values };
  }
  if (!open) return { ...page, index: 'roots', where: '#roots_of = :whose AND #sk < :before' };
  const all = { ...page, index: 'open-roots', where: '#open_roots_of = :whose AND #sk < :before' };
  // Open tasks are few, so one owner's are picked out of them.
  return owner === undefined ? all : { ...all, only: '#owner = :owner', values: { ...all.values, owner } };
}

/** Oldest first; ids alone would sort a delegation by its name. */
const byBirth = (a: Item, b: Item): number => (textOf(a, 'born') < textOf(b, 'born') ? -1 : 1);

/** What an index needs is on an item only while it belongs there; undefined takes it away. */
function attributesOf(record: AnyRecord, body: string) {
  const open = isOpen(record);
  return {
    kind: record.kind,
    holon: record.holon,
    state: record.state,
    version: record.version,
    opened_at: record.opened_at,
    ended_at: record.ended_at ?? undefined,
    open_of: open ? joined(record.tenant, record.holon) : undefined,
    ...(record.kind === 'task' && record.id === record.root ? rootAttributes(record, open) : {}),
    body: packed(body),
  };
}

function rootAttributes({ tenant, spec, owner }: TaskRecord, open: boolean) {
  const whose = owner ?? HOME_OWNER;
  return {
    goal: spec.goal,
    owner: whose,
    roots_of: tenant,
    owner_roots_of: joined(tenant, whose),
    open_roots_of: open ? tenant : undefined,
  };
}

/** Whether it fills its holon's capacity. A delegation fills nobody's: it is the parent's own view of a child. */
function isOpen(record: AnyRecord): boolean {
  if (record.kind === 'task') return !isTerminal(record.state);
  return record.kind === 'review' && record.state !== 'told';
}

function recordReader(table: DynamoTable, checked: boolean): (item: Item) => AnyRecord {
  return (item) => {
    const what = `record ${item.sk}`;
    const body = jsonOf(table, unpacked(table, item, { name: 'body', what }), what);
    if (!hasHeadOf(item, body)) throw corruptFault(table, what);
    if (!checked) return body;
    const parsed = AnyRecord.safeParse(body);
    if (parsed.success) return parsed.data;
    throw corruptFault(table, what, parsed.error);
  };
}

function hasHeadOf(item: Item, body: unknown): body is AnyRecord {
  if (typeof body !== 'object' || body === null || Reflect.get(body, 'id') !== item.sk) return false;
  return ['kind', 'version'].every((field) => Reflect.get(body, field) === item[field]);
}

function rootRow(item: Item): RootRow {
  return {
    id: item.sk,
    goal: textOf(item, 'goal'),
    state: TaskState.parse(item.state),
    holon: textOf(item, 'holon'),
    opened_at: integerOf(item, 'opened_at'),
    ended_at: item.ended_at === undefined ? null : integerOf(item, 'ended_at'),
  };
}

function lostRace(record: AnyRecord, expected: number): HcaFault {
  return new HcaFault('HcaConflict', {
    message: `the ${record.kind} ${record.id} is no longer at version ${expected}`,
  });
}
