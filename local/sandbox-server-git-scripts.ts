// What a change is compared with, in `sh`: as an agent-server chooses it (1.44), from refs that are here, without asking a remote.

/** Exit codes of the scripts: no repository; a ref that leads to no commit. */
export const NO_REPOSITORY = 10;
export const BAD_REF = 11;

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const BEGINNING = `git rev-parse --git-dir >/dev/null 2>&1 || exit ${NO_REPOSITORY}
c() { git rev-parse -q --verify "$1^{commit}" 2>/dev/null; }
h=$(c HEAD); b=$(git symbolic-ref -q --short HEAD); d=$(git symbolic-ref -q --short refs/remotes/origin/HEAD)
u=; [ -n "$b" ] && u=$(c "origin/$b")
ref=
`;

/** To show what was changed here, committed work included: the branch's remote, where it forked, else the last commit. */
export const displayRef = (given: string | null): string =>
  given !== null
    ? explicit(given)
    : `${BEGINNING}if [ -z "$h" ]; then ref=${EMPTY_TREE}
elif [ -n "$u" ] && { [ "$u" != "$h" ] || ! git diff --quiet HEAD; }; then ref=$u
elif [ -n "$d" ]; then ref=$(git merge-base HEAD "$d" || c "$d")
else for m in main master; do
  s=$(c "$m") || continue
  [ "$m" != "$b" ] && [ "$(git merge-base HEAD "$m")" = "$s" ] && ref=$s
  break
done; fi
[ -n "$ref" ] || ref=$h
`;

/** To take a change elsewhere: a commit that a fresh clone has too, else the tree of no files. */
export const exportRef = (given: string | null): string =>
  given !== null
    ? explicit(given)
    : `${BEGINNING}if [ -n "$h" ] && [ -z "$b" ]; then ref=$h
elif [ -n "$u" ]; then ref=$u
elif [ -n "$d" ]; then ref=$(c "$d" || git merge-base HEAD "$d"); fi
[ -n "$ref" ] || ref=${EMPTY_TREE}
`;

/** The last commit of a branch without one is the tree of no files. */
const explicit = (ref: string): string =>
  `${BEGINNING}ref=$(c ${quoted(ref)})${ref === 'HEAD' ? ` || ref=${EMPTY_TREE}` : ` || exit ${BAD_REF}`}\n`;

/** Pathspecs for what is left out: a bare name at any depth, one with a slash from the top; `/` at the end means folders alone. */
export const excluded = (patterns: readonly string[]): string =>
  patterns
    .flatMap((pattern) => {
      const plain = pattern.replace(/\/+$/, '');
      const at = plain.includes('/') ? plain : `**/${plain}`;
      return plain === '' ? [] : [...(plain === pattern ? [at] : []), `${at}/**`];
    })
    .map((at) => quoted(`:(glob,exclude)${at}`))
    .join(' ');

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
