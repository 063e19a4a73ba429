import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { median, rounded } from "../shared/figures.ts";
import { measure } from "../shared/measurement.ts";
import { type Contestant, contestants } from "./contestants.ts";

/**
 * How many charges a second the books handle, of one hot account and of many, compared with a bare update of a balance
 * on the same server. Rounds alternate, so that other load of the machine affects all equally.
 */
export function main(args: string[]): Promise<void> {
  return measure(
    args,
    { seconds: 4, rounds: 5, clients: 8, accounts: 10_000 },
    async ({ server, say, numbers }) => {
      const { seconds, rounds, clients, accounts } = numbers;
      const url = await server.database();
      const sql = connect({ url, max: clients });
      try {
        const workspaceId = await prepare(sql, accounts);
        const all = contestants(workspaceId);
        const figures = [];
        for (const people of [1, accounts]) {
          const rates = new Map(all.map(({ name }) => [name, [] as number[]]));
          for (let round = 0; round < rounds; round += 1) {
            for (const one of fromPlace(all, round)) {
              await server.settle();
              const rate = await charge(sql, one, { clients, seconds, people });
              rates.get(one.name)?.push(rate);
              say(`${people === 1 ? "one account" : `${people} accounts`}, ${one.name}: ${rate} a second`);
            }
          }
          figures.push(finding(people, rates));
        }
        await proveBooks(sql, workspaceId);
        return figures;
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
  );
}

async function prepare(sql: Sql, accounts: number): Promise<string> {
  await migrate(sql, await readMigrationSources());
  const [{ workspace_id: workspaceId }] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('bench') returning workspace_id`;
  await sql`
    insert into billing.settings (workspace_id, welcome_tokens) values (${workspaceId}, 100000000)`;
  await sql`select billing.open_account(${workspaceId}, n) from generate_series(1, ${accounts}::int) n`;
  await sql`
    create table public.bare (id bigint primary key, balance int not null) with (fillfactor = 50)`;
  await sql`insert into public.bare select n, 100000000 from generate_series(1, ${accounts}::int) n`;
  await sql`vacuum analyze billing.users`;
  await sql`vacuum analyze public.bare`;
  return workspaceId;
}

/** Charges a second by as many clients as given, each of which waits for its answer. */
async function charge(
  sql: Sql,
  { take }: Contestant,
  { clients, seconds, people }: { clients: number; seconds: number; people: number },
): Promise<number> {
  let charges = 0;
  const began = performance.now();
  const ends = began + seconds * 1000;
  const client = async (place: number) => {
    for (let turn = place; performance.now() < ends; turn += clients) {
      // A step that visits every account before it repeats one.
      await take(sql, 1 + ((turn * 7_919) % people));
      charges += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, place) => client(place)));
  return Math.round(charges / ((performance.now() - began) / 1000));
}

function finding(people: number, rates: ReadonlyMap<string, readonly number[]>) {
  const bare = rates.get("bare update") ?? [];
  const ratio = (name: string) =>
    rounded(median((rates.get(name) ?? []).map((rate, round) => rate / (bare[round] ?? Number.NaN))));
  return {
    name: people === 1 ? "one_account" : "many_accounts",
    title: people === 1 ? "charges of one account" : `charges of ${people} accounts`,
    figures: Object.fromEntries(
      [...rates].flatMap(([name, each]) => [
        [`${name}, a second`, median(each)],
        ...(name === "bare update" ? [] : [[`${name} beside the bare update`, ratio(name)] as const]),
      ]),
    ),
  };
}

const fromPlace = <T>(all: readonly T[], place: number) => [
  ...all.slice(place % all.length),
  ...all.slice(0, place % all.length),
];

/** Checks the books: speed is useless if they are wrong. */
async function proveBooks(sql: Sql, workspaceId: string): Promise<void> {
  const wrong = await sql`select message from billing.check_books(${workspaceId}) limit 3`;
  if (wrong.length > 0)
    throw new Error(`the books are wrong: ${wrong.map(({ message }) => message).join("; ")}`);
}
