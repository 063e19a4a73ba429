import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { defineTask, type Task } from "../../kernel/jobs/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { GuardedClient, HttpClient } from "../../kernel/outbound/index.ts";
import { type ExpectedPage, type Platforms, readCompiled } from "../../platforms/index.ts";
import { found, type PageFinding, pageErrors, storedFinding } from "./findings.ts";
import { type Told, tellSearchEngines } from "./indexnow/tell-search-engines.ts";
import { openPage } from "./open-page.ts";

export interface ReadBackDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly platforms: Platforms;
  /** For pages: their addresses come from users' sites. */
  readonly guarded: GuardedClient;
  /** For IndexNow. */
  readonly http: HttpClient;
  readonly indexNowRoot: string;
}

const payload = z.object({ workspace_id: z.string(), delivery_id: z.string() });
export type PagePayload = z.infer<typeof payload>;

/** A step of a page, as `delivery.take_page` returns it. */
interface TakenPage {
  readonly step: "read" | "tell";
  readonly try: number;
  readonly url: string;
  readonly platform: string;
  readonly compiled: unknown;
  readonly rendered_text: string | null;
  /** The codes of what the site took the page without. */
  readonly lost: readonly string[];
  readonly key: string | null;
  readonly key_location: string | null;
}

/** The job that `delivery.wake_page` enqueues: reads a page back, or tells search engines of it. */
export function pageTask(deps: ReadBackDeps): Task<PagePayload> {
  return defineTask({
    name: "delivery.page",
    schema: payload,
    maxAttempts: 1,
    run: async ({ workspace_id, delivery_id }, { signal }) => {
      await followPage(workspace_id, delivery_id, deps, signal);
    },
  });
}

/**
 * Does the step that is due, unless another process does. A step that cannot be settled is found later by
 * `delivery.wake_pages`.
 */
export async function followPage(
  workspaceId: string,
  deliveryId: string,
  deps: ReadBackDeps,
  signal?: AbortSignal,
): Promise<void> {
  const { sql, clock } = deps;
  const [page] = await sql<TakenPage[]>`
    select * from delivery.take_page(${workspaceId}, ${deliveryId}, ${clock.now()})`;
  if (!page) return;
  const during = { ...deps, ...(signal && { signal }) };
  if (page.step === "read") {
    const findings = await readBack(page, during);
    // An interrupted reading says nothing about the page.
    if (signal?.aborted) return;
    await settleRead(workspaceId, deliveryId, page.try, findings, deps);
  } else {
    const { key, key_location: location } = page;
    const told = await tellSearchEngines(page.url, key && location ? { key, location } : undefined, during);
    if (signal?.aborted) return;
    await settleTold(workspaceId, deliveryId, page.try, told, deps);
  }
}

/** If an error of ours prevents the check, the page is treated as one that does not open, so that it is not retried for ever. */
async function readBack(
  page: TakenPage,
  deps: ReadBackDeps & { signal?: AbortSignal },
): Promise<PageFinding[]> {
  try {
    return await openPage(page.url, expectedOf(page, deps), deps);
  } catch (error) {
    deps.log.error({ err: error }, "a page could not be read back");
    return [found("unreachable", "unexpected error; the log has it")];
  }
}

/** If the compiled form of a post cannot be read any more, only whether its page opens is checked. */
function expectedOf(
  { platform, compiled, rendered_text, lost }: TakenPage,
  { platforms }: ReadBackDeps,
): ExpectedPage {
  const sent = readCompiled(compiled, rendered_text ?? "");
  const expected = sent && platforms.definitionOf(platform).pages?.expected(sent, new Set(lost));
  return expected ?? { title: "", html: "", pictures: 0 };
}

async function settleRead(
  workspaceId: string,
  deliveryId: string,
  attempt: number,
  findings: readonly PageFinding[],
  { sql, clock }: ReadBackDeps,
): Promise<void> {
  const mayPass = findings.some(({ code }) => pageErrors[code].mayPass);
  await sql`
    select delivery.settle_page_read(${workspaceId}, ${deliveryId}, ${attempt},
      ${JSON.stringify(findings.map(storedFinding))}::text::jsonb, ${mayPass}, ${clock.now()})`;
}

async function settleTold(
  workspaceId: string,
  deliveryId: string,
  attempt: number,
  { said, error, again, retryAfterMs, keyRefused }: Told,
  { sql, clock }: ReadBackDeps,
): Promise<void> {
  await sql`
    select delivery.settle_page_told(${workspaceId}, ${deliveryId}, ${attempt}, ${JSON.stringify(said)}::text::jsonb,
      ${error}, ${again}, make_interval(secs => ${(retryAfterMs ?? 0) / 1000}), ${keyRefused}, ${clock.now()})`;
}

/** Wakes pages that are overdue because their job died with its process. */
export async function wakePages({
  sql,
  clock,
  log,
}: Pick<ReadBackDeps, "sql" | "clock" | "log">): Promise<void> {
  const [row] = await sql<[{ woken: number }]>`select delivery.wake_pages(${clock.now()}) as woken`;
  if (row.woken > 0) log.warn({ pages: row.woken }, "pages that nobody had read in time are read now");
}
