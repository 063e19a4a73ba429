import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { createLog } from "../log/index.ts";
import { createWorker, type ManualTimer, manualTimer, type Worker, type WorkerSettings } from "./index.ts";

let database: TestDatabase;
let time: ManualTimer;
let lines: string[];
let workers: Worker<string>[];

beforeAll(async () => {
  database = await testDatabase({ empty: true });
});
afterAll(() => database.drop());
beforeEach(() => {
  time = manualTimer();
  lines = [];
  workers = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
});

const never = Number.POSITIVE_INFINITY;

function aWorker(settings: Partial<WorkerSettings<string>>): Worker<string> {
  const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
  const worker = createWorker<string>({
    name: "painter",
    log: createLog({ level: "info", destination }),
    trouble: "nothing could be painted",
    round: async () => never,
    timer: time.timer,
    stopWithinMs: 20_000,
    ...settings,
  });
  workers.push(worker);
  return worker;
}

/** A worker that counts its rounds; `says` is what the next ones return or throw, the last of them for ever. */
async function counting(says: (number | Error)[] = [never], settings: Partial<WorkerSettings<string>> = {}) {
  const made = { rounds: 0 };
  const worker = aWorker({
    async round() {
      const said = says[Math.min(made.rounds, says.length - 1)] ?? never;
      made.rounds += 1;
      if (said instanceof Error) throw said;
      return said;
    },
    ...settings,
  });
  await worker.start();
  return { worker, rounds: () => made.rounds };
}

const restsFor = (milliseconds: number) => expect.poll(() => time.waiting()).toEqual([milliseconds]);
const log = () => lines.map((line): { msg: string } => JSON.parse(line)).map(({ msg }) => msg);
const notices = (heard?: (payload: string) => boolean) => ({
  sql: database.sql,
  channel: "paint",
  ...(heard && { heard }),
});
const notify = (payload: string) => database.sql`select pg_notify('paint', ${payload})`;

const loseConnection = () => database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query ilike 'listen%'`;

/** A promise and the function that resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe("a worker", () => {
  it("makes a round when it starts, and then none before its safety net", async () => {
    const { rounds } = await counting();
    await restsFor(15_000);
    expect(rounds()).toBe(1);
    time.advance(14_999);
    expect(time.waiting()).toEqual([1]);
    time.advance(1);
    await expect.poll(rounds).toBe(2);
  });

  it("makes the next round when something is due", async () => {
    const { rounds } = await counting([700, never]);
    await restsFor(700);
    time.advance(700);
    await expect.poll(rounds).toBe(2);
    await restsFor(15_000);
  });

  it("goes on at once while there may be more", async () => {
    const { rounds } = await counting([0, 0, never]);
    await restsFor(15_000);
    expect(rounds()).toBe(3);
  });

  it("looks again after a round during which it was woken", async () => {
    const { opened, open } = gate();
    let rounds = 0;
    const worker = aWorker({
      async round() {
        rounds += 1;
        if (rounds === 1) await opened;
        return never;
      },
    });
    await worker.start();
    worker.wake();
    open();
    await restsFor(15_000);
    expect(rounds).toBe(2);
  });

  it("is woken by NOTIFY, and only by what concerns it", async () => {
    const heard: string[] = [];
    const concerns = (payload: string) => {
      heard.push(payload);
      return payload === "red";
    };
    const { rounds } = await counting([never], { notices: notices(concerns) });
    await restsFor(15_000);
    await notify("blue");
    await expect.poll(() => heard).toContain("blue");
    expect(rounds()).toBe(1);
    await notify("red");
    await expect.poll(rounds).toBe(2);
  });

  it("looks when its listening connection is back, because notices were lost", async () => {
    const { rounds } = await counting([never], { notices: notices() });
    await restsFor(15_000);
    await loseConnection();
    await expect.poll(rounds).toBe(2);
  });

  it("can be started again, and stopped before it was started", async () => {
    const worker = aWorker({});
    await worker.stop();
    await worker.start();
    await restsFor(15_000);
    await worker.stop();
    expect(time.waiting()).toEqual([]);
    await worker.start();
    await restsFor(15_000);
  });
});

describe("after a failure", () => {
  const trouble = new Error("the paint is dry");

  it("it rests longer each time, and says so once", async () => {
    await counting([trouble]);
    for (const milliseconds of [1_000, 2_000, 4_000, 5_000, 5_000]) {
      await restsFor(milliseconds);
      time.advance(milliseconds);
    }
    expect(log()).toEqual(["nothing could be painted"]);
    expect(lines[0]).toContain("the paint is dry");
  });

  it("it tells when it works again, and starts over with short rests", async () => {
    const { worker } = await counting([trouble, trouble, 100, never, trouble]);
    for (const milliseconds of [1_000, 2_000, 100]) {
      await restsFor(milliseconds);
      time.advance(milliseconds);
    }
    await restsFor(15_000);
    expect(log()).toEqual(["nothing could be painted", "painter works again"]);
    worker.wake();
    await restsFor(1_000);
  });

  it("NOTIFY does not cut its rest short", async () => {
    const heard = gate();
    const { rounds } = await counting([trouble, never], {
      notices: notices((payload) => {
        if (payload !== "") heard.open();
        return true;
      }),
    });
    await restsFor(1_000);
    await notify("red");
    await heard.opened;
    expect([rounds(), ...time.waiting()]).toEqual([1, 1_000]);
    time.advance(1_000);
    await expect.poll(rounds).toBe(2);
  });

  it("a database that is back does", async () => {
    const { rounds } = await counting([trouble, never], { notices: notices() });
    await restsFor(1_000);
    await loseConnection();
    await expect.poll(rounds).toBe(2);
  });

  it("of jobs it rests as well, once for all that failed together", async () => {
    const failing = gate();
    const worker = aWorker({
      async round({ jobs, begin }) {
        if (jobs.length === 0) for (const colour of ["red", "blue"]) begin(colour);
        return never;
      },
      async run() {
        await failing.opened;
        throw trouble;
      },
    });
    await worker.start();
    await restsFor(15_000);
    failing.open();
    await restsFor(1_000);
    time.advance(1_000);
    await restsFor(2_000);
    expect(log()).toEqual(["nothing could be painted"]);
  });
});

describe("jobs", () => {
  it("are never more than there are places, and the end of one wakes the worker", async () => {
    const waiting = ["red", "green", "blue"];
    const begun: string[] = [];
    const gates = new Map(waiting.map((colour) => [colour, gate()]));
    const worker = aWorker({
      places: 2,
      async round({ free, begin }) {
        for (const colour of waiting.splice(0, free)) begin(colour);
        return never;
      },
      async run(colour) {
        begun.push(colour);
        await gates.get(colour)?.opened;
      },
    });
    await worker.start();
    await restsFor(15_000);
    expect(begun).toEqual(["red", "green"]);
    expect(() => worker.begin("white")).toThrow("painter has no place for another job");
    gates.get("green")?.open();
    await expect.poll(() => begun).toEqual(["red", "green", "blue"]);
    for (const each of gates.values()) each.open();
    await worker.drained();
  });

  it("are known to the round that looks for more", async () => {
    const { opened, open } = gate();
    const worker = aWorker({
      round: async ({ jobs, begin }) => {
        if (!jobs.includes("red")) begin("red");
        return jobs.length;
      },
      run: () => opened,
    });
    expect([await worker.round(), await worker.round()]).toEqual([0, 1]);
    open();
  });
});

describe("a stop", () => {
  it("ends the rounds, tells the jobs and waits for them", async () => {
    let saved = false;
    const { worker, rounds } = await counting([never], {
      run: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            saved = true;
            resolve();
          });
        }),
    });
    await restsFor(15_000);
    worker.begin("red");
    await worker.stop();
    expect([saved, rounds()]).toEqual([true, 1]);
    worker.wake();
    expect([rounds(), ...time.waiting()]).toEqual([1]);
  });

  it("does not wait for ever", async () => {
    const { worker } = await counting([never], { stopWithinMs: 1, run: () => new Promise(() => {}) });
    worker.begin("red");
    await worker.stop();
    expect(log()).toEqual(["stopped without waiting any longer"]);
  });

  it("reports nothing that fails because of it", async () => {
    const worker = aWorker({
      round: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("broken off")))),
    });
    await worker.start();
    await worker.stop();
    expect(log()).toEqual([]);
  });
});
