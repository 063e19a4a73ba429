// Reads from the source of a test file, without running it, which requirements its tests say they prove:
//
//   // covers autoposting: Point 13; Dedup requirements
//   it("is a matter of one channel", …)

/** `{ tests: [{ title, covers: [{ part, name }] }], stray: [line] }`; stray are comments that are not above a test. */
export function tagsIn(source) {
  const tests = testsIn(source).map(({ title, at }) => ({ title, tags: tagsAbove(source, at) }));
  const attached = new Set(tests.flatMap(({ tags }) => tags.map(({ line }) => line)));
  const lines = source.split("\n");
  const stray = lines.flatMap((words, index) => (isTag(words) && !attached.has(index) ? [index + 1] : []));
  return {
    tests: tests.map(({ title, tags }) => ({ title, covers: tags.flatMap(({ covers }) => covers) })),
    stray,
  };
}

const isTag = (words) => /^\s*\/\/ covers \w+: /.test(words);

/** The comment lines directly above. */
function tagsAbove(source, at) {
  const lines = source.slice(0, at).split("\n");
  const tags = [];
  for (let line = lines.length - 2; line >= 0 && /^\s*\/\//.test(lines[line]); line--) {
    const [, part, names] = lines[line].match(/^\s*\/\/ covers (\w+): (.+)$/) ?? [];
    if (names) tags.unshift({ line, covers: names.split(";").map((name) => ({ part, name: name.trim() })) });
  }
  return tags;
}

/** `it(…)`, `test(…)` and their `.each(…)(…)`: the title, and where the call begins. */
export function testsIn(source) {
  const tests = [];
  for (const match of source.matchAll(/(?<![\w.$])(?:it|test)((?:\.\w+)*)(?:<(?:[^()]|\([^()]*\))*?>)?\(/g)) {
    let open = match.index + match[0].length - 1;
    // The table of `each` and the condition of `skipIf` come first; the title is in the call after them.
    if (/\.(each|for|skipIf|runIf)$/.test(match[1])) {
      const after = source.slice(closing(source, open)).match(/^\)\s*(?:\.\w+\s*)*\(/);
      if (!after) continue;
      open = closing(source, open) + after[0].length - 1;
    }
    const title = source.slice(open + 1).match(/^\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/s);
    if (title) tests.push({ title: title[2].replace(/\\(.)/gs, "$1"), at: match.index });
  }
  return tests;
}

/** Where the bracket opened at `open` closes, past strings, comments and regular expressions. */
function closing(source, open) {
  const token =
    /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*.*?\*\/|(?<=[(,=:[!&|?{};\s])\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/|[()]/gs;
  token.lastIndex = open;
  let depth = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if (found[0] === "(") depth += 1;
    if (found[0] === ")") depth -= 1;
    if (depth === 0) return found.index;
  }
  return source.length;
}
