import { inTime } from "../../kernel/words/index.ts";
import type { LoginDeps } from "./deps.ts";
import { loginProblem } from "./problems.ts";

/** Throws when too many codes were asked for this phone, or in this workspace; otherwise the code is counted. */
export async function takeLoginCode(
  { sql, clock }: LoginDeps,
  workspaceId: string,
  phone: string,
): Promise<void> {
  const [row] = await sql<[{ wait: number | null }]>`
    select accounts.take_login_code(${workspaceId}, ${phone}, p_now => ${clock.now()}) as wait`;
  if (row.wait === null) return;
  throw loginProblem("login_codes_limited", {
    detail: `Too many codes were asked for. Try again ${inTime(row.wait, "en")}, or sign in by QR code.`,
    headers: { "retry-after": String(row.wait) },
  });
}
