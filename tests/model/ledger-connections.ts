import { setTimeout as delay } from "node:timers/promises";
import { refusalOf } from "../../src/billing/index.ts";
import type { Sql, Transaction } from "../../src/kernel/db/index.ts";
import { isLostConnection } from "../../src/kernel/db/survive-lost-connections.ts";
import type { Books } from "./ledger-model.ts";
import type { LedgerOperation } from "./ledger-operation.ts";

/** Where a process works, and what it was answered so far. */
export interface Place {
  readonly workspaceId: string;
  readonly name: string;
  readonly books: Books;
  readonly referrerOf: (user: number) => number | undefined;
}

export type Statement = (tx: Sql | Transaction) => PromiseLike<readonly { readonly answer: number | null }[]>;
type Manner = Pick<LedgerOperation, "dieAfter" | "times">;
export type Connections = ReturnType<typeof dyingConnections>;

/** More statements than anything has: the connection lives. */
const never = 9;

/** Connections that die where an operation says. Whatever has no answer is asked again. */
export function dyingConnections(open: () => Sql) {
  const idle: Sql[] = [];
  let deaths = 0;

  /** The answers of statements that happen together or not at all; undefined when tokens are short. */
  async function together(statements: readonly Statement[], manner: Manner): Promise<number[] | undefined> {
    const all = await atOnce(manner, (sql) =>
      sql.begin(async (tx) => {
        const answers: number[] = [];
        for (const statement of statements) answers.push(Number((await statement(tx))[0]?.answer));
        return answers;
      }),
    );
    // Whoever came later may be refused for want of tokens only if nobody before did it: it is done if one says so.
    return all.find((answers) => answers !== undefined);
  }

  /** Several ask for the same thing at the same moment; the connection of the first one dies on its way. */
  function atOnce<T>(
    { dieAfter, times }: Manner,
    ask: (sql: Sql) => PromiseLike<T>,
  ): Promise<(T | undefined)[]> {
    return Promise.all(
      Array.from({ length: times }, (_, index) => answered(ask, index === 0 ? dieAfter : never)),
    );
  }

  /** Asks until there is an answer: one that a dead connection took along may have happened or not. */
  async function answered<T>(
    ask: (sql: Sql) => PromiseLike<T>,
    dieAfter: number = never,
  ): Promise<T | undefined> {
    for (let dies = dieAfter; ; dies = never) {
      // The driver may forget a question whose connection died in its middle, so each has a connection to itself and a deadline.
      const sql = idle.pop() ?? open();
      try {
        const answer = await new Promise<T>((resolve, reject) => {
          // The driver would still try to roll back over a connection that is gone.
          ask(dyingAfter(sql, dies, reject)).then(resolve, reject);
          silence().catch(reject);
        });
        idle.push(sql);
        return answer;
      } catch (error) {
        void sql.end({ timeout: 0 }).catch(() => undefined);
        if (refusalOf(error)?.code === "insufficient_balance") return undefined;
        if (!isLostConnection(error)) throw error;
        deaths += 1;
      }
    }
  }

  return { together, atOnce, answered, deaths: () => deaths };
}

/** The same database, whose connection dies before the statement of this number, or before the commit that would follow it. */
function dyingAfter(sql: Sql, statements: number, died: (error: unknown) => void): Sql {
  let asked = 0;
  const die = async (database: Sql | Transaction) => {
    try {
      await database`select pg_terminate_backend(pg_backend_pid())`;
    } catch (error) {
      died(error);
      throw error;
    }
  };
  const dying = <Database extends Sql | Transaction>(database: Database): Database =>
    new Proxy(database, {
      apply(target, self, given) {
        const ask = () => Reflect.apply(target, self, given);
        const isStatement = Array.isArray(given[0]) && "raw" in given[0];
        if (!isStatement) return ask();
        asked += 1;
        return asked === statements + 1 ? die(target).then(ask) : ask();
      },
      get(target, key) {
        if (key !== "begin" || !("begin" in target)) return Reflect.get(target, key);
        return (work: (tx: Transaction) => Promise<unknown>) =>
          target.begin(async (tx) => {
            const done = await work(dying(tx));
            if (asked === statements) await die(tx);
            return done;
          });
      },
    });
  return dying(sql);
}

/** No answer in this time is none at all. */
function silence(): Promise<never> {
  return delay(2_000, undefined, { ref: false }).then(() => {
    throw Object.assign(new Error("no answer"), { code: "CONNECT_TIMEOUT" });
  });
}

export const picked = <T>(of: readonly T[], pick: number): T | undefined => of[pick % Math.max(1, of.length)];
