import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { readInput } from "../shared/index.ts";
import type { Provider } from "./store.ts";

const clientBody = z.strictObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  redirect_uris: z.array(z.url()).min(1),
  name: z.string().min(1).default("Molva"),
});
const accountBody = z.strictObject({
  sub: z.string().min(1).max(255),
  name: z.string().min(1),
  email: z.email().nullable().default(null),
  email_verified: z.boolean().default(true),
});
const optionsBody = z.strictObject({ claims_in: z.enum(["id_token", "userinfo"]) });

/** Actions of people and tests, below `/_control/oidc`. A repeated call updates the named object. */
export async function controlRoutes(app: FastifyInstance, provider: Provider): Promise<void> {
  const { world } = provider;
  app.post("/_control/oidc/clients", async (request) => {
    const body = readInput(clientBody, request.body);
    world.clients = [...world.clients.filter(({ client_id }) => client_id !== body.client_id), body];
    provider.changed();
    return body;
  });
  app.post("/_control/oidc/accounts", async (request) => {
    const body = readInput(accountBody, request.body);
    world.accounts = [...world.accounts.filter(({ sub }) => sub !== body.sub), body];
    provider.changed();
    return body;
  });
  app.get("/_control/oidc/accounts", async () => ({ accounts: world.accounts }));
  app.patch("/_control/oidc/options", async (request) => {
    world.claimsIn = readInput(optionsBody, request.body).claims_in;
    provider.changed();
    return { claims_in: world.claimsIn };
  });
}
