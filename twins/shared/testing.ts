import { type RunningTwins, startTwins, type TwinsSettings } from "../server.ts";

/** A test clock that stands still until it is moved. */
export interface TestClock {
  now(): number;
  advance(milliseconds: number): void;
}

export function testClock(start = Date.parse("2026-11-15T12:00:00Z")): TestClock {
  let current = start;
  return {
    now: () => current,
    advance: (milliseconds) => {
      current += milliseconds;
    },
  };
}

export interface TestTwins extends RunningTwins {
  /** Calls the control API below `/_control` and returns the parsed answer; throws if it is refused. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Twins in memory on a free port. Rates are off by default. */
export async function startTestTwins(settings: Partial<TwinsSettings> = {}): Promise<TestTwins> {
  const twins = await startTwins({
    port: 0,
    host: "127.0.0.1",
    insecureWebhooks: true,
    rateLimits: false,
    ...settings,
  });

  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${twins.url}/_control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  return { ...twins, control };
}
