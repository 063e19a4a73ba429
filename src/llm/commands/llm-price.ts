import type { Command } from "commander";
import {
  byOf,
  type Common,
  changing,
  checked,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  type Terminal,
  table,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { newPrice, type PriceView } from "../policies/policy-shape.ts";
import { listPrices, setPrice } from "../policies/prices.ts";
import { withGateway } from "./with-gateway.ts";

/** `molva llm price list|set`. */
export function addLlmPrice(parent: Command, terminal: Terminal): void {
  const command = parent.command("price").description("what models cost, in dollars per million tokens");

  paging(reading(command, "list", "prices by model")).action(async (options: Paged) => {
    const page = await withGateway(terminal, options, async ({ sql }, workspaceId) =>
      pageOfAll(await listPrices(sql, workspaceId), options),
    );
    printPage(terminal, options, page, priceTable);
  });

  changing(command, "set", "set the price of a model")
    .argument("<provider>", "openrouter, openai or compatible")
    .argument("<model>", "as the provider names it")
    .argument("<in>", "dollars per million tokens of the question")
    .argument("<out>", "dollars per million tokens of the answer")
    .argument("[picture]", "dollars per picture, for models that draw")
    .action(async (provider, model, prompt, completion, picture, options: Common) => {
      const price = checked(newPrice, {
        ...{ provider, model, prompt_usd: Number(prompt), completion_usd: Number(completion) },
        ...(picture !== undefined && { image_usd: Number(picture) }),
      });
      const set = await withGateway(terminal, options, (deps, workspaceId) =>
        setPrice(deps, workspaceId, price, byOf(options)),
      );
      print(
        terminal,
        options,
        set,
        () =>
          `${set.provider} ${set.model}: $${set.prompt_usd} in, $${set.completion_usd} out${set.image_usd === null ? "" : `, $${set.image_usd} a picture`}.`,
      );
    });
}

const priceTable = table<PriceView>("No prices.", {
  provider: ({ provider }) => provider,
  model: ({ model }) => model,
  in: ({ prompt_usd }) => String(prompt_usd),
  out: ({ completion_usd }) => String(completion_usd),
  picture: ({ image_usd }) => (image_usd === null ? "" : String(image_usd)),
});
