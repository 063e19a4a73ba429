import type { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { defaultPackages, defaultPrices, defaultSettings } from "./defaults.ts";
import type { Package, Price, packageBody, Settings } from "./shape.ts";

/** Operators' rows override the release's defaults, row by row. */
export async function listPackages(sql: Sql | Transaction, workspaceId: string): Promise<Package[]> {
  const own = await sql<Package[]>`
    select code, tokens, bonus, price_rub::float8, price_stars, subscription_days, enabled
    from billing.packages where workspace_id = ${workspaceId} order by place, code`;
  return over(defaultPackages, own, ({ code }) => code);
}

export async function setPackage(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  code: string,
  given: z.output<typeof packageBody>,
  by: By,
): Promise<Package> {
  if (given.bonus >= given.tokens) {
    const detail = "The gift is part of the tokens: it must be smaller.";
    throw problem("unprocessable", { detail, errors: [{ pointer: "/bonus", detail }] });
  }
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await listPackages(tx, workspaceId);
    const row = { workspace_id: workspaceId, code, place: placeOf(before, code), ...given, updated_at: now };
    await tx`
      insert into billing.packages ${tx(row)}
      on conflict (workspace_id, code) do update set ${tx({ ...given, updated_at: now })}`;
    const meta = {
      object: "billing_package",
      code,
      from: before.find((each) => each.code === code),
      to: given,
    };
    await noteChange(tx, { workspaceId, now, by, meta });
    return { code, ...given };
  });
}

export async function listPrices(sql: Sql | Transaction, workspaceId: string): Promise<Price[]> {
  const own = await sql<Price[]>`
    select operation, tokens, unit from billing.prices where workspace_id = ${workspaceId} order by operation`;
  return over(defaultPrices, own, ({ operation }) => operation);
}

export async function setPrice(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { operation, tokens, unit }: Price,
  by: By,
): Promise<Price> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await listPrices(tx, workspaceId);
    await tx`
      insert into billing.prices (workspace_id, operation, tokens, unit, updated_at)
      values (${workspaceId}, ${operation}, ${tokens}, ${unit}, ${now})
      on conflict (workspace_id, operation) do update
        set tokens = excluded.tokens, unit = excluded.unit, updated_at = excluded.updated_at`;
    const from = before.find((each) => each.operation === operation);
    await noteChange(tx, {
      ...{ workspaceId, now, by },
      meta: { object: "billing_price", operation, from, to: { tokens, unit } },
    });
    return { operation, tokens, unit };
  });
}

export async function readSettings(sql: Sql | Transaction, workspaceId: string): Promise<Settings> {
  const [own] = await sql<Settings[]>`
    select welcome_tokens, referral_percent::float8, token_rub::float8
    from billing.settings where workspace_id = ${workspaceId}`;
  return own ?? defaultSettings;
}

/** Only the given settings change. */
export type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

export async function setSettings(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  given: SettingsChange,
  by: By,
): Promise<Settings> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const from = await readSettings(tx, workspaceId);
    const to = {
      welcome_tokens: given.welcome_tokens ?? from.welcome_tokens,
      referral_percent: given.referral_percent ?? from.referral_percent,
      token_rub: given.token_rub ?? from.token_rub,
    };
    await tx`
      insert into billing.settings ${tx({ workspace_id: workspaceId, ...to, updated_at: now })}
      on conflict (workspace_id) do update set ${tx({ ...to, updated_at: now })}`;
    await noteChange(tx, { workspaceId, now, by, meta: { object: "billing_settings", from, to } });
    return to;
  });
}

/** In the release's order; rows unknown to it come last. */
function over<T>(brought: readonly T[], own: readonly T[], nameOf: (one: T) => string): T[] {
  const set = new Map(own.map((one) => [nameOf(one), one]));
  const known = new Set(brought.map(nameOf));
  return [
    ...brought.map((one) => set.get(nameOf(one)) ?? one),
    ...own.filter((one) => !known.has(nameOf(one))),
  ];
}

function placeOf(packages: readonly Package[], code: string): number {
  const place = packages.findIndex((each) => each.code === code);
  return place === -1 ? packages.length : place;
}
