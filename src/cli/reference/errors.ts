import type { ProblemTable } from "../../http/index.ts";

/** `docs/reference/errors.md`. */
export function renderErrorReference(problems: ProblemTable): string {
  const rows = Object.entries(problems)
    .sort(([a, { status: one }], [b, { status: other }]) => one - other || (a < b ? -1 : 1))
    .map(([code, { status, title, meaning }]) => `| ${status} | \`${code}\` | ${title}. ${meaning} |`);
  return `# Errors

Every error of \`/api/v1\` is \`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\` and
\`errors\`. \`code\` never changes its meaning, so that programs can rely on it; \`detail\` says for people what happened this
time; \`errors\` points with a JSON pointer at each field that is at fault. A running server shows the same list at
\`/docs/errors\`.

Made by \`npm run generate\` from the tables of problems of each module.

| Status | Code | Meaning |
| --- | --- | --- |
${rows.join("\n")}
`;
}
