import { z } from "zod";
import type {
  AccountConsent,
  Credential,
  Granted,
  RefreshContext,
  Refreshed,
  SendError,
} from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import { withoutDoubt } from "./classify.ts";
import { answerTo, type PinterestSettings, type Reply } from "./client.ts";
import { scopes } from "./credential.ts";

const tokensShape = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  refresh_token_expires_in: ifReadable(z.number().positive()),
  scope: ifReadable(z.string()),
});

const missingApp =
  "Set PINTEREST_APP_ID and PINTEREST_APP_SECRET of your Pinterest app, then start the server again.";

/** Consent on Pinterest's page. The redirect address must match the registered one exactly. */
export function consentOf(settings: PinterestSettings): AccountConsent {
  const { app, webRoot } = settings;
  return {
    ...(!app && { missing: missingApp }),
    pageFor({ state, redirectUri }) {
      const query = new URLSearchParams({
        client_id: app?.id ?? "",
        redirect_uri: redirectUri,
        response_type: "code",
        scope: scopes.join(","),
        state,
      });
      return `${webRoot}/oauth/?${query}`;
    },
    async exchange({ code, redirectUri }, context): Promise<Granted> {
      const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
      const read = await tokensFor(form, settings, context);
      if ("error" in read) return { kind: "failed", error: read.error };
      // Without a refresh token the account would stop working in a month.
      return read.fields.refresh_token === undefined
        ? { kind: "failed", error: refused("Pinterest gave no refresh token") }
        : { kind: "granted", credential: read.fields };
    },
  };
}

/** Exchanges tokens. Pinterest may return a new refresh token; the old one is invalid then. */
export async function refresh(
  credential: Credential,
  context: RefreshContext,
  settings: PinterestSettings,
): Promise<Refreshed> {
  const form = { grant_type: "refresh_token", refresh_token: credential.refresh_token ?? "" };
  const read = await tokensFor(form, settings, context);
  return "error" in read
    ? { kind: "failed", error: read.error }
    : { kind: "refreshed", credential: read.fields };
}

async function tokensFor(
  form: Readonly<Record<string, string>>,
  settings: PinterestSettings,
  context: RefreshContext,
): Promise<{ readonly fields: Credential } | { readonly error: SendError }> {
  const { app, apiRoot, requestTimeoutMs = 30_000 } = settings;
  // Setting the variables fixes this: no account has to be connected again.
  if (!app)
    return {
      error: { category: "TRANSIENT", scope: "platform", code: "app_not_configured", message: missingApp },
    };
  const reply = await answerTo(
    {
      method: "POST",
      url: `${apiRoot}/v5/oauth/token`,
      headers: {
        authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(form).toString(),
      timeoutMs: requestTimeoutMs,
    },
    tokensShape,
    context,
  );
  if (reply.kind !== "ok") return { error: meaningOf(reply) };
  const { access_token, refresh_token, expires_in, refresh_token_expires_in, scope } = reply.result;
  const at = (seconds: number) => new Date(context.clock.now().getTime() + seconds * 1000).toISOString();
  return {
    fields: {
      access_token,
      ...(refresh_token !== undefined && { refresh_token }),
      expires_at: at(expires_in),
      ...(refresh_token_expires_in !== undefined && { refresh_expires_at: at(refresh_token_expires_in) }),
      ...(scope !== undefined && { scope }),
    },
  };
}

/** A refusal here is permanent: the code or the refresh token was used, has expired, or belongs to another app. */
function meaningOf(reply: Exclude<Reply<unknown>, { kind: "ok" }>): SendError {
  const error = withoutDoubt(reply.error);
  return error.category === "TRANSIENT" ? error : { ...error, scope: "channel", code: "unauthorized" };
}

const refused = (message: string): SendError => ({
  category: "PERMANENT",
  scope: "channel",
  code: "unauthorized",
  message,
});
