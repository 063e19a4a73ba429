/** What there is to back up, from the server's catalog: a new table needs no line anywhere. */
import { BackupError } from "./backup-error.ts";
import { leftOut } from "./left-out.ts";
import type { Session } from "./session.ts";

export interface TableShape {
  /** Schema and name, quoted where SQL needs it. */
  readonly name: string;
  /** Without generated ones, which the server computes again; quoted. */
  readonly columns: readonly string[];
  /** Where its rows are: the table itself, or its partitions. */
  readonly leaves: readonly string[];
}

export interface Partition {
  readonly of: string;
  readonly name: string;
  readonly bound: string;
}

/** The job queue's own schema; its migrations are its own. */
export const queueSchema = "graphile_worker";
/** Partitions are made again from this text, so nothing else may be in it. */
const boundShape = /^FOR VALUES FROM \('[0-9 :.+-]+'\) TO \('[0-9 :.+-]+'\)$/;

/** The schemas that a release creates, from its migrations. */
export function schemasOf(migrations: readonly { readonly text: string }[]): readonly string[] {
  const made = migrations.flatMap(({ text }) =>
    [...text.matchAll(/^create schema (?:if not exists )?([a-z_]+)/gim)].map(([, name = ""]) => name),
  );
  return [...new Set(["molva", ...made, queueSchema])];
}

/** Every table of the schemas that is not left out. */
export async function readTables(session: Session, schemas: readonly string[]): Promise<TableShape[]> {
  const tables = await session.query<TableShape>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(
         select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(
         select format('%I.%I', ln.nspname, l.relname)
         from pg_partition_tree(c.oid) t
         join pg_class l on l.oid = t.relid
         join pg_namespace ln on ln.oid = l.relnamespace
         where t.isleaf order by 1) as leaves
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,
    [schemas],
  );
  return tables
    .filter(({ name }) => !(name in leftOut))
    .map((table) => (table.leaves.length > 0 ? table : { ...table, leaves: [table.name] }));
}

/** Tables of others in the same database: nobody but their owner knows what they mean. */
export async function readOthersTables(session: Session, schemas: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname <> all ($1) and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/** Partitions that are created at run time; a default partition comes with the migrations. */
export async function readPartitions(session: Session, schemas: readonly string[]): Promise<Partition[]> {
  const found = await session.query<Partition>(
    `select format('%I.%I', pn.nspname, p.relname) as of, format('%I.%I', n.nspname, c.relname) as name,
       pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid and c.relispartition and c.relkind in ('r', 'p')
     join pg_namespace n on n.oid = c.relnamespace
     join pg_class p on p.oid = i.inhparent
     join pg_namespace pn on pn.oid = p.relnamespace
     where n.nspname = any ($1) and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
     order by 2`,
    [schemas],
  );
  const odd = found.find(({ bound }) => !isRange(bound));
  if (odd)
    throw new BackupError(`The partition ${odd.name} is of a kind that backups do not know: ${odd.bound}.`);
  return found;
}

export function isRange(bound: string): boolean {
  return boundShape.test(bound);
}

export interface SequenceValue {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
}

/** Sequences stand outside of transactions. Read after the snapshot, they are at least where its rows need them. */
export async function readSequences(session: Session, schemas: readonly string[]): Promise<SequenceValue[]> {
  const names = await session.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind = 'S' order by 1`,
    [schemas],
  );
  const values: SequenceValue[] = [];
  for (const { name } of names) {
    const [value] = await session.query<Omit<SequenceValue, "name">>(
      `select last_value::text, is_called from ${name}`,
    );
    if (value) values.push({ name, ...value });
  }
  return values;
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** Those that the database has; none in an empty one. */
export async function readApplied(session: Session): Promise<AppliedMigration[]> {
  const [books] = await session.query<{ found: boolean }>(
    "select to_regclass('molva.migrations') is not null as found",
  );
  if (!books?.found) return [];
  return session.query("select number, name, checksum from molva.migrations order by number");
}
