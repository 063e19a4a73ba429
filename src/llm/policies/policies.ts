import type { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  inOneChange,
  isEmpty,
  noteChange,
  type Rehearsal,
} from "../../workspaces/index.ts";
import type { newPolicy, PolicyChange, PolicyView } from "./policy-shape.ts";

export function listPolicies(sql: Sql, workspaceId: string): Promise<PolicyView[]> {
  return sql<PolicyView[]>`
    select ${columns(sql)} from llm.llm_policies p where p.workspace_id = ${workspaceId} order by p.key`;
}

export async function readPolicy(
  sql: Sql | Transaction,
  workspaceId: string,
  key: string,
): Promise<PolicyView> {
  const [row] = await sql<PolicyView[]>`
    select ${columns(sql)} from llm.llm_policies p where p.workspace_id = ${workspaceId} and p.key = ${key}`;
  if (!row) throw problem("not_found", { detail: `There is no policy ${key}.` });
  return row;
}

export async function addPolicy(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  policy: z.output<typeof newPolicy>,
  by: By,
): Promise<PolicyView> {
  const now = clock.now();
  if (Object.keys(policy.options).length > 0) requireAdmin(by);
  return inOneChange(sql, async (tx) => {
    const added = await tx`
      insert into llm.llm_policies (workspace_id, key, provider, model, fallbacks, temperature, max_tokens, timeout_ms,
        options, enabled, updated_at)
      values (${workspaceId}, ${policy.key}, ${policy.provider}, ${policy.model}, ${tx.json([...policy.fallbacks])},
        ${policy.temperature}, ${policy.max_tokens}, ${policy.timeout_ms}, ${asJson(policy.options)}::text::jsonb,
        ${policy.enabled}, ${now})
      on conflict do nothing returning key`;
    if (added.length === 0)
      throw problem("conflict", {
        detail: `There is a policy ${policy.key} already; change it instead.`,
        errors: [{ pointer: "/key", detail: "It is taken." }],
      });
    await noteChange(tx, { workspaceId, now, by, meta: { object: "llm_policy", created: true, ...policy } });
    return readPolicy(tx, workspaceId, policy.key);
  });
}

/** Changes apply from the next call on. */
export async function changePolicy(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  key: string,
  change: PolicyChange,
  by: By,
): Promise<PolicyView> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`select from llm.llm_policies where workspace_id = ${workspaceId} and key = ${key} for update`;
    const before = await readPolicy(tx, workspaceId, key);
    const after = { ...before, ...given(change) };
    const changes = differences(before, after);
    if (isEmpty(changes)) return before;
    if ("options" in changes) requireAdmin(by);
    await tx`
      update llm.llm_policies set provider = ${after.provider}, model = ${after.model},
        fallbacks = ${tx.json([...after.fallbacks])}, temperature = ${after.temperature}, max_tokens = ${after.max_tokens},
        timeout_ms = ${after.timeout_ms}, options = ${asJson(after.options)}::text::jsonb, enabled = ${after.enabled},
        updated_at = ${now}
      where workspace_id = ${workspaceId} and key = ${key}`;
    await noteChange(tx, { workspaceId, now, by, meta: { object: "llm_policy", key, changes } });
    return readPolicy(tx, workspaceId, key);
  });
}

/** A policy of the release is added again at the next start; to remove one for good, switch it off. */
export async function removePolicy(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  key: string,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    const gone =
      await tx`delete from llm.llm_policies where workspace_id = ${workspaceId} and key = ${key} returning key`;
    if (gone.length === 0) throw problem("not_found", { detail: `There is no policy ${key}.` });
    const meta = { object: "llm_policy", key, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

/** Options decide who gets the data of a question and at which price. */
function requireAdmin({ isAdmin = false }: By): void {
  if (!isAdmin)
    throw problem("scope_missing", { detail: 'To change the options of a policy needs the scope "admin".' });
}

function given(change: PolicyChange): Partial<PolicyView> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const asJson = (value: unknown) => JSON.stringify(value);

function columns(sql: Sql | Transaction) {
  return sql`p.key, p.provider, p.model, p.fallbacks, p.temperature::float8, p.max_tokens, p.timeout_ms, p.options, p.enabled,
    p.updated_at`;
}
