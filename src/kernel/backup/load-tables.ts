/**
 * Loads the rows of a backup in one transaction: either all of them are there and compared with the manifest, or nothing was changed.
 * The owner of the tables is enough: foreign keys are dropped and added again, which checks every row, and triggers do not fire.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BackupError } from "./backup-error.ts";
import { isRange, queueSchema, readSequences, readTables, type TableShape } from "./catalog.ts";
import { refuseData } from "./empty-database.ts";
import type { Body } from "./manifest.ts";
import { readParts } from "./parts.ts";
import type { OpenBackup } from "./place.ts";
import { createRowsDigest, inBlocks } from "./rows.ts";
import { refuseServers } from "./running-servers.ts";
import type { Session } from "./session.ts";

export interface LoadRequest {
  readonly backup: OpenBackup;
  readonly schemas: readonly string[];
  readonly prefilled: readonly string[];
  /** Those of servers, which name their connections after them. */
  readonly roles: readonly string[];
  /** Notes in the same transaction what is loaded; before the rows, so that a server that starts meanwhile waits and then sees it. */
  readonly note: (session: Session) => Promise<void>;
  onStep?(text: string): void;
}

export async function loadTables(session: Session, request: LoadRequest): Promise<void> {
  const { backup, schemas, prefilled, roles, onStep = () => {} } = request;
  const { body } = backup;
  await session.query("begin");
  const present = await readTables(session, schemas);
  const shapes = body.tables.map((table) => shapeOf(table, present));
  await session.query(`lock table ${present.map(({ name }) => name).join(", ")} in access exclusive mode`);
  await refuseData(session, schemas, prefilled);
  await refuseServers(session, roles);
  await request.note(session);
  const constraints = await quietTables(session, schemas);
  for (const { name } of present)
    if (mayHaveRows(name, prefilled)) await session.query(`delete from ${name}`);
  await makePartitions(session, body.partitions, present);
  for (const [index, table] of body.tables.entries()) {
    onStep(`table ${index + 1} of ${body.tables.length}: ${table.name}`);
    await loadTable(session, backup, table, shapes[index] ?? shapeOf(table, present));
  }
  for (const [index, table] of body.tables.entries()) {
    onStep(`comparing ${table.name}`);
    await compareTable(session, table, shapes[index] ?? shapeOf(table, present));
  }
  await setSequences(session, body, schemas);
  onStep("checking references between tables");
  for (const statement of constraints) await session.query(statement);
  // Whoever ran these jobs is not there any more.
  await session.query(
    `select ${queueSchema}.force_unlock_workers(array(
       select locked_by from ${queueSchema}._private_jobs where locked_by is not null
       union select locked_by from ${queueSchema}._private_job_queues where locked_by is not null))`,
  );
  // One may have looked for the note just before it was written.
  await refuseServers(session, roles);
  await session.query("commit");
}

/** Without counting as data: what migrations and the job queue write by themselves. */
const mayHaveRows = (name: string, prefilled: readonly string[]) =>
  prefilled.includes(name) || name.startsWith(`${queueSchema}.`);

/** The table as the database has it; its columns in the order of the backup. */
function shapeOf({ name, columns }: Body["tables"][number], present: readonly TableShape[]): TableShape {
  const found = present.find((table) => table.name === name);
  const gone = columns.filter((column) => !found?.columns.includes(column));
  if (!found || gone.length > 0)
    throw new BackupError(
      `The backup has ${found ? `the columns ${gone.join(", ")} of ${name}` : `the table ${name}`}, which this release does not know: restore with the release that made it.`,
    );
  return { ...found, columns };
}

/** Drops foreign keys and switches off triggers. Returns the statements that bring them back. */
async function quietTables(session: Session, schemas: readonly string[]): Promise<string[]> {
  const statements = await session.query<{ off: string; back: string }>(
    `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as off,
       format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as back
     from pg_constraint k
     join pg_class c on c.oid = k.conrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and k.contype = 'f' and k.conparentid = 0
     union all
     select format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname),
       format('alter table %s enable trigger %I', t.tgrelid::regclass, t.tgname)
     from pg_trigger t
     join pg_class c on c.oid = t.tgrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and not t.tgisinternal and t.tgparentid = 0 and t.tgenabled = 'O'`,
    [schemas],
  );
  for (const { off } of statements) await session.query(off);
  return statements.map(({ back }) => back);
}

async function makePartitions(
  session: Session,
  partitions: Body["partitions"],
  present: readonly TableShape[],
): Promise<void> {
  const quotable = /^[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*$/;
  for (const { of, name, bound } of partitions) {
    const parent = present.find((table) => table.name === of);
    if (!parent || !quotable.test(name) || !isRange(bound))
      throw new BackupError(`The backup has a partition that cannot be made: ${name} of ${of}.`);
    if (parent.leaves.includes(name)) continue;
    await session.query(`create table ${name} (like ${of} including defaults including constraints)`);
    await session.query(`alter table ${of} attach partition ${name} ${bound}`);
    await session.query(`alter table ${name} enable row level security`);
  }
}

async function loadTable(
  session: Session,
  backup: OpenBackup,
  { parts }: Body["tables"][number],
  { name, columns }: TableShape,
): Promise<void> {
  if (parts.length === 0) return;
  try {
    await pipeline(
      Readable.from(readParts(backup, parts)),
      session.copyIn(`copy ${name} (${columns.join(", ")}) from stdin`),
    );
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${name} could not be loaded: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}

async function compareTable(
  session: Session,
  { rows, digest: wanted }: Body["tables"][number],
  { name, columns }: TableShape,
): Promise<void> {
  const digest = createRowsDigest();
  const stored = session.copyOut(`select ${columns.join(", ")} from ${name}`) as AsyncIterable<Buffer>;
  for await (const block of inBlocks(stored)) digest.add(block);
  if (digest.rows() !== rows || digest.digest() !== wanted)
    throw new BackupError(
      `${name} has ${digest.rows()} rows after loading that are not the ${rows} of the backup; nothing was kept.`,
    );
}

async function setSequences(session: Session, body: Body, schemas: readonly string[]): Promise<void> {
  const present = new Set((await readSequences(session, schemas)).map(({ name }) => name));
  for (const { name, last_value, is_called } of body.sequences)
    if (present.has(name))
      await session.query("select setval($1::regclass, $2::bigint, $3)", [name, last_value, is_called]);
}
