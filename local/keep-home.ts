// A running host keeps its place: who deletes `host.json` or `token` by mistake gets them back, and a host whose home is gone ends.
import { statSync } from 'node:fs';
import { forgetHost, type HostFile, homeFiles, readHost, writeHost } from './home.ts';

export interface KeepOptions {
  host: HostFile;
  token: string;
  /** The home was removed, or made anew by somebody else: this host has nothing to do any more. */
  lost(): void;
}

/** Two small files read once a second cost nothing; a command waits for a host longer than that. */
const LOOK_MS = 1000;

/** Begins to look; call while the lock is held. The answer ends it and, in a home that is still this host's, forgets who ran there. */
export const keepHome = (home: string, options: KeepOptions): (() => void) => {
  const lock = inodeOf(home);
  const isOurs = (): boolean => inodeOf(home) === lock;
  const look = (): void => {
    if (isOurs()) restore(home, options);
    else options.lost();
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (isOurs()) forgetHost(home);
  };
};

const restore = (home: string, { host, token }: KeepOptions): void => {
  const known = readHost(home);
  if (known?.host.instance === host.instance && known.token === token) return;
  try {
    writeHost(home, host, token);
  } catch {
    // The disk is full or read-only just now: tried again at the next look.
  }
};

/** The lock is held on a file, not on a name: another file under that name is another home. */
const inodeOf = (home: string): number | undefined => statSync(homeFiles(home).lock, { throwIfNoEntry: false })?.ino;
