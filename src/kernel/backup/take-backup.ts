import { migrationLock } from "../db/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import { BackupError } from "./backup-error.ts";
import { newEncryption } from "./backup-key.ts";
import {
  readApplied,
  readOthersTables,
  readPartitions,
  readSequences,
  readTables,
  type TableShape,
} from "./catalog.ts";
import { packFiles } from "./files.ts";
import { inWords } from "./in-words.ts";
import { leftOut } from "./left-out.ts";
import { type Body, formatName, formatVersion, type Header, writeManifest } from "./manifest.ts";
import { createKeySet, findMissing, type NamedFiles } from "./named-files.ts";
import { createPartWriter, type PartWriter } from "./parts.ts";
import { deleteBackup, manifestKey, newId, type Place } from "./place.ts";
import { createRowsDigest, inBlocks } from "./rows.ts";
import { type Session, withSession } from "./session.ts";

export interface BackupRequest {
  readonly databaseUrl: string;
  readonly place: Place;
  /** Absent: the backup is not encrypted. */
  readonly secret: string | undefined;
  readonly schemas: readonly string[];
  /** The installation's files, below these folders. */
  readonly files: ObjectStorage;
  readonly folders: readonly string[];
  readonly namedFiles: readonly NamedFiles[];
  readonly keys: Body["keys"];
  readonly molva: string;
  readonly now: Date;
  readonly partBytes?: number;
  onStep?(text: string): void;
}

/**
 * Writes a backup: the database at one moment, and every file that is there after it. One connection keeps the snapshot, the other
 * copies each table in a short transaction of its own that sees it, so that no table stays locked for longer than its own copy.
 */
export async function takeBackup(request: BackupRequest): Promise<{ header: Header; body: Body }> {
  const { place, now } = request;
  const id = newId(now);
  try {
    return await withSession(request.databaseUrl, (keeper) =>
      withSession(request.databaseUrl, (copier) => write(request, id, keeper, copier)),
    );
  } catch (error) {
    // Without a manifest it is no backup, but it would still take space.
    await deleteBackup(place, id).catch(() => {});
    throw inWords(error, `No backup was made in ${place.name}`);
  }
}

async function write(
  request: BackupRequest,
  id: string,
  keeper: Session,
  copier: Session,
): Promise<{ header: Header; body: Body }> {
  const { place, schemas, onStep = () => {} } = request;
  const encrypted = request.secret === undefined ? undefined : await newEncryption(request.secret);
  const keyFor = encrypted?.keyFor;
  const writer = createPartWriter(place, id, keyFor, request.partBytes);

  // Migrations wait until the backup is done.
  await keeper.query("select pg_advisory_lock_shared($1)", [migrationLock]);
  await keeper.query("begin isolation level repeatable read read only");
  const [moment] = await keeper.query<{ snapshot: string; said: string; at: Date; postgres: string }>(
    `select pg_export_snapshot() as snapshot, pg_current_snapshot()::text as said, clock_timestamp() as at,
       current_setting('server_version') as postgres`,
  );
  if (!moment) throw new Error("no snapshot");
  const migrations = await readApplied(keeper);
  if (migrations.length === 0)
    throw new BackupError("There is nothing to back up: the database has no tables of Molva's.");
  const shapes = await readTables(keeper, schemas);
  const partitions = await readPartitions(keeper, schemas);

  const tables: Body["tables"] = [];
  for (const [index, shape] of shapes.entries()) {
    onStep(`table ${index + 1} of ${shapes.length}: ${shape.name}`);
    tables.push(await copyTable(copier, shape, moment.snapshot, writer));
  }
  onStep("files");
  const files = await copyFiles(request, keeper, writer);
  const body: Body = {
    postgres: moment.postgres,
    snapshot: moment.said,
    ...{ migrations, tables, partitions, files },
    sequences: await readSequences(keeper, schemas),
    left_out: leftOut,
    others: await readOthersTables(keeper, schemas),
    keys: request.keys,
  };
  const header: Header = {
    ...{ format: formatName, version: formatVersion, id, molva: request.molva },
    taken_at: moment.at.toISOString(),
    bytes: writer.bytes(),
    encryption: encrypted?.encryption ?? null,
  };
  onStep("manifest");
  const manifest = await writeManifest(header, body, keyFor);
  await place.storage.put(manifestKey(place, id), manifest, { contentType: "application/json" });
  return { header, body };
}

async function copyTable(
  session: Session,
  { name, columns, leaves }: TableShape,
  snapshot: string,
  writer: PartWriter,
): Promise<Body["tables"][number]> {
  const digest = createRowsDigest();
  const blocks = async function* () {
    for (const leaf of leaves)
      for await (const block of inBlocks(rowsOf(session, leaf, columns, snapshot))) {
        digest.add(block);
        yield block;
      }
  };
  const parts = await writer.write(blocks());
  return { name, columns: [...columns], rows: digest.rows(), digest: digest.digest(), parts };
}

async function* rowsOf(
  session: Session,
  leaf: string,
  columns: readonly string[],
  snapshot: string,
): AsyncGenerator<Buffer> {
  await session.query("begin isolation level repeatable read read only");
  await session.query(`set transaction snapshot '${snapshot}'`);
  // A partition may have expired and been dropped since: its rows are gone by design.
  const [still] = await session.query<{ found: boolean }>("select to_regclass($1) is not null as found", [
    leaf,
  ]);
  if (still?.found)
    yield* session.copyOut(`select ${columns.join(", ")} from only ${leaf}`) as AsyncIterable<Buffer>;
  await session.query("commit");
}

async function copyFiles(
  { files: storage, folders, namedFiles }: BackupRequest,
  keeper: Session,
  writer: PartWriter,
): Promise<Body["files"]> {
  const copied = createKeySet();
  let count = 0;
  let bytes = 0;
  const source = packFiles(storage, folders, (key, size) => {
    copied.add(key);
    count += 1;
    bytes += size;
  });
  const parts = await writer.write(source);
  return { count, bytes, parts, ...(await findMissing(keeper, namedFiles, copied)) };
}
