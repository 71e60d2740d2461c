// The command `hca`: runs one command line and ends with its exit code.
import { useCompileCache } from './compile-cache.ts';

useCompileCache();
const { runProgram } = await import('./program.ts');

// A reader that has gone (`hca journal | head`) is no failure of ours; while a task is followed it is the same as to detach.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`hca: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await runProgram(process.argv.slice(2));
