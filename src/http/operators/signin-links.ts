import { type AuditActor, noteAudit } from "../../audit/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { randomToken, sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { normalizeLogin } from "./operators.ts";

export const signInLinkLifeMs = 24 * 60 * 60 * 1000;

/** The form of `randomToken`: 32 bytes in base64url. */
export const linkShape = /^[\w-]{43}$/;

/** Creates the token of a one-time link; undefined if the operator does not exist or is disabled. */
export async function createSignInLink(
  sql: Sql,
  login: string,
  { clock, actor = { kind: "command", id: null } }: { clock: Clock; actor?: AuditActor },
): Promise<string | undefined> {
  const token = randomToken();
  const now = clock.now();
  return sql.begin(async (tx) => {
    const [made] = await tx<{ operator_id: string }[]>`
      insert into molva.signin_links (operator_id, token_sha256, created_at, expires_at)
      select id, ${sha256Hex(token)}, ${now}, ${new Date(now.getTime() + signInLinkLifeMs)}
      from molva.operators
      where login = ${normalizeLogin(login)} and not disabled
      returning operator_id
    `;
    if (!made) return undefined;
    const subject = { kind: "operator", id: made.operator_id };
    await noteAudit(
      tx,
      { workspaceId: null, actor, action: "signin_link.created", subject, result: "ok" },
      now,
    );
    return token;
  });
}

/** The token comes after `#`, so that it reaches neither logs nor proxies nor referrers. */
export function signInUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, "")}/signin#${token}`;
}

/** Consumes the link and returns its operator. Of several concurrent calls exactly one succeeds, by the row lock. */
export async function redeemSignInLink(
  sql: Sql | Transaction,
  { token, clock }: { token: string; clock: Clock },
): Promise<string | undefined> {
  const now = clock.now();
  const [link] = await sql<{ operator_id: string }[]>`
    update molva.signin_links l
    set used_at = ${now}
    from molva.operators o
    where l.token_sha256 = ${sha256Hex(token)} and l.used_at is null and l.expires_at > ${now}
      and o.id = l.operator_id and not o.disabled
    returning l.operator_id
  `;
  return link?.operator_id;
}
