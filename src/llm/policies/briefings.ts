import type { Sql } from "../../kernel/db/index.ts";
import type { Ask } from "../ask.ts";
import type { Briefing } from "./briefing.ts";

/**
 * Caches briefings of policies and prompts. An outdated one is noticed when the price of a call is reserved, so a change
 * applies from the next call on, and most calls need no extra query.
 */
export interface Briefings {
  of(ask: Whose): Promise<Briefing>;
  /** Without the cache, for callers that reserve nothing. */
  fresh(ask: Whose): Promise<Briefing>;
  forget(ask: Whose): void;
}

type Whose = Pick<Ask, "workspaceId" | "policy"> & { readonly prompt: { readonly name: string } };

const most = 500;

export function createBriefings(sql: Sql): Briefings {
  const remembered = new Map<string, Briefing>();
  const keyOf = ({ workspaceId, policy, prompt }: Whose) => `${workspaceId} ${policy} ${prompt.name}`;

  async function fresh({ workspaceId, policy, prompt }: Whose): Promise<Briefing> {
    const [{ briefing }] = await sql<[{ briefing: Briefing }]>`
      select llm.briefing(${workspaceId}, ${policy}, ${prompt.name}) as briefing`;
    return briefing;
  }

  return {
    fresh,
    async of(ask) {
      const key = keyOf(ask);
      const known = remembered.get(key);
      if (known) return known;
      const briefing = await fresh(ask);
      if (remembered.size >= most) remembered.clear();
      // For others no price is reserved, so nobody would notice that they are outdated.
      if (briefing.policy?.enabled && briefing.prompt) remembered.set(key, briefing);
      return briefing;
    },
    forget: (ask) => void remembered.delete(keyOf(ask)),
  };
}
