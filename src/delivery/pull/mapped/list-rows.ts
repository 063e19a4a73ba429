import { z } from "zod";
import { connect, type Transaction } from "../../../kernel/db/index.ts";
import {
  ConnectError,
  DeadlineExceeded,
  limitReceived,
  TooMuchReceived,
  untilAborted,
} from "../../../kernel/outbound/index.ts";
import { parsedUrl } from "../../../kernel/url/index.ts";
import type { DbConfig } from "../config.ts";
import { failureCodes, type ListDeps } from "../fetch-document.ts";
import { pullLimits } from "../pull-limits.ts";
import { type Candidate, failed, type Listing, type PullFailureCode, type Source } from "../source.ts";
import { createMapper, type ItemMapper } from "./mapped-item.ts";
import { type Page, pageOf } from "./query.ts";

const rowShape = z.object({ item: z.record(z.string(), z.unknown()), time: z.string(), id: z.string() });
type Row = z.infer<typeof rowShape>;

/** The position of the last row taken; empty before the first. */
interface Mark {
  readonly time: string | null;
  readonly id: string | null;
}

/** Reads new rows of another PostgreSQL, in a read-only transaction with a time limit. */
export async function listRows(source: Source, config: DbConfig, deps: ListDeps): Promise<Listing> {
  if (!deps.secret)
    return failed(
      "source_secret_missing",
      "the database's address is missing: give it as the source's secret",
    );
  const { limits } = deps;
  const place = placeOf(deps.secret);
  if (!place) return failed("source_config_invalid", wrongAddress);
  try {
    const socket = await deps.sockets.open(place.host, place.port);
    const limit = limitReceived(socket, { maxBytes: limits.wholeBytes, silenceMs: limits.silenceMs });
    const sql = connect({ url: deps.secret, max: 1, name: "molva source", socket });
    // Otherwise the client would wait for a new connection, and there is none.
    socket.once("close", () => void sql.end({ timeout: 0 }));
    try {
      const rows = sql.begin("read only", (tx) =>
        listIn(tx, source, config, () => socket.bytesRead > limits.wholeBytes / 2),
      );
      return await untilAborted(rows, limit, deps.signal);
    } finally {
      // Without waiting for the server, which may not answer this either; the client first, or it would write to a closed
      // socket.
      await sql.end({ timeout: 0 });
      socket.destroy();
    }
  } catch (error) {
    return failed(codeFor(error), `${place.host}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function codeFor(error: unknown): PullFailureCode {
  if (error instanceof ConnectError) return failureCodes[error.reason];
  if (error instanceof TooMuchReceived) return "source_too_large";
  if (error instanceof DeadlineExceeded) return "source_timeout";
  return "source_query_failed";
}

const wrongAddress =
  "the secret must be an address such as postgres://user:password@db.example.com:5432/name, with one host";

/** The host of the database; undefined if the address names no host, several, or a file. */
function placeOf(secret: string): { host: string; port: number } | undefined {
  const address = parsedUrl(secret);
  if (!address) return undefined;
  const { protocol, hostname, port } = address;
  if (!/^postgres(ql)?:$/.test(protocol) || !/^([\w.-]+|\[[\da-fA-F:.]+\])$/.test(hostname)) return undefined;
  return { host: hostname, port: Number(port || 5432) };
}

async function listIn(
  tx: Transaction,
  source: Source,
  config: DbConfig,
  isEnough: () => boolean,
): Promise<Listing> {
  await tx`
    select set_config('statement_timeout', ${String(pullLimits.query.timeoutMs)}, true),
           set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`;
  const mapper = createMapper(config, source.sourceId);
  const mark = markOf(source);
  const beganAt = textOrNull(source.cursor.began_at);
  const read = (page: Page, from: Mark, rows = config.rows) => {
    const values = page === "late" ? [from.time, from.id, mark.time, beganAt] : [from.time, from.id];
    return readPage(tx, page, values, rows, config);
  };

  if (source.cursor.baseline !== true) {
    // The newest rows set the mark; everything before it counts as seen.
    const newest = await read("newest", mark, Math.max(1, config.max_items_first_run));
    const candidates = newest.reverse().map((row) => candidateOf(row, mapper));
    return { ...listed(candidates, false), cursor: { began_at: newest.at(-1)?.time ?? mark.time } };
  }
  const candidates: Candidate[] = [];
  if (mark.time !== null && config.overlap_seconds > 0) {
    const late = await read("late", await earlier(tx, mark, config.overlap_seconds));
    // These rows are before the mark and must not move it.
    candidates.push(...late.reverse().map((row) => ({ ...candidateOf(row, mapper), cursor: {} })));
  }
  let from = mark;
  for (let page = 0; page < pullLimits.query.pages; page++) {
    const rows = await read("after", from);
    candidates.push(...rows.map((row) => candidateOf(row, mapper)));
    if (rows.length < config.rows) return listed(candidates, false);
    // The next page may be as large; the next run continues from here.
    if (isEnough()) break;
    from = rows.at(-1) ?? from;
  }
  return listed(candidates, true);
}

async function readPage(
  tx: Transaction,
  page: Page,
  values: readonly (string | null)[],
  rows: number,
  config: DbConfig,
): Promise<Row[]> {
  const query = pageOf(page, {
    query: config.query,
    timeColumn: config.time_column,
    idColumn: config.id_column,
    rows,
  });
  return z.array(rowShape).parse([...(await tx.unsafe(query, [...values]))]);
}

async function earlier(tx: Transaction, mark: Mark, seconds: number): Promise<Mark> {
  const [row] = await tx<[{ time: string }]>`
    select (${mark.time}::text::timestamptz - make_interval(secs => ${seconds}))::text as time`;
  return { time: row.time, id: mark.id };
}

function markOf({ cursor }: Source): Mark {
  return { time: textOrNull(cursor.last_seen_ts), id: textOrNull(cursor.last_seen_id) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function candidateOf({ item, time, id }: Row, mapper: ItemMapper): Candidate {
  const publishedAt = mapper.publishedAt(item);
  return {
    ref: mapper.id(item) ?? id,
    ...(publishedAt && { publishedAt }),
    cursor: { cursor_to: id, last_seen_ts: time, last_seen_id: id },
    post: () => mapper.post(item),
  };
}

function listed(candidates: readonly Candidate[], more: boolean) {
  return { kind: "listed", candidates, cursor: {}, more } as const;
}
