import type { Transaction } from "../connect.ts";
import { ourSchemas, type Written } from "./part.ts";

/** The sequences of identity columns are left out: they come with their column. */
export function readSequences(sql: Transaction): Promise<readonly Written[]> {
  return sql<Written[]>`
    select 'pg_class ' || c.oid as key, n.nspname as schema, '1 ' || c.relname as place,
      concat_ws(' ', 'CREATE SEQUENCE ' || c.oid::regclass,
        case when s.seqtypid <> 'bigint'::regtype then 'AS ' || s.seqtypid::regtype end,
        nullif(${sequenceOptions(sql)}, '')) || ';' as text
    from pg_sequence s
    join pg_class c on c.oid = s.seqrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.oid in (${ourSchemas(sql)})
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'i')`;
}

/** The options of the row `s` of pg_sequence that differ from a sequence that counts 1, 2, 3. */
export function sequenceOptions(sql: Transaction) {
  return sql`concat_ws(' ',
    case when s.seqincrement <> 1 then 'INCREMENT BY ' || s.seqincrement end,
    case when s.seqmin <> 1 then 'MINVALUE ' || s.seqmin end,
    case when s.seqmax <> case s.seqtypid
        when 'smallint'::regtype then 32767
        when 'integer'::regtype then 2147483647
        else 9223372036854775807
      end then 'MAXVALUE ' || s.seqmax end,
    case when s.seqstart <> 1 then 'START WITH ' || s.seqstart end,
    case when s.seqcache <> 1 then 'CACHE ' || s.seqcache end,
    case when s.seqcycle then 'CYCLE' end)`;
}
