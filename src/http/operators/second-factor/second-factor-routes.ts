/** The own second factor of whoever is signed in. Operators who must have one may call these before they have it. */
import type { FastifyRequest } from "fastify";
import encodeQR from "qr";
import { z } from "zod";
import type { App } from "../../app.ts";
import { requireOperator } from "../../auth/caller.ts";
import { problem } from "../../problems/index.ts";
import { busy, throttled } from "../../routes/sign-in-problems.ts";
import { lineOfText } from "../../validation.ts";
import { passwordLength } from "../password-rules.ts";
import type { PasswordWork } from "../password-work.ts";
import { forgiveAttempt, type Subject, takeAttempt } from "../throttle.ts";
import {
  beginEnrolment,
  confirmEnrolment,
  type FactorDeps,
  type Proof,
  readFactor,
  removeFactor,
  renewRecoveryCodes,
} from "./factors.ts";
import { proveIdentity } from "./prove-identity.ts";
import { uriOf } from "./totp.ts";

export interface SecondFactorDeps extends FactorDeps {
  readonly publicUrl: string;
  readonly passwordWork: PasswordWork;
  readonly requireSecondFactor: boolean;
}

/** Apps show codes in two groups. */
export const codeSchema = z
  .string()
  .transform((text) => text.replaceAll(" ", ""))
  .pipe(z.string().regex(/^\d{6}$/, "Six digits are needed"))
  .describe("Six digits of the authenticator app");
export const recoveryCodeSchema = lineOfText({ min: 16, max: 40 }).describe("One of the recovery codes");

const password = z.string().max(passwordLength.max).optional().describe("Required of who has one");
const withCode = z.union([
  z.strictObject({ password, code: codeSchema }),
  z.strictObject({ password, recovery_code: recoveryCodeSchema }),
]);

const stateSchema = z.object({
  enrolled_at: z.date().nullable(),
  recovery_codes_left: z.int(),
  required: z.boolean().describe("Whether every operator must have one"),
});
const begunSchema = z.object({
  secret: z.string().describe("For apps that read no QR code; base32"),
  uri: z.string().describe("`otpauth://…`, what the QR code holds"),
  qr: z.string().describe("The QR code as SVG"),
});
const codesSchema = z.object({
  recovery_codes: z.array(z.string()).describe("Shown once; each works once"),
});

export function secondFactorRoutes(app: App, deps: SecondFactorDeps): void {
  const under = "/api/v1/session/second-factor";
  const tags = ["session"];
  const config = { scope: "read", about: "caller", beforeSecondFactor: true } as const;

  app.get(
    under,
    { config, schema: { tags, summary: "The own second factor", response: { 200: stateSchema } } },
    async (request) => {
      const { enrolledAt, recoveryCodesLeft } = await readFactor(deps, requireOperator(request).id);
      return {
        enrolled_at: enrolledAt,
        recovery_codes_left: recoveryCodesLeft,
        required: deps.requireSecondFactor,
      };
    },
  );

  app.post(
    under,
    {
      config,
      schema: {
        tags,
        summary: "Begin to set up a second factor; it is asked for after it was confirmed",
        body: z.strictObject({ password }),
        response: { 201: begunSchema },
      },
    },
    async (request, reply) => {
      const { operatorId, login } = await proved(request, request.body.password, undefined);
      const secret = await beginEnrolment(deps, operatorId);
      if (!secret) throw problem("second_factor_on");
      const uri = uriOf(secret, login, deps.publicUrl);
      return reply.code(201).send({ secret, uri, qr: encodeQR(uri, "svg") });
    },
  );

  app.post(
    `${under}/confirm`,
    {
      config,
      schema: {
        tags,
        summary: "Confirm the second factor with a code of it; other sessions end",
        body: z.strictObject({ code: codeSchema }),
        response: { 200: codesSchema },
      },
    },
    async (request) => {
      const caller = requireOperator(request);
      const subjects: Subject[] = [{ kind: "second_factor", value: caller.id }];
      const permission = await takeAttempt(deps.sql, subjects, deps);
      if (permission.kind === "throttled") throw throttled(permission.retryAfterSeconds);
      const confirmation = await confirmEnrolment(
        deps,
        { operatorId: caller.id, address: request.ip },
        { code: request.body.code, keepSession: caller.session.id },
      );
      if (confirmation.kind === "nothing_begun") throw problem("second_factor_not_begun");
      if (confirmation.kind === "wrong_code") throw wrong("code");
      await forgiveAttempt(deps.sql, subjects);
      request.log.info({ operator: caller.login }, "an operator set up a second factor");
      return { recovery_codes: [...confirmation.recoveryCodes] };
    },
  );

  app.post(
    `${under}/recovery-codes`,
    {
      config,
      schema: {
        tags,
        summary: "Make new recovery codes; the old ones stop working",
        body: withCode,
        response: { 200: codesSchema },
      },
    },
    async (request) => {
      const by = await proved(request, request.body.password, await proofIn(request, request.body));
      return { recovery_codes: await renewRecoveryCodes(deps, by) };
    },
  );

  app.post(
    `${under}/remove`,
    {
      config,
      schema: {
        tags,
        summary: "Switch the second factor off",
        body: withCode,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const by = await proved(request, request.body.password, await proofIn(request, request.body));
      await removeFactor(deps, by);
      request.log.info({ operator: by.login }, "an operator switched the second factor off");
      return reply.code(204).send();
    },
  );

  async function proofIn(request: FastifyRequest, body: Proof): Promise<Proof> {
    const { enrolledAt } = await readFactor(deps, requireOperator(request).id);
    if (!enrolledAt) throw problem("second_factor_off");
    return body;
  }

  async function proved(request: FastifyRequest, password: string | undefined, proof: Proof | undefined) {
    const { id: operatorId, login, session } = requireOperator(request);
    const by = { operatorId, login, address: request.ip };
    const result = await proveIdentity(deps, by, { signedInAt: session.signedInAt, password, proof });
    switch (result.kind) {
      case "proved":
        return by;
      case "throttled":
        throw throttled(result.retryAfterSeconds);
      case "busy":
        throw busy(result.retryAfterSeconds);
      case "signin_too_old":
        throw problem("signin_too_old");
      case "refused":
        throw wrong(result.field);
    }
  }
}

function wrong(field: "password" | "code") {
  const detail =
    field === "password"
      ? "The password is wrong."
      : "The code is wrong, or was used already: wait for the next one.";
  return problem("second_factor_refused", { detail, errors: [{ pointer: `/${field}`, detail }] });
}
