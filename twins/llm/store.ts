import type { MessageView, StateStore } from "../shared/index.ts";
import type { Brand } from "./brand.ts";

/** An API key of the provider: its remaining credit, and its rate. */
export interface Key {
  readonly key: string;
  label: string;
  /** Dollars; absent means unlimited. */
  credits?: number;
  usage: number;
  /** Requests a minute; absent means unlimited. */
  rpm?: number;
}

/** A question and its answer as the twins' page shows them. */
export interface Exchange {
  readonly model: string;
  readonly messages: readonly MessageView[];
}

/** What the model answers next when it is asked for this task. */
export interface GivenAnswer {
  readonly task: string;
  readonly text: string;
  /** How often; every time if absent. */
  times?: number;
}

interface Saved {
  keys: Key[];
  exchanges: Exchange[];
}

const remembered = 200;

export interface Store {
  keyOf(key: string): Key | undefined;
  putKey(key: Key): void;
  removeKey(key: string): boolean;
  spend(key: Key, usd: number): void;
  /** Whether the same prefix came within the provider's cache time of ten minutes. */
  seenBefore(prefix: string, now: number): boolean;
  /** Answers that were given from outside, the first one next. */
  answers(): readonly GivenAnswer[];
  giveAnswer(answer: GivenAnswer): void;
  forgetAnswers(): void;
  /** Uses up a given answer to the task; undefined if there is none. */
  nextAnswer(task: string): string | undefined;
  exchanges(): readonly Exchange[];
  add(exchange: Exchange): void;
  reset(): void;
}

const cacheMs = 10 * 60_000;

export function createStore(state: StateStore, brand: Brand): Store {
  const fresh = (): Saved => ({ keys: [{ key: brand.demoKey, label: "demo", usage: 0 }], exchanges: [] });
  let saved = state.load<Saved>(brand.name) ?? fresh();
  const prefixes = new Map<string, number>();
  let answers: GivenAnswer[] = [];
  const changed = () => state.changed(brand.name, () => saved);

  return {
    keyOf: (key) => saved.keys.find((each) => each.key === key),
    putKey(key) {
      saved.keys = [...saved.keys.filter((each) => each.key !== key.key), key];
      changed();
    },
    removeKey(key) {
      const before = saved.keys.length;
      saved.keys = saved.keys.filter((each) => each.key !== key);
      changed();
      return saved.keys.length < before;
    },
    spend(key, usd) {
      key.usage += usd;
      if (key.credits !== undefined) key.credits -= usd;
      changed();
    },
    seenBefore(prefix, now) {
      const last = prefixes.get(prefix);
      for (const [old, at] of prefixes) if (now - at > cacheMs) prefixes.delete(old);
      prefixes.set(prefix, now);
      return last !== undefined && now - last <= cacheMs;
    },
    answers: () => answers,
    giveAnswer: (answer) => void answers.push(answer),
    forgetAnswers() {
      answers = [];
    },
    nextAnswer(task) {
      const given = answers.find((each) => each.task === task);
      if (given?.times !== undefined) given.times -= 1;
      answers = answers.filter(({ times }) => times !== 0);
      return given?.text;
    },
    exchanges: () => saved.exchanges,
    add(exchange) {
      saved.exchanges = [...saved.exchanges, exchange].slice(-remembered);
      changed();
    },
    reset() {
      saved = fresh();
      prefixes.clear();
      answers = [];
      changed();
    },
  };
}
