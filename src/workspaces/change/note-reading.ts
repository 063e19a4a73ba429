import type { FastifyRequest } from "fastify";
import { callerOf } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { byOf } from "../requests/request.ts";
import { type Noted, noteEvent } from "./note-change.ts";

type Reading = Noted & { meta: { object: string } };

/**
 * Records that somebody read personal data; `meta.object` names what was read. Call it before the data is returned: if it
 * cannot be recorded, it must not be shown.
 */
export async function noteReading(sql: Sql | Transaction, reading: Reading): Promise<void> {
  await noteEvent(sql, "people_read", reading);
}

/** The same for a request. It records the caller's id too, because an operator and a token may have the same name. */
export async function noteReadingBy(
  sql: Sql,
  request: FastifyRequest,
  { workspaceId, now, meta }: Omit<Reading, "by">,
): Promise<void> {
  const { kind, id } = callerOf(request);
  await noteReading(sql, { workspaceId, now, by: byOf(request), meta: { ...meta, caller: { kind, id } } });
}
