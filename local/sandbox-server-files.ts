// Files of the sandbox server: home, folders, upload, download, as the file part of an agent-server has them, each inside its session.
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refused } from './sandbox-server-refusal.ts';
import type { ServedSessions } from './sandbox-server-sessions.ts';

export class ServedFiles {
  readonly #sessions: ServedSessions;

  constructor(sessions: ServedSessions) {
    this.#sessions = sessions;
  }

  home(): { home: string; favorites: []; locations: [] } {
    return { home: this.#sessions.home, favorites: [], locations: [] };
  }

  /** Of the home: the sessions. `page` is the name that the page begins with, in lower case. */
  folders(given: string, page: { id: string | null; limit: number; hidden: boolean }) {
    const full = path.resolve(given);
    const names = full === this.#sessions.home ? this.#sessions.names() : foldersIn(this.folder(given));
    const sorted = names
      .filter((name) => page.hidden || !name.startsWith('.'))
      .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const found = sorted.findIndex((name) => name.toLowerCase() === page.id);
    const rest = sorted.slice(Math.max(0, found));
    return {
      items: rest.slice(0, page.limit).map((name) => ({ name, path: path.join(full, name) })),
      next_page_id: rest[page.limit]?.toLowerCase() ?? null,
    };
  }

  /** Place of a folder on this machine. @throws Refused where there is none */
  folder(given: string): string {
    const place = this.#sessions.place(this.#sessions.at(given));
    if (place === null || !existsSync(place)) throw new Refused(404, 'Directory not found');
    if (!statSync(place).isDirectory()) throw new Refused(400, 'Path is not a directory');
    return place;
  }

  async createFolder(given: string): Promise<{ success: true }> {
    const at = this.#sessions.at(given);
    const made = this.#sessions.using(at.session, async () => {
      const place = this.#sessions.place(at);
      if (place !== null) mkdirSync(place, { recursive: true });
    });
    await refusing(made);
    return { success: true };
  }

  async upload(given: string, bytes: Uint8Array): Promise<{ success: true }> {
    const { session, relative } = this.#sessions.at(given);
    if (relative === '') throw new Refused(400, 'the path names a session, not a file in one');
    await refusing(this.#sessions.using(session, (sandbox) => sandbox.write(session, relative, bytes)));
    return { success: true };
  }

  async download(given: string): Promise<{ name: string; bytes: Uint8Array }> {
    const at = this.#sessions.at(given);
    const place = this.#sessions.place(at);
    if (place === null || !existsSync(place)) throw new Refused(404, 'File not found');
    if (!statSync(place).isFile()) throw new Refused(400, 'Path is not a file');
    const bytes = await this.#sessions.using(at.session, (sandbox) => sandbox.read(at.session, at.relative));
    if (bytes === null) throw new Refused(404, 'File not found');
    return { name: path.basename(at.relative), bytes };
  }
}

const foldersIn = (place: string): string[] =>
  readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** A file stands where a folder is needed. */
const isNoFolder = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EEXIST', 'ENOTDIR'].includes(String(error.code));

const refusing = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw isNoFolder(error) ? new Refused(400, 'Path exists and is not a directory') : error;
  });
