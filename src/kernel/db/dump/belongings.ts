import type { Transaction } from "../connect.ts";

/** What each part depends on, by keys. */
export async function readNeeds(sql: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql<{ key: string; needs: string[] }[]>`
    with belongings as materialized (${belongings(sql)}),
    pairs as (
      select a.key, b.key as needed, d.deptype = 'a' and exists (select from pg_sequence where seqrelid = d.objid) as owned
      from pg_depend d
      join belongings a on a.class = d.classid and a.object = d.objid
      join belongings b on b.class = d.refclassid and b.object = d.refobjid
      where a.key <> b.key
    )
    select key, array_agg(needed) as needs
    from (
      select key, needed from pairs where not owned
      -- An owned sequence is said to depend on its table, but the table's default is what needs the sequence.
      union select needed, key from pairs where owned
    ) as n
    group by key`;
  return new Map(rows.map(({ key, needs }) => [key, needs]));
}

/** `COMMENT ON` statements by the key of their part; those of schemas by the schema's name. */
export async function readComments(sql: Transaction): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ key: string; text: string }[]>`
    with belongings as materialized (${belongings(sql)}
      union all select 'pg_namespace'::regclass, oid, nspname::text from pg_namespace)
    select b.key, string_agg(
      format('COMMENT ON %s %s IS %L;', upper(regexp_replace(i.type, '^.* (?=column|constraint)', '')), i.identity, d.description),
      E'\n' order by d.classoid, d.objsubid, i.identity collate "C") as text
    from pg_description d
    join belongings b on b.class = d.classoid and b.object = d.objoid
    cross join pg_identify_object(d.classoid, d.objoid, d.objsubid) as i
    where i.schema is null or i.schema not in ('pg_catalog', 'information_schema')
    group by b.key`;
  return new Map(rows.map(({ key, text }) => [key, text]));
}

/** Which catalog rows belong to which part of the dump: a default or an index to its table, and so on. */
function belongings(sql: Transaction) {
  return sql`
    select 'pg_class'::regclass as class, oid as object, 'pg_class ' || oid as key
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'S', 'c')
    union all select 'pg_class'::regclass, indexrelid, 'pg_class ' || indrelid from pg_index
    union all select 'pg_attrdef'::regclass, oid, 'pg_class ' || adrelid from pg_attrdef
    -- A constraint trigger has a constraint, which needs it: it is no part of the table.
    union all select 'pg_constraint'::regclass, oid, 'pg_class ' || conrelid from pg_constraint where conrelid <> 0 and contype <> 't'
    union all select 'pg_rewrite'::regclass, oid, 'pg_class ' || ev_class from pg_rewrite
    -- A table is also a type, and so is an array of its rows.
    union all select 'pg_type'::regclass, oid, 'pg_class ' || typrelid from pg_type where typrelid <> 0
    union all select 'pg_type'::regclass, typarray, 'pg_class ' || typrelid from pg_type where typrelid <> 0
    union all select 'pg_proc'::regclass, oid, 'pg_proc ' || oid from pg_proc
    union all select 'pg_trigger'::regclass, oid, 'pg_trigger ' || oid from pg_trigger`;
}
