// Translates what SQLite and the file system throw into faults that name the file and the remedy (architecture section 10).
import { HcaFault } from '#shared/contracts/errors.ts';

/** Primary result codes of SQLite that are no bug of ours (sqlite.org/rescode.html); extended codes hold them in the low byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

interface Translation {
  code: 'HcaUnavailable' | 'HcaCorrupt';
  says: string;
  remedy: string;
}

const TRANSLATIONS: ReadonlyMap<number, Translation> = new Map([
  [BUSY, unavailable('is locked by another process', 'end the other process that uses this folder, or wait for it')],
  [LOCKED, unavailable('is locked', 'try again')],
  [READONLY, unavailable('cannot be written', 'make the file and its folder writable')],
  [IOERR, unavailable('could not be read or written', 'check the disk; what was stored before is kept')],
  [FULL, unavailable('cannot grow: the disk is full', 'free some space and try again; what was stored before is kept')],
  [CANTOPEN, unavailable('cannot be opened', 'check that its folder exists and may be read and written')],
  [CORRUPT, corrupt('is damaged')],
  [NOTADB, corrupt('is not a database')],
]);

/** What a caught error of `node:sqlite` is thrown on as; a fault and a bug (bad SQL, broken constraint) stay what they are. */
export const sqliteFault = (caught: unknown, file: string): unknown => {
  if (!(caught instanceof Error) || !('errcode' in caught) || typeof caught.errcode !== 'number') return caught;
  const translation = TRANSLATIONS.get(caught.errcode & 0xff);
  if (translation === undefined) return caught;
  const message = `the database ${file} ${translation.says} (${caught.message})`;
  return new HcaFault(translation.code, { message, field: 'home', remedy: translation.remedy, cause: caught });
};

/** What a caught error of the file system is thrown on as. */
export const fileFault = (caught: unknown, file: string): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `${file} could not be read or written (${caught instanceof Error ? caught.message : String(caught)})`,
    field: 'home',
    remedy: 'free some space and check that the folder may be written; what was stored before is kept',
    cause: caught,
  });

/** A stored value that no longer fits its contract: names what it is and where it lies. */
export const corruptFault = (what: string, file: string, cause?: unknown): HcaFault =>
  new HcaFault('HcaCorrupt', {
    message: `${what} in ${file} is damaged`,
    remedy: `restore ${file} from a backup, or move it away to begin with an empty store`,
    cause,
  });

function unavailable(says: string, remedy: string): Translation {
  return { code: 'HcaUnavailable', says, remedy };
}

function corrupt(says: string): Translation {
  return { code: 'HcaCorrupt', says, remedy: 'restore it from a backup, or move it away to begin with an empty store' };
}
