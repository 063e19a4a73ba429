import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { databaseAddress } from "../../src/kernel/url/index.ts";
import { freePorts } from "../support/molva.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";
import { type Gate, openGate } from "./gate.ts";
import type { Kind } from "./kinds.ts";
import type { Point } from "./points.ts";
import type { Random } from "./random.ts";
import { waits } from "./settings.ts";
import { createTrap, type Trap } from "./trap.ts";
import { watchRequests } from "./watch-requests.ts";
import { watchStatements } from "./watch-statements.ts";

/** A `molva serve` of one role, restarted whenever it ends. All its connections go through its gates. */
export interface Member {
  readonly role: Point["role"];
  readonly url: string;
  readonly trap: Trap;
  readonly ready: boolean;
  /** Its last output. */
  readonly words: string;
  /** Kills it without a warning, as the system does when memory runs out. */
  kill(): void;
  cut(): void;
}

export interface Fleet {
  readonly members: readonly Member[];
  /** Processes that were ready and ended although the test did not kill them, with their last output. */
  readonly fallen: readonly string[];
  /** How often a process said that its clock was set or that a name led it elsewhere (misled.js). */
  misled(by: Misleading): number;
  allReady(): Promise<void>;
  stop(): Promise<void>;
}

type Misleading = "clock" | "name";

export interface FleetOptions {
  readonly roles: readonly Point["role"][];
  readonly databaseUrl: () => string;
  readonly messengersUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly kind: Kind;
}

/** Between two starts of a process that cannot start, as a supervisor would. */
const pauseMs = 300;
const lastWords = 4_000;
/** How wrong the clock of a machine is, at the most; and in a storm of clocks. */
const clockOffMs = 3_000;
const clockFarOffMs = 3_600_000;
const jumpsOfClocks = 20;
/** In a storm of names, the messengers are called by one the twins answer to, and it leads elsewhere after so long. */
const messengersName = "localhost";
const nameChangesMs = 1_500;

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const fallen: string[] = [];
  const misled = { clock: 0, name: 0 };
  const kept = await Promise.all(options.roles.map((role) => keep(role, options, { fallen, misled })));
  return {
    members: kept.map(({ member }) => member),
    fallen,
    misled: (by) => misled[by],
    async allReady() {
      await until("every process is ready", () => kept.every(({ member }) => member.ready), 300_000);
    },
    async stop() {
      await Promise.all(kept.map(({ stop }) => stop()));
    },
  };
}

async function keep(
  role: Point["role"],
  options: FleetOptions,
  { fallen, misled }: { fallen: string[]; misled: Record<Misleading, number> },
): Promise<{ member: Member; stop(): Promise<void> }> {
  const trap = createTrap();
  const postgres = await Promise.all(
    hostsOf(options.databaseUrl()).map((_, index) =>
      openGate(
        () => hostsOf(options.databaseUrl())[index]?.port ?? 0,
        () => watchStatements(trap),
      ),
    ),
  );
  const messengers = await openGate(
    () => Number(new URL(options.messengersUrl).port),
    () => watchRequests(trap),
  );
  const { port } = await freePorts();
  const home = tempFolder("chaos");
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let ready = false;
  let words = "";
  let stopping = false;

  async function run(): Promise<void> {
    while (!stopping) {
      words = "";
      let killed = false;
      child = start(role, environmentOf({ options, postgres, messengers, port, home }));
      child.on("message", (by) => {
        if (by === "clock" || by === "name") misled[by] += 1;
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding("utf8").on("data", (text: string) => {
          words = (words + text).slice(-lastWords);
          if (words.includes("molva is ready")) ready = true;
        });
      child.once("exit", (_code, signal) => {
        killed = signal === "SIGKILL";
      });
      await once(child, "close");
      if (ready && !killed && !stopping) fallen.push(`${role} ended by itself: ${words}`);
      ready = false;
      trap.disarm();
      if (!killed) await delay(pauseMs);
    }
  }
  const running = run();

  const member: Member = {
    role,
    url,
    trap,
    get ready() {
      return ready;
    },
    get words() {
      return words;
    },
    kill: () => void child?.kill("SIGKILL"),
    cut() {
      for (const gate of [...postgres, messengers]) gate.cut();
    },
  };
  return {
    member,
    async stop() {
      stopping = true;
      child?.kill("SIGTERM");
      const impatience = setTimeout(() => child?.kill("SIGKILL"), 15_000);
      await running;
      clearTimeout(impatience);
      await Promise.all([...postgres, messengers].map((gate) => gate.close()));
    },
  };
}

/** A process reaches each of the database's hosts by a gate of its own. */
const hostsOf = (databaseUrl: string) => databaseAddress(databaseUrl)?.hosts ?? [];

function start(role: Point["role"], env: Record<string, string | undefined>): ChildProcess {
  const misled = fileURLToPath(new URL("./misled.js", import.meta.url));
  return spawn(
    process.execPath,
    ["--import", misled, join(projectRoot, "bin", "molva.js"), "serve", "--role", role],
    { env, stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
}

function environmentOf(of: {
  options: FleetOptions;
  postgres: readonly Gate[];
  messengers: Gate;
  port: number;
  home: string;
}): Record<string, string | undefined> {
  const { random, databaseUrl, tokens, kind } = of.options;
  const gates = of.postgres.map((each) => `127.0.0.1:${each.port}`).join();
  const isNamed = kind === "names";
  const gate = `http://${isNamed ? messengersName : "127.0.0.1"}:${of.messengers.port}`;
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    MOLVA_HOME: of.home,
    MOLVA_ENV: "development",
    MOLVA_PORT: String(of.port),
    DATABASE_URL: databaseUrl().replace(databaseAddress(databaseUrl())?.shown ?? "", gates),
    TELEGRAM_API_ROOT: `${gate}/telegram`,
    MAX_API_ROOT: `${gate}/max`,
    VK_API_ROOT: `${gate}/vk`,
    PINTEREST_API_ROOT: `${gate}/pinterest`,
    // A site names its own address, and a password goes to no other: requests to sites do not pass through the gate.
    WORDPRESS_TWIN_ROOT: `${of.options.messengersUrl}/wordpress`,
    MOLVA_ALLOW_HOSTS: [new URL(of.options.messengersUrl), new URL(gate)].map(({ host }) => host).join(),
    MOLVA_SEND_TIMEOUT_SECONDS: String(waits.sendTimeoutSeconds),
    MOLVA_SENDING_LEASE_SECONDS: String(waits.sendingLeaseSeconds),
    MOLVA_CLAIMED_LEASE_SECONDS: String(waits.claimedLeaseSeconds),
    MOLVA_WORKSPACE_VARIABLES: Object.keys(tokens)
      .map((bot) => `CHAOS_${bot.toUpperCase()}=*`)
      .join(),
    CHAOS_CLOCK: JSON.stringify(kind === "clocks" ? wildClock(random) : wrongClock(random)),
    ...(isNamed && { CHAOS_NAMES: JSON.stringify({ name: messengersName, everyMs: nameChangesMs }) }),
    ...Object.fromEntries(
      Object.entries(tokens).map(([bot, token]) => [`CHAOS_${bot.toUpperCase()}`, token]),
    ),
  };
}

/** Set by hand: a little wrong, and set once more. */
function wrongClock(random: Random): object {
  const off = () => random.between(-clockOffMs, clockOffMs);
  return { offsetMs: off(), jumps: [{ afterMs: random.between(5_000, 60_000), byMs: off() }] };
}

/** Up to an hour off, and jumping back and forth for as long as the process runs. */
function wildClock(random: Random): object {
  const off = () => random.between(-clockFarOffMs, clockFarOffMs);
  const jumps = Array.from({ length: jumpsOfClocks }, (_, index) => ({
    afterMs: (index + 1) * random.between(4_000, 8_000),
    byMs: off(),
  }));
  return { offsetMs: off(), jumps };
}
