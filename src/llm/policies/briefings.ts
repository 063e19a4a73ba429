import type { Sql } from "../../kernel/db/index.ts";
import type { Ask } from "../ask.ts";
import type { Briefing } from "./briefing.ts";

/**
 * What is known of policies and prompts. One that a call could work with is remembered, and found out to be old when the
 * call's price is held: so a change counts from the next call on, and most calls need not read it all again.
 */
export interface Briefings {
  of(ask: Whose): Promise<Briefing>;
  /** As it is now, for whoever holds nothing. */
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
      // With any other no price is held, so nobody would find out that it has changed.
      if (briefing.policy?.enabled && briefing.prompt) remembered.set(key, briefing);
      return briefing;
    },
    forget: (ask) => void remembered.delete(keyOf(ask)),
  };
}
