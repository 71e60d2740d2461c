// `npm start`: without arguments the main job on copies of the example workspaces, with a goal on a folder of your own.
import { useCompileCache } from './compile-cache.ts';

useCompileCache();
// npm runs scripts in the package's folder; what is named on the command line is meant from where npm was called.
process.chdir(process.env.INIT_CWD ?? '.');

const given = process.argv.slice(2);
if (given.length > 0) {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(['run', ...given]);
} else {
  const { runExamples } = await import('./examples.ts');
  process.exitCode = await runExamples();
}
