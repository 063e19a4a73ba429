import type { Sql, Transaction } from "./connect.ts";

/** Lets code that begins transactions join one: what it begins is a part of it, and is rolled back alone if it fails. */
export function within(tx: Transaction): Sql {
  const begin = (...[first, second]: readonly unknown[]) =>
    tx.savepoint((second ?? first) as (part: Transaction) => unknown);
  const joined = new Proxy(tx, {
    get: (target, name, receiver) => (name === "begin" ? begin : Reflect.get(target, name, receiver)),
  });
  // A transaction lacks only `begin` and what belongs to the connection (`end`, `listen`), which no service calls.
  return joined as unknown as Sql;
}
