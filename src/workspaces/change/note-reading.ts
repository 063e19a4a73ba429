import type { FastifyRequest } from "fastify";
import { callerOf } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { byOf } from "../requests/request.ts";
import { type Noted, noteEvent } from "./note-change.ts";

type Reading = Noted & { meta: { object: string } };

/**
 * Records that somebody read what people said or who they are; `meta.object` says what was read. Called before the
 * answer is given: what cannot be recorded is not shown.
 */
export async function noteReading(sql: Sql | Transaction, reading: Reading): Promise<void> {
  await noteEvent(sql, "people_read", reading);
}

/** The same for a request; names alone may be shared by an operator and a token, so its caller's id is kept too. */
export async function noteReadingBy(
  sql: Sql,
  request: FastifyRequest,
  { workspaceId, now, meta }: Omit<Reading, "by">,
): Promise<void> {
  const { kind, id } = callerOf(request);
  await noteReading(sql, { workspaceId, now, by: byOf(request), meta: { ...meta, caller: { kind, id } } });
}
