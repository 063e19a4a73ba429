/** Common kinds of text input. Each returns the value, or a refusal in the person's language. */

import { parsedUrl } from "../../kernel/url/index.ts";
import type { Both, Input, Language, StepContext, StepResult, Targets } from "./flow.ts";

export type Read<Value> = (
  typed: string,
  language: Language,
) => { readonly value: Value } | { readonly refuse: string };

/** Combines a parser with a handler of the parsed value. */
export function reading<Data, State extends string, Services, Value>(
  read: Read<Value>,
  to: Targets<State>,
  then: (
    value: Value,
    turn: StepContext<Data, Services>,
  ) => StepResult<Data, State> | Promise<StepResult<Data, State>>,
): Input<Data, State, Services, string> {
  return {
    to,
    async take(turn, typed) {
      const seen = read(typed, turn.language);
      return "refuse" in seen ? seen : then(seen.value, turn);
    },
  };
}

export function text({ min, max, refusal }: { min: number; max: number; refusal: Both }): Read<string> {
  return (typed, language) => {
    const value = typed.trim();
    return value.length >= min && value.length <= max ? { value } : { refuse: refusal[language] };
  };
}

/** `6`, `6 кг`, `6,2`, `около 6`: the only number in the text. */
export function amount({ min, max, refusal }: { min: number; max: number; refusal: Both }): Read<number> {
  return (typed, language) => {
    const found = typed.match(/\d+(?:[.,]\d+)?/g) ?? [];
    const value = Number((found[0] ?? "").replace(",", "."));
    const fits = found.length === 1 && !/[-−]\s*\d/.test(typed) && value >= min && value <= max;
    return fits ? { value } : { refuse: refusal[language] };
  };
}

export function webAddress({ refusal }: { refusal: Both }): Read<string> {
  return (typed, language) => {
    const url = parsedUrl(typed.trim());
    const fits = url && ["http:", "https:"].includes(url.protocol) && url.href.length <= 2_000;
    return fits ? { value: url.href } : { refuse: refusal[language] };
  };
}
