// The command `hca`: runs one command line and ends with its exit code.
import { useCompileCache } from './compile-cache.ts';

useCompileCache();
const { runProgram } = await import('./program.ts');

// A reader that has gone (`hca journal | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await runProgram(process.argv.slice(2));
