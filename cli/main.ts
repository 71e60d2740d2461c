// The command `hca`: runs one command line and ends with its exit code.
import { EXIT } from '#shared/contracts/errors.ts';
import { runProgram } from './program.ts';

// A reader that has gone (`hca journal | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.accepted : EXIT.internal);
});

process.exitCode = await runProgram(process.argv.slice(2));
