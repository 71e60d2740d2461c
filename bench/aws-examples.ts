// A collection of another kind, made of two Apache-2.0 packages of PyPI: what an example of the AWS command line says it does (awscli)
// must find the one operation it is of among all operations' documentation (botocore), written by other people in other words.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Collection, Document } from './collection.ts';

/** Every fourth example is a query: 1,300 are enough. */
const EVERY = 4;
/** Characters of an operation's documentation: about what a lesson holds. */
const LONGEST = 1500;
/** A shorter description says nothing. */
const SHORTEST = 25;

const Service = z.object({ operations: z.record(z.string(), z.object({ documentation: z.string().default('') })) });

/** Reads the two packages in a site-packages folder. */
export const awsExamples = (packages: string): Collection => {
  const examples = path.join(packages, 'awscli', 'examples');
  const documents: Document[] = [];
  const described: { id: string; text: string }[] = [];
  for (const service of readdirSync(examples).sort()) {
    for (const document of operationsOf(path.join(packages, 'botocore', 'data', service), service)) {
      documents.push(document);
      const text = describe(path.join(examples, `${document.id}.rst`));
      if (text.length >= SHORTEST) described.push({ id: document.id, text });
    }
  }
  const queries = described.filter((_, at) => at % EVERY === 0);
  const relevant = new Map(queries.map(({ id }) => [id, new Set([id])]));
  return { name: 'aws-examples', documents, queries, relevant };
};

/** The newest version's operations; none when botocore does not know the service. */
function operationsOf(folder: string, service: string): Document[] {
  const version = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d/.test(name))
        .sort()
        .at(-1)
    : undefined;
  const file = path.join(folder, version ?? '', 'service-2.json.gz');
  if (!existsSync(file)) return [];
  const { operations } = Service.parse(JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')));
  return Object.entries(operations).map(([name, { documentation }]) => {
    const command = kebab(name);
    return {
      id: `${service}/${command}`,
      title: command.replaceAll('-', ' '),
      text: withoutTags(documentation).slice(0, LONGEST),
    };
  });
}

/** Heading and first sentence of an example, without literals: the name of the operation is not in it. */
function describe(file: string): string {
  if (!existsSync(file)) return '';
  const text = readFileSync(file, 'utf8');
  const heading = /\*\*(?:Example \d+: )?(.+?)\*\*/.exec(text)?.[1] ?? '';
  const sentence = /[A-Z][\s\S]*?(\.\s|::)/.exec(text.replace(/\*\*.*?\*\*/s, ''))?.[0] ?? '';
  return `${heading} ${sentence.replace(/``[^`]*``/g, ' ')}`.replace(/\s+/g, ' ').trim();
}

function kebab(name: string): string {
  return name
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^>]*>|&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
