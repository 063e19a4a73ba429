import type { z } from "zod";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { SourceDeps } from "./deps.ts";
import type { Sourced } from "./result.ts";

export interface Memory<T> {
  /** The document's names: `serper`, `competitor`, `branding`, `map`, … */
  readonly kind: string;
  /** What the answer depends on. */
  readonly of: unknown;
  readonly ttlMs: number;
  /** Reads what was stored; what an older release stored in another form is asked for again. */
  readonly shape: z.ZodType<{ readonly value: T; readonly callId: string }>;
  /** Asks even if an answer is stored, and stores the new one. */
  readonly fresh?: boolean | undefined;
}

export interface Remembering {
  /**
   * The stored answer, or a new one that is stored. Callers that ask for the same at once share one call; the first one
   * pays for it.
   */
  remembered<T>(memory: Memory<T>, work: () => Promise<Sourced<T>>): Promise<Sourced<T>>;
  /** The stored answer, if there is one; nothing is asked. */
  recalled<T>(memory: Memory<T>): Promise<T | undefined>;
  /** Stores what was found otherwise, such as by a model. */
  keep<T>(memory: Memory<T>, found: { readonly value: T; readonly callId: string }): Promise<void>;
}

export function createRemembering({ keyValue, log }: Pick<SourceDeps, "keyValue" | "log">): Remembering {
  const running = new Map<string, Promise<Sourced<unknown>>>();

  async function known<T>(key: string, { shape }: Memory<T>): Promise<Sourced<T> | undefined> {
    const stored = await keyValue.get(key);
    if (stored === undefined) return undefined;
    const read = shape.safeParse(parsed(stored));
    if (!read.success) return undefined;
    return { ok: true, ...read.data, costUsd: 0, cached: true };
  }

  async function asked<T>(
    key: string,
    memory: Memory<T>,
    work: () => Promise<Sourced<T>>,
  ): Promise<Sourced<T>> {
    const stored = memory.fresh ? undefined : await quietly(() => known(key, memory));
    if (stored) return stored;
    const answer = await work();
    if (answer.ok) await store(key, memory, answer);
    return answer;
  }

  async function store<T>(
    key: string,
    { ttlMs }: Memory<T>,
    { value, callId }: { readonly value: T; readonly callId: string },
  ): Promise<void> {
    await quietly(() => keyValue.set(key, JSON.stringify({ value, callId }), { ttlMs }));
  }

  /** A cache that is down costs a call, not the work. */
  async function quietly<R>(work: () => Promise<R>): Promise<R | undefined> {
    try {
      return await work();
    } catch (error) {
      log.warn({ error }, "the cache of facts could not be used");
      return undefined;
    }
  }

  return {
    async remembered<T>(memory: Memory<T>, work: () => Promise<Sourced<T>>) {
      const key = keyOf(memory);
      const other = running.get(key) as Promise<Sourced<T>> | undefined;
      if (other) {
        const answer = await other;
        return answer.ok ? { ...answer, costUsd: 0, cached: true } : answer;
      }
      const own = asked(key, memory, work);
      running.set(key, own);
      try {
        return await own;
      } finally {
        running.delete(key);
      }
    },
    async recalled(memory) {
      const found = await quietly(() => known(keyOf(memory), memory));
      return found?.ok ? found.value : undefined;
    },
    keep: (memory, found) => store(keyOf(memory), memory, found),
  };
}

const keyOf = ({ kind, of }: Pick<Memory<unknown>, "kind" | "of">) =>
  `seo:${kind}:${sha256Hex(JSON.stringify(of))}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
