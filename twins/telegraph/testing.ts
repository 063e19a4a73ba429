import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";

export interface Answered {
  readonly ok: boolean;
  readonly error?: string;
  readonly result: ReturnType<typeof JSON.parse>;
}

export interface TestTelegraph {
  readonly twins: TestTwins;
  /** Calls a method with a form and gives back the envelope. */
  call(method: string, params?: Readonly<Record<string, unknown>>): Promise<Answered>;
  /** Sends anything to a path below `/telegraph`. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** The token of a new account. */
  account(shortName?: string): Promise<string>;
  /** What a reader sees at a page's path. */
  read(path: string): Promise<string>;
  fault(fault: object, match?: object): Promise<void>;
  close(): Promise<void>;
}

export const hello = [{ tag: "p", children: ["Привет"] }];

export async function startTelegraph(settings: Partial<TwinsSettings> = {}): Promise<TestTelegraph> {
  const twins = await startTestTwins(settings);
  const send = (path: string, init?: RequestInit) => fetch(`${twins.url}/telegraph/${path}`, init);
  async function call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Answered> {
    const fields = Object.entries(params).map(([name, value]) => [name, inForm(value)]);
    const response = await send(method, {
      method: "POST",
      body: new URLSearchParams(Object.fromEntries(fields)),
    });
    return JSON.parse(await response.text());
  }
  return {
    twins,
    call,
    send,
    async account(shortName = "Магазин") {
      return (await call("createAccount", { short_name: shortName })).result.access_token;
    },
    read: async (path) => (await send(encodeURIComponent(path))).text(),
    async fault(fault, match = {}) {
      await twins.control("POST", "/faults", { provider: "telegraph", fault, times: 1, ...match });
    },
    close: () => twins.close(),
  };
}

function inForm(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
