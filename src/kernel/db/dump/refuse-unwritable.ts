import type { Transaction } from "../connect.ts";
import { ourSchemas } from "./part.ts";

/** Throws for objects that the dump would silently leave out. */
export async function refuseUnwritable(sql: Transaction): Promise<void> {
  const rows = await sql<{ what: string }[]>`
    select format('%s %s', i.type, i.identity) as what
    from pg_depend d
    cross join pg_identify_object(d.classid, d.objid, 0) as i
    where d.refclassid = 'pg_namespace'::regclass and d.refobjid in (${ourSchemas(sql)})
      and i.type not in ('table', 'sequence', 'view', 'materialized view', 'function', 'procedure')
      and not exists (select from pg_type t where d.classid = 'pg_type'::regclass and t.oid = d.objid and t.typtype = 'c')
    union all
    select format('policy %I on %s', polname, polrelid::regclass) from pg_policy
    union all
    select format('rule %I on %s', r.rulename, r.ev_class::regclass)
    from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where r.rulename <> '_RETURN' and c.relnamespace in (${ourSchemas(sql)})
    union all
    select format('inheritance of %s', c.oid::regclass)
    from pg_inherits join pg_class c on c.oid = inhrelid
    where c.relkind = 'r' and not c.relispartition and c.relnamespace in (${ourSchemas(sql)})
    order by what`;
  if (rows.length > 0)
    throw new Error(
      `the schema dump cannot write ${rows.map(({ what }) => what).join(", ")}: teach it in src/kernel/db/dump`,
    );
}
