import { randomUUID } from "node:crypto";
import type { Clock } from "../clock/index.ts";
import { messageOf } from "../errors/index.ts";
import type { HttpResult, OwnedHttpClient } from "../outbound/index.ts";
import { askedPause } from "./asked-pause.ts";
import type { Dsn } from "./dsn.ts";
import { type Client, envelopeOf, posted } from "./envelope.ts";
import { eventOf, type Facts, type SentryEvent, sameness } from "./event.ts";
import { limits } from "./limits.ts";
import { createRepeats } from "./repeats.ts";

/** Sends errors of the log to Sentry in the background. */
export interface Reports {
  /** Takes a line of the log. Never throws and never waits. */
  take(line: string): void;
  /** Sends what waits, for two seconds at most. */
  flush(): Promise<void>;
  /** Flushes and takes no more. */
  stop(): Promise<void>;
}

export interface ReportsSettings {
  readonly dsn: Dsn;
  readonly client: Client;
  readonly facts: Facts;
  readonly http: OwnedHttpClient;
  readonly clock: Clock;
  /** Tells the log of trouble with Sentry, once until it works again. Must not lead to a report. */
  warn(facts: object, text: string): void;
  /** After a request without an answer. */
  readonly pauseMs?: { readonly first: number; readonly longest: number };
}

interface Waiting {
  readonly event: SentryEvent;
  readonly error: string;
  /** Equal errors before this one that were not sent. */
  readonly missed: number;
  attempts: number;
}

type Sent = "taken" | "refused" | "unanswered";

/**
 * One event is sent at a time:
 *   taken       the next one follows
 *   refused     dropped, as Sentry asks; while it wants no errors (429), new ones are only counted
 *   unanswered  tried again after a pause, three times; meanwhile at most a hundred wait
 */
export function createReports(settings: ReportsSettings): Reports {
  const { dsn, client, facts, http, clock, warn, pauseMs = limits.pauseMs } = settings;
  const repeats = createRepeats();
  const leaving = new AbortController();
  const waiting: Waiting[] = [];
  let sending: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let nextPauseMs = pauseMs.first;
  let limitedUntil = 0;
  let isTroubled = false;

  const now = () => clock.now().getTime();

  function take(line: string): void {
    if (leaving.signal.aborted) return;
    try {
      const event = eventOf(line, facts, () => randomUUID().replaceAll("-", ""));
      if (event) enqueue(event);
    } catch (error) {
      // Whoever logged the error must not get another one for it.
      troubled(messageOf(error));
    }
  }

  function enqueue(event: SentryEvent): void {
    const error = sameness(event);
    const missed = repeats.admit(error, now(), now() >= limitedUntil && waiting.length < limits.queue);
    if (missed === undefined) return;
    waiting.push({ event, error, missed, attempts: 0 });
    if (!retry) sendAll();
  }

  function sendAll(): void {
    sending ??= drain()
      // A bug here must neither end the process that it reports of, nor come again with the same event.
      .catch((error: unknown) => {
        waiting.shift();
        troubled(messageOf(error));
      })
      .finally(() => {
        sending = undefined;
        if (waiting.length > 0 && !retry && !leaving.signal.aborted) sendAll();
      });
  }

  async function drain(): Promise<void> {
    // Not within the line that is being logged.
    await Promise.resolve();
    for (let first = waiting[0]; first && !leaving.signal.aborted; first = waiting[0]) {
      first.attempts += 1;
      const sent = await send(first);
      if (sent !== "unanswered" || first.attempts >= limits.attempts) waiting.shift();
      if (sent !== "taken" && waiting[0] !== first) forget(first);
      if (now() < limitedUntil) waiting.splice(0).forEach(forget);
      if (sent === "unanswered") return tryLater();
      nextPauseMs = pauseMs.first;
    }
  }

  async function send({ event, missed }: Waiting): Promise<Sent> {
    const counted = missed > 0 ? { ...event, extra: { equal_errors_not_sent: missed } } : event;
    const { signal } = leaving;
    const result = await http.request({
      ...posted(dsn, client, envelopeOf(counted, clock.now())),
      ...{ timeoutMs: limits.requestMs, maxBytes: limits.answerBytes, signal },
    });
    return judge(result);
  }

  function forget({ error, missed }: Waiting): void {
    repeats.missed(error, missed + 1);
  }

  function judge(result: HttpResult): Sent {
    if (result.kind === "failure") {
      troubled(result.message);
      return "unanswered";
    }
    const pause = askedPause(result, now());
    if (pause !== undefined) limitedUntil = now() + pause;
    if (result.status < 300) {
      isTroubled = false;
      return "taken";
    }
    troubled(`it answers with ${result.status}`);
    return result.status >= 500 ? "unanswered" : "refused";
  }

  function tryLater(): void {
    if (waiting.length === 0 || leaving.signal.aborted) return;
    retry = setTimeout(() => {
      retry = undefined;
      sendAll();
    }, nextPauseMs).unref();
    nextPauseMs = Math.min(2 * nextPauseMs, pauseMs.longest);
  }

  function troubled(reason: string): void {
    if (isTroubled) return;
    isTroubled = true;
    warn({ sentry: dsn.host, reason }, "errors are not reported to Sentry for now; they are in this log");
  }

  async function flush(): Promise<void> {
    clearTimeout(retry);
    retry = undefined;
    sendAll();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limits.flushMs);
    });
    await Promise.race([sending, late]);
    clearTimeout(timer);
  }

  return {
    take,
    flush,
    async stop() {
      await flush();
      clearTimeout(retry);
      leaving.abort();
      await sending;
      await http.close();
    },
  };
}

/** For a process that reports nothing. */
export const silentReports: Reports = { take: () => {}, flush: async () => {}, stop: async () => {} };
