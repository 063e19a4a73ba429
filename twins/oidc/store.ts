import { randomBytes } from "node:crypto";
import type { TwinContext } from "../shared/index.ts";
import type { Account, Client, World } from "./model.ts";
import { createSigner, type Signer } from "./signer.ts";

export interface Provider {
  readonly context: TwinContext;
  readonly world: World;
  readonly signer: Signer;
  issuer(): string;
  changed(): void;
  newKey(): string;
  client(id: string | undefined): Client | undefined;
  account(sub: string | undefined): Account | undefined;
  reset(): void;
}

const name = "oidc";

export function createProvider(context: TwinContext): Provider {
  const world = context.state.load<World>(name) ?? emptyWorld();
  const changed = () => context.state.changed(name, () => world);
  return {
    context,
    world,
    signer: createSigner(),
    issuer: () => `${context.options.baseUrl}/oidc`,
    changed,
    newKey: () => randomBytes(24).toString("base64url"),
    client: (id) => world.clients.find(({ client_id }) => client_id === id),
    account: (sub) => world.accounts.find((account) => account.sub === sub),
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

function emptyWorld(): World {
  return { clients: [], accounts: [], codes: [], tokens: [], claimsIn: "id_token" };
}
