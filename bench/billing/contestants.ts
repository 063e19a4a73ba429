import type { Sql } from "../../src/kernel/db/index.ts";

export interface Contestant {
  readonly name: string;
  take(sql: Sql, userId: number): PromiseLike<unknown>;
}

/** The least that a charge can be, and what a charge of ours is: with its transfer and its line in the history, then with its work. */
export function contestants(workspaceId: string): readonly Contestant[] {
  let works = 0;
  return [
    {
      name: "bare update",
      take: (sql, userId) => sql`
        update public.bare set balance = balance - ${1} where id = ${userId} and balance >= ${1} returning balance`,
    },
    {
      name: "charge_balance",
      take: (sql, userId) => sql`select billing.charge_balance(${workspaceId}, ${userId}, 1)`,
    },
    {
      name: "hold",
      take: (sql, userId) => {
        works += 1;
        return sql`
          select billing.hold(${workspaceId}, ${userId}, 1, ${`run-${works}`}, 'text', 'text_generation')`;
      },
    },
  ];
}
