/**
 * Moves the former SEO Master here: everything of its tables in one transaction, so that a run that is cut off leaves nothing. A row
 * that cannot come is reported with its table and number, what belongs to it stays out with it, and the others come; a later run brings
 * what was corrected. Schedules come switched off.
 */
import type { FernetKey, Vault } from "../../kernel/crypto/index.ts";
import { type AdminDeps, inOneChange } from "../../workspaces/index.ts";
import { product } from "../bot/money/selling.ts";
import { bringConnections } from "./bring-connections.ts";
import { bringMoney, type Money } from "./bring-money.ts";
import { bringRows } from "./bring-rows.ts";
import { cleanCategory, cleanSettings } from "./clean-content.ts";
import {
  adopted,
  count,
  freshRows,
  type Importing,
  leaveOut,
  markCome,
  type Note,
  noteChanged,
  type TableCount,
} from "./importing.ts";
import type { OldRow, OldTableName } from "./old-tables.ts";
import { type OldSource, SourceError } from "./source.ts";

export interface ImportDeps extends AdminDeps {
  readonly vault: Vault;
  /** Telegram ids of administrators: roles follow ours. */
  readonly admins: readonly number[];
}

export interface ImportOrder {
  readonly workspaceId: string;
  readonly source: OldSource;
  /** Without it connections come disconnected. */
  readonly key?: FernetKey | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface ImportReport {
  readonly dry_run: boolean;
  readonly tables: readonly TableCount[];
  readonly money: Money;
  readonly notes: readonly Note[];
}

export async function importOld(
  deps: ImportDeps,
  { workspaceId, source, key, dryRun = false }: ImportOrder,
): Promise<ImportReport> {
  const work = async (tx: Importing["tx"]): Promise<ImportReport> => {
    // One import at a time.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`seo.import/${workspaceId}`}, 0))`;
    const to: Importing = {
      tx,
      workspaceId,
      source,
      now: deps.clock.now(),
      notes: [],
      counts: [],
      come: new Map(),
    };
    await readWhatCame(to);
    const people = await bringPeople(to, deps.admins);
    await bringRows(to, "projects");
    await bringConnections(to, key, deps.vault);
    await bringCategories(to);
    await bringSchedules(to);
    for (const table of ["publication_logs", "site_audits", "site_brandings"] as const)
      await bringRows(to, table);
    const drafts = await bringPreviews(to);
    const money = await bringMoney(to, { product, people, drafts });
    await countPrompts(to);
    if (!dryRun) await tx`select seo.advance_ids()`;
    return { dry_run: dryRun, tables: to.counts, money, notes: to.notes };
  };
  return inOneChange(deps.sql, work, { dryRun });
}

async function readWhatCame(to: Importing): Promise<void> {
  const rows = await to.tx<{ table: OldTableName; ids: number[] }[]>`
    select table_name as table, array_agg(id) as ids from seo.imported_rows where workspace_id = ${to.workspaceId} group by 1`;
  for (const { table, ids } of rows) to.come.set(table, new Set(ids));
}

/** The people who came now. Somebody who has written to our bot before keeps the profile here, and gets the old balance besides. */
async function bringPeople(to: Importing, admins: readonly number[]): Promise<readonly OldRow[]> {
  const { fresh } = await freshRows(to, "users");
  if (fresh.length === 0 && (await to.source.rows("users")) === undefined)
    throw new SourceError("There is no table users: this is not a database or a folder of SEO Master.");
  const here = await to.tx<{ id: number }[]>`
    select id from seo.users where workspace_id = ${to.workspaceId} and id = any(${fresh.map(({ id }) => id)}::bigint[])`;
  const met = new Set(here.map(({ id }) => id));
  const known = fresh.filter(({ id }) => met.has(id)).map((row) => adopted(to, "users", row) ?? row);
  for (const { id, balance } of known)
    noteChanged(
      to,
      "users",
      id,
      `they have written to the bot here already; ${balance ?? 0} tokens are added to what they have`,
      "adjust the balance if the welcome bonus was given twice",
    );
  await markCome(to, "users", known);
  const others: Importing["source"] = {
    rows: async (table) => (table === "users" ? fresh.filter(({ id }) => !met.has(id)) : undefined),
  };
  const came = await bringRows({ ...to, source: others, counts: [] }, "users", {
    prepare: ({ referrer_id: _, ...row }) => ({
      row: { ...row, role: admins.includes(row.id) ? "admin" : "user" },
    }),
  });
  const found = (await to.source.rows("users"))?.length ?? 0;
  count(to, "users", { found, fresh: fresh.length, came: came.length + known.length });
  await bindReferrers(to, fresh);
  return [...known, ...came];
}

/** After all people have come, because some came before those who brought them. */
async function bindReferrers(to: Importing, people: readonly OldRow[]): Promise<void> {
  const pairs = people.flatMap(({ id, referrer_id: referrer }) =>
    referrer === null || referrer === undefined || Number(referrer) === id
      ? []
      : [{ id, referrer: Number(referrer) }],
  );
  await to.tx`
    update seo.users u set referrer_id = r.id
    from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) as p (id bigint, referrer bigint)
    join seo.users r on r.workspace_id = ${to.workspaceId} and r.id = p.referrer
    where u.workspace_id = ${to.workspaceId} and u.id = p.id and u.referrer_id is null`;
}

const tooOdd = "set it again in the bot if it matters";

async function bringCategories(to: Importing): Promise<void> {
  await bringRows(to, "categories", {
    prepare(old) {
      const { row, dropped } = cleanCategory(old);
      if (dropped.length > 0)
        noteChanged(to, "categories", row.id, `parts of ${dropped.join(", ")} cannot be read here`, tooOdd);
      return { row };
    },
  });
  await bringRows(to, "platform_content_overrides", {
    prepare(old) {
      const { row, dropped } = cleanSettings(old);
      if (dropped.length > 0)
        noteChanged(
          to,
          "platform_content_overrides",
          row.id,
          `parts of ${dropped.join(", ")} cannot be read here`,
          tooOdd,
        );
      if (row.image_settings !== null || row.text_settings !== null) return { row };
      leaveOut(to, "platform_content_overrides", row.id, "it overrides nothing", "nothing");
      return undefined;
    },
  });
  await bringProjectSettings(to);
}

/** Later versions had settings of a platform for a whole project: every category that has none of its own gets them. */
async function bringProjectSettings(to: Importing): Promise<void> {
  const table = "project_platform_settings";
  const { found, fresh } = await freshRows(to, table);
  const came: OldRow[] = [];
  for (const old of fresh) {
    const own = adopted(to, table, old);
    if (!own) continue;
    const { row } = cleanSettings(own);
    if (row.image_settings === null && row.text_settings === null) {
      leaveOut(to, table, row.id, "it overrides nothing", "nothing");
      continue;
    }
    await to.tx`
      insert into seo.platform_content_overrides (workspace_id, id, category_id, platform_type, image_settings, text_settings)
      select ${to.workspaceId}, nextval(pg_get_serial_sequence('seo.platform_content_overrides', 'id')), c.id, ${String(row.platform_type)},
        ${asJson(row.image_settings)}::text::jsonb, ${asJson(row.text_settings)}::text::jsonb
      from seo.categories c where c.workspace_id = ${to.workspaceId} and c.project_id = ${Number(row.project_id)}
      on conflict (workspace_id, category_id, platform_type) do nothing`;
    came.push(row);
  }
  await markCome(to, table, came);
  count(to, table, { found, fresh: fresh.length, came: came.length });
}

const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Switched off, whatever they were: as long as the old ones run, both would publish. */
async function bringSchedules(to: Importing): Promise<void> {
  await bringRows(to, "platform_schedules", {
    prepare: (row) => ({
      row: { ...row, enabled: false, qstash_schedule_ids: [] },
      kept: { enabled: truth(row.enabled), qstash_schedule_ids: row.qstash_schedule_ids },
    }),
  });
}

/** A text of CSV, or a truth value. */
const truth = (value: unknown) => value === true || value === "t" || value === "true";

/** Nobody can publish the old drafts: their pictures are elsewhere. They come as expired, and their tokens go back. */
async function bringPreviews(to: Importing): Promise<readonly OldRow[]> {
  const drafts = new Set<number>();
  const came = await bringRows(to, "article_previews", {
    prepare(row) {
      if (row.status !== "draft") return { row: { ...row, images: [] } };
      drafts.add(row.id);
      return { row: { ...row, images: [], status: "expired" } };
    },
  });
  return came.filter(({ id }) => drafts.has(id));
}

/** Ours are other prompts, in another language of templates. */
async function countPrompts(to: Importing): Promise<void> {
  const rows = (await to.source.rows("prompt_versions")) ?? [];
  count(to, "prompt_versions", { found: rows.length, fresh: rows.length, came: 0 });
}
