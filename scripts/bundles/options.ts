// What every bundle has in common: the package's own two, the functions', and those of tests about them.
import type { BuildOptions } from 'esbuild';

/** Some dependencies are CommonJS and call require(); an ES module has none. The long name cannot meet one of ours. */
const BANNER =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);";

/** ES modules for Node 24, made of the module builds of dependencies. */
export const BUNDLE = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  conditions: ['module'],
  banner: { js: BANNER },
} as const satisfies BuildOptions;
