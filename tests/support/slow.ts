/**
 * Folders and files, by how their paths begin, that start processes, browsers, whole systems or storms. `npm run test:quick`
 * leaves them out. `npm test` begins with them: begun last, one of them would go on alone when all the others are done.
 */
export const slow: readonly string[] = [
  "scripts/setup/",
  "src/cli/commands/demo",
  "src/http/pages/",
  "src/kernel/postgres/",
  "src/shopbot/work/",
  "tests/chaos/",
  "tests/e2e/",
  "tests/hostile/",
  "tests/model/",
  "tests/support/",
];
