import { inTime } from "../../kernel/words/index.ts";
import type { LoginDeps } from "./login-deps.ts";
import { loginProblem } from "./login-problems.ts";

/** Counts a login code, or throws if too many were requested for this phone or workspace. */
export async function takeLoginCode(
  { sql, clock }: LoginDeps,
  workspaceId: string,
  phone: string,
): Promise<void> {
  const [row] = await sql<[{ wait: number | null }]>`
    select accounts.take_login_code(${workspaceId}, ${phone}, p_now => ${clock.now()}) as wait`;
  if (row.wait === null) return;
  throw loginProblem("login_codes_limited", {
    detail: `Too many codes were requested. Try again ${inTime(row.wait, "en")}, or sign in by QR code.`,
    headers: { "retry-after": String(row.wait) },
  });
}
