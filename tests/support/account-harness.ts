import type { Who } from "../../src/accounts/admin/access.ts";
import { newRecords, type Records } from "../../src/accounts/testing/records.ts";
import { type AccountWorker, createAccountWorker } from "../../src/accounts/work/account-worker.ts";
import { type Governor, noGovernor } from "../../src/accounts/work/governor-contract.ts";
import type { WorkDeps } from "../../src/accounts/work/work-deps.ts";
import type { WorkTimes } from "../../src/accounts/work/work-times.ts";
import type { MediaFor } from "../../src/delivery/index.ts";
import type { Clock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { noMedia } from "../../src/platforms/index.ts";
import { type TestClock, testClock } from "../../twins/shared/testing.ts";
import { type AccountTwin, accountTwin, device } from "./account-twin.ts";
import type { TestDatabase } from "./database.ts";

/** Accounts, chats and objects in the database and at the twin, with one clock that moves only when it is told to. */
export interface AccountHarness extends Pick<Records, "workspaceId" | "anObject" | "aConfig" | "aTask"> {
  readonly sql: Sql;
  readonly twin: AccountTwin;
  readonly clock: Clock & { set(time: string): void; advance(minutes: number): void };
  readonly deps: WorkDeps;
  readonly anna: Who;
  /** Signed in at the twin; its day counts as planned. */
  anAccount(given?: Record<string, unknown>): Promise<HarnessAccount>;
  /** At the twin and here, with these accounts in it. */
  aChat(accounts: readonly HarnessAccount[], given?: ChatGiven): Promise<HarnessChat>;
  worker(given?: Partial<WorkDeps>): AccountWorker;
  /** Runs everything that is due now to its end. */
  work(worker?: AccountWorker): Promise<void>;
  said(chat: HarnessChat): Promise<string[]>;
  task(id: string): Promise<Record<string, unknown>>;
  tasks(): Promise<Record<string, unknown>[]>;
  account(account: HarnessAccount): Promise<Record<string, unknown>>;
  events(action?: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface HarnessAccount {
  readonly id: string;
  readonly phone: string;
}

export interface HarnessChat {
  readonly id: string;
  readonly telegramId: string;
}

interface ChatGiven {
  readonly row?: Record<string, unknown>;
  readonly twin?: Record<string, unknown>;
  readonly linked?: boolean;
}

export interface HarnessOptions {
  readonly times?: Partial<WorkTimes>;
  readonly governor?: Governor;
  readonly media?: MediaFor;
  /** The twin's limits are on. */
  readonly strict?: boolean;
}

/** Monday noon in Moscow. */
const noon = "2026-11-16T09:00:00Z";

export async function accountHarness(
  { sql, drop }: TestDatabase,
  { times = {}, governor = noGovernor, media = () => noMedia, strict = false }: HarnessOptions = {},
): Promise<AccountHarness> {
  const twinClock = testClock(Date.parse(noon));
  const twin = await accountTwin(sql, { clock: twinClock, rateLimits: strict });
  const records = await newRecords(sql);
  const { workspaceId } = records;
  const clock = movedBy(twinClock);
  const deps: WorkDeps = { sql, clock, log: silentLog, driver: twin.driver, media, governor, times };
  const workers: AccountWorker[] = [];
  const worker = (given: Partial<WorkDeps> = {}): AccountWorker => {
    const made = createAccountWorker({ ...deps, ...given });
    workers.push(made);
    return made;
  };
  const usual = worker();

  return {
    workspaceId,
    anObject: records.anObject,
    aConfig: records.aConfig,
    aTask: (ids, given = {}) => records.aTask(ids, { scheduled_time: clock.now(), ...given }),
    sql,
    twin,
    clock,
    deps,
    anna: { operator: "anna", owner: "anna", isAdmin: false },
    async anAccount(given = {}) {
      const id = await records.anAccount({ device, ...given });
      const { phone } = await twin.signedIn({ workspaceId, accountId: id });
      await sql`select accounts.day_planned(${workspaceId}, ${id}, 0, 0, ${clock.now()})`;
      return { id, phone };
    },
    async aChat(accounts, { row = {}, twin: given = {}, linked = true } = {}) {
      const phones = accounts.map(({ phone }) => phone);
      const telegramId = await twin.aChat(phones, given);
      const id = await records.aChat({ telegram_chat_id: telegramId, ...row });
      if (linked) for (const account of accounts) await records.link(account.id, id);
      return { id, telegramId };
    },
    worker,
    async work(one = usual) {
      await one.round();
      await one.drained();
    },
    said: async ({ telegramId }) => (await twin.said(telegramId)).map(({ text }) => text),
    async task(id) {
      const [row] =
        await sql`select * from accounts.queue where workspace_id = ${workspaceId} and id = ${id}`;
      if (!row) throw new Error(`there is no task ${id}`);
      return row;
    },
    tasks: () => sql`
      select * from accounts.queue where workspace_id = ${workspaceId} order by scheduled_time, id`,
    async account({ id }) {
      const [row] =
        await sql`select * from accounts.accounts where workspace_id = ${workspaceId} and id = ${id}`;
      if (!row) throw new Error(`there is no account ${id}`);
      return row;
    },
    events: (action) => sql`
      select *, meta ->> 'task_id' as task_id from workspaces.events
      where workspace_id = ${workspaceId} and action like ${action ?? "account%"} order by ts, id`,
    async close() {
      for (const each of workers) await each.stop();
      await twin.close();
      await drop();
    },
  };
}

function movedBy(twin: TestClock): AccountHarness["clock"] {
  return {
    now: () => new Date(twin.now()),
    set: (time) => twin.advance(Date.parse(time) - twin.now()),
    advance: (minutes) => twin.advance(minutes * 60_000),
  };
}
