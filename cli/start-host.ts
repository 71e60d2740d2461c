// Starts the background process of a home, detached, and waits for the one line it says about how that went.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { homeFiles, hostProgram } from '#local/home.ts';
import { HostReport } from '#local/report.ts';
import { FAULTS, type FaultCode, HcaFault } from '#shared/contracts/errors.ts';
import { compileCacheFolder } from './compile-cache.ts';

/** Options of the host's own program, by their names. */
export type HostOptions = Readonly<Record<string, string>>;

/** Starts it. `busy`: another process has the home. @throws HcaFault with the reason why it could not start. */
export const startHost = async (home: string, options: HostOptions = {}): Promise<'ready' | 'busy'> => {
  const said = await launch(home, options);
  const report = HostReport.safeParse(parse(said));
  if (!report.success) throw silent(home);
  if ('error' in report.data) throw faultOf(report.data.error);
  return 'busy' in report.data ? 'busy' : 'ready';
};

/** A host mostly waits: three young spaces of 4 MB in place of 16 MB leave an idle one some 10 MB smaller. */
export const HOST_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'];

/** What it said, empty when it died before. The host keeps nothing of this command: own session, own output, home as its folder. */
const launch = async (home: string, options: HostOptions): Promise<string> => {
  const log = openSync(homeFiles(home).log, 'a', 0o600);
  const cache = compileCacheFolder();
  const chosen = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [...HOST_FLAGS, hostProgram(), '--home', home, ...chosen], {
    cwd: home,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
    env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }), HCA_REPORT_FD: '3' },
  });
  closeSync(log);
  child.unref();
  const pipe = child.stdio[3];
  return pipe instanceof Readable ? text(pipe) : '';
};

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const silent = (home: string): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: 'the host ended before it was ready',
    field: 'host',
    remedy: `look into ${homeFiles(home).log}`,
  });

type Said = { code: string; message: string; field?: string | undefined; remedy?: string | undefined };

const faultOf = ({ code, message, field, remedy }: Said): HcaFault =>
  new HcaFault(isFaultCode(code) ? code : 'HcaInternal', {
    message,
    ...(field === undefined ? {} : { field }),
    ...(remedy === undefined ? {} : { remedy }),
  });

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code);
