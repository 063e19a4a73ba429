/** What a person needs to know after the start. */
export interface BannerFacts {
  readonly consoleUrl: string;
  readonly signInUrl?: string | undefined;
  readonly twinsUrl?: string | undefined;
  /** The chat with the demo's shop bot. */
  readonly shopUrl?: string | undefined;
  /** The chat with the demo's advisor. */
  readonly advisorUrl?: string | undefined;
  /** A chat in which the demo's accounts publish. */
  readonly accountsUrl?: string | undefined;
  /** A new chat with the demo's SEO Master, and the one of its business. */
  readonly seoBotUrl?: string | undefined;
  readonly seoChatUrl?: string | undefined;
  /** The site on which the demo's SEO Master publishes. */
  readonly seoUrl?: string | undefined;
  readonly secret?: string | undefined;
  readonly note?: string | undefined;
  /** Lines about the demo. */
  readonly told?: readonly string[];
  readonly readyInMs: number;
}

export function banner(facts: BannerFacts): string {
  const rows: [string, string][] = [["Console / консоль", facts.consoleUrl]];
  if (facts.signInUrl) rows.push(["Sign in / вход (one time)", facts.signInUrl]);
  if (facts.twinsUrl) rows.push(["Chats / чаты двойников", facts.twinsUrl]);
  if (facts.shopUrl) rows.push(["Shop bot / бот магазина", facts.shopUrl]);
  if (facts.advisorUrl) rows.push(["Advisor / советник", facts.advisorUrl]);
  if (facts.accountsUrl) rows.push(["Accounts / аккаунты", facts.accountsUrl]);
  if (facts.seoBotUrl) rows.push(["SEO Master, from zero / с нуля", facts.seoBotUrl]);
  if (facts.seoChatUrl) rows.push(["SEO Master, a tea shop / лавка", facts.seoChatUrl]);
  if (facts.seoUrl) rows.push(["SEO Master's site / сайт", facts.seoUrl]);
  rows.push(["API docs / описание API", `${facts.consoleUrl}/docs`]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = [
    "",
    `  Molva is ready / Молва готова (${(facts.readyInMs / 1000).toFixed(1)} s)`,
    "",
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
  ];
  lines.push("", "  Post something / опубликовать:", "");
  if (!facts.secret)
    lines.push("    npx molva endpoint add site    # prints a secret / напечатает секрет", "");
  lines.push(
    `    curl -X POST ${facts.consoleUrl}/api/v1/ingest -H 'X-Molva-Secret: ${facts.secret ?? "<secret>"}' \\`,
    `      -H 'Content-Type: application/json' -d '{"payload":{"text":"Привет"}}'`,
  );
  if (facts.told?.length) lines.push("", ...facts.told);
  if (facts.note) lines.push("", `  ${facts.note}`);
  lines.push("", "  Stop with Ctrl-C / остановить: Ctrl-C", "");
  return lines.join("\n");
}
