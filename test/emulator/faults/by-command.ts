// A command about a deployment as a person types it, against an endpoint with keys that open nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { awsEnvironment } from '#scripts/emulator/cdk.ts';

export const byCommand = async (
  endpoint: string,
  command: 'deploy' | 'diff' | 'destroy',
  args: readonly string[],
): Promise<{ out: string; err: string; exit: number | null }> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', `scripts/${command}.ts`, ...args], {
    env: awsEnvironment(endpoint),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, exit };
};
