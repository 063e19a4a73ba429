import type { FastifyInstance } from "fastify";
import { answerCall } from "../shared/index.ts";
import { scripted } from "./errors.ts";
import { knownScopes } from "./model.ts";
import type { Provider } from "./store.ts";

/** What the provider says about itself, and its public keys. */
export async function discoveryRoutes(app: FastifyInstance, provider: Provider): Promise<void> {
  const documents = {
    "/oidc/.well-known/openid-configuration": () => metadata(provider.issuer()),
    "/oidc/jwks": () => provider.signer.jwks(),
  };
  for (const [path, read] of Object.entries(documents)) {
    app.get(path, (_request, reply) =>
      answerCall(provider.context, reply, {
        call: { provider: "oidc", method: `GET ${path.replace("/oidc", "")}` },
        request: {},
        work: async () => ({ status: 200, body: read() }),
        refusal: scripted,
      }),
    );
  }
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: knownScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    claims_supported: ["iss", "sub", "aud", "exp", "iat", "nonce", "name", "email", "email_verified"],
  };
}
