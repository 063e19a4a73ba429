/** Which scripts may be played at the same time. */
import { struckFor } from "./faults.ts";
import { readScript } from "./script.ts";

/** What shows that a script asks a provider whose faults strike everybody. */
const signs: Readonly<Record<string, RegExp>> = {
  dataforseo: /Подобрать автоматически|\[Да, генерировать\]|присылает: файл \S+\.txt/,
  yandex: /Подобрать автоматически|\[Да, генерировать\]|присылает: файл \S+\.txt/,
  telegraph: /\[Создать статью\]|Публикация статьи/,
  vk: /vk1\.a\./,
  pinterest: /Pinterest/,
};

export interface Claim {
  /** Providers that fail meanwhile. */
  readonly strikes: readonly string[];
  /** Providers that have to work. */
  readonly needs: readonly string[];
}

export function claimOf(text: string): Claim {
  const struck = readScript(text).flatMap(({ step }) => (step.kind === "fault" ? struckFor(step.what) : []));
  const strikes = [...new Set(struck.filter((provider) => provider !== undefined))];
  const unknown = strikes.filter((provider) => !(provider in signs));
  if (unknown.length > 0)
    throw new Error(`add signs of who asks ${unknown.join(", ")} to tests/dialogs/turns.ts`);
  const needs = Object.keys(signs).filter((name) => signs[name]?.test(text) && !strikes.includes(name));
  return { strikes, needs };
}

/** Strikers begin, and those that have to wait for them come last. */
export function inOrder<Script extends { readonly claim: Claim }>(scripts: readonly Script[]): Script[] {
  const struck = new Set(scripts.flatMap(({ claim }) => claim.strikes));
  const placeOf = ({ claim: { strikes, needs } }: Script) =>
    strikes.length > 0 ? 0 : needs.some((name) => struck.has(name)) ? 2 : 1;
  return scripts.toSorted((one, other) => placeOf(one) - placeOf(other));
}

export type InTurn = <T>(claim: Claim, work: () => Promise<T>) => Promise<T>;

/** Whoever strikes a provider has it alone; the others share it. */
export function createTurns(): InTurn {
  const struck = new Set<string>();
  const asked = new Map<string, number>();
  let waiting: (() => void)[] = [];
  const count = (names: readonly string[], by: number) => {
    for (const name of names) asked.set(name, (asked.get(name) ?? 0) + by);
  };
  const isFree = ({ strikes, needs }: Claim) =>
    ![...strikes, ...needs].some((name) => struck.has(name)) &&
    !strikes.some((name) => (asked.get(name) ?? 0) > 0);
  return async (claim, work) => {
    while (!isFree(claim)) await new Promise<void>((resolve) => waiting.push(resolve));
    for (const name of claim.strikes) struck.add(name);
    count(claim.needs, 1);
    try {
      return await work();
    } finally {
      for (const name of claim.strikes) struck.delete(name);
      count(claim.needs, -1);
      const told = waiting;
      waiting = [];
      for (const tell of told) tell();
    }
  };
}
