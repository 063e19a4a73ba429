import type { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import type { newPrice, PriceView } from "./policy-shape.ts";

export function listPrices(sql: Sql, workspaceId: string): Promise<PriceView[]> {
  return sql<PriceView[]>`
    select provider, model, prompt_usd::float8, completion_usd::float8, image_usd::float8, updated_at from llm.model_prices
    where workspace_id = ${workspaceId} order by provider, model`;
}

export async function setPrice(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  price: z.output<typeof newPrice>,
  by: By,
): Promise<PriceView> {
  const now = clock.now();
  const { provider, model, prompt_usd, completion_usd, image_usd = null } = price;
  return inOneChange(sql, async (tx) => {
    const [row] = await tx<[PriceView]>`
      insert into llm.model_prices (workspace_id, provider, model, prompt_usd, completion_usd, image_usd, updated_at)
      values (${workspaceId}, ${provider}, ${model}, ${prompt_usd}, ${completion_usd}, ${image_usd}, ${now})
      on conflict (workspace_id, provider, model) do update
        set prompt_usd = excluded.prompt_usd, completion_usd = excluded.completion_usd, image_usd = excluded.image_usd,
          updated_at = excluded.updated_at
      returning provider, model, prompt_usd::float8, completion_usd::float8, image_usd::float8, updated_at`;
    await noteChange(tx, { workspaceId, now, by, meta: { object: "llm_price", ...price } });
    return row;
  });
}
