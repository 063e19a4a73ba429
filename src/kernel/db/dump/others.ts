import type { Transaction } from "../connect.ts";
import { ourSchemas, type Written } from "./part.ts";
import { readSequences } from "./sequences.ts";

/** Everything but tables: each kind has a pg_get function or a form short enough to write here. */
export async function readOthers(sql: Transaction): Promise<readonly Written[]> {
  return [
    ...(await readSequences(sql)),
    ...(await readTypes(sql)),
    ...(await readViews(sql)),
    ...(await readFunctions(sql)),
    ...(await readTriggers(sql)),
  ];
}

function readTypes(sql: Transaction): Promise<readonly Written[]> {
  return sql<Written[]>`
    select 'pg_class ' || c.oid as key, n.nspname as schema, '1 ' || c.relname as place,
      format(E'CREATE TYPE %s AS (\n%s\n);', c.reltype::regtype, string_agg(
        format('  %I %s', a.attname, replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz')),
        E',\n' order by a.attnum)) as text
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where n.oid in (${ourSchemas(sql)}) and c.relkind = 'c'
    group by c.oid, n.oid`;
}

function readViews(sql: Transaction): Promise<readonly Written[]> {
  return sql<Written[]>`
    select 'pg_class ' || c.oid as key, n.nspname as schema, '3 ' || c.relname as place,
      concat_ws(E'\n',
        format('CREATE %s %s%s AS', case c.relkind when 'm' then 'MATERIALIZED VIEW' else 'VIEW' end, c.oid::regclass,
          ' WITH (' || array_to_string(c.reloptions, ', ') || ')'),
        pg_get_viewdef(c.oid, true),
        (select string_agg(pg_get_indexdef(i.indexrelid, 0, true) || ';', E'\n' order by ic.relname)
         from pg_index i join pg_class ic on ic.oid = i.indexrelid
         where i.indrelid = c.oid)) as text
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.oid in (${ourSchemas(sql)}) and c.relkind in ('v', 'm')`;
}

function readFunctions(sql: Transaction): Promise<readonly Written[]> {
  return sql<Written[]>`
    select 'pg_proc ' || p.oid as key, n.nspname as schema,
      format('4 %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as place,
      rtrim(pg_get_functiondef(p.oid), E'\n') || ';' as text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.oid in (${ourSchemas(sql)}) and p.prokind in ('f', 'p')`;
}

/** The triggers of partitions come with those of the partitioned table. */
function readTriggers(sql: Transaction): Promise<readonly Written[]> {
  return sql<Written[]>`
    select 'pg_trigger ' || t.oid as key, n.nspname as schema, format('2 %s %s', c.relname, t.tgname) as place,
      pg_get_triggerdef(t.oid, true) || ';' as text
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.oid in (${ourSchemas(sql)}) and not t.tgisinternal and t.tgparentid = 0`;
}
