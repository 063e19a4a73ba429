import { z } from "zod";
import type { App } from "../../http/index.ts";
import { aUser } from "../ask/ask-body.ts";
import { beginRequest } from "../ask/begin-request.ts";
import { payloadHash, requestIdOf } from "../ask/request-id.ts";
import type { AdvisorDeps } from "../deps.ts";
import { idInQuery } from "../people/me-routes.ts";
import { findUser, requirePro } from "../people/user.ts";
import { isRecord, petTypes, sexes } from "../subject/pet-profile.ts";
import type { Subject } from "../subject/subject.ts";
import { errorBody } from "../v1/error-response.ts";
import { badRequest, Refusal } from "../v1/refusal.ts";
import { readActivePet, requirePet, wholeProfile } from "./read-pets.ts";
import { savePet } from "./save-pet.ts";

const tags = ["advisor"];
const security = [{ advisorToken: [] }];
const savedAnswer = z.object({ ok: z.literal(true), pet_id: z.string() });
const text = z.string().trim().max(100).nullish();

export function petRoutes(
  app: App,
  { sql, clock, settings, workspaceId }: AdvisorDeps,
  subject: Subject,
): void {
  app.post(
    "/v1/pets/upsert",
    {
      schema: {
        ...{ tags, security },
        summary: "Add a pet, or change the fields that are given",
        body: z.object({
          user: aUser,
          pet: z.object({
            id: z.uuid().nullish(),
            type: z.enum(petTypes).optional(),
            name: text,
            sex: z.enum(sexes).optional(),
            birth_date: z.iso.date().nullish(),
            age_text: text,
            breed: text,
          }),
        }),
        response: { 200: z.object({ pet_id: z.string() }), default: errorBody },
      },
    },
    async (request) => {
      const { user: given, pet } = request.body;
      const [workspace, now] = [await workspaceId(), clock.now()];
      return sql.begin(async (tx) => {
        const user = requirePro(
          await findUser(tx, workspace, given.telegram_user_id),
          "pets",
          subject,
          given.locale,
        );
        const { id, ...fields } = pet;
        const known = id ? await requirePet(tx, workspace, user.id, id) : undefined;
        return {
          pet_id: await savePet(tx, { workspaceId: workspace, userId: user.id, now }, known, fields, subject),
        };
      });
    },
  );

  app.get(
    "/v1/pets/active",
    {
      schema: {
        ...{ tags, security },
        summary: "The default pet for questions: the newest",
        querystring: z.object({ telegram_user_id: idInQuery }),
        response: {
          200: z.object({ ok: z.literal(true), pet: z.looseObject({ id: z.string() }).nullable() }),
          default: errorBody,
        },
      },
    },
    async (request) => {
      const workspace = await workspaceId();
      const found = await findUser(sql, workspace, request.query.telegram_user_id);
      if (!found) return { ok: true as const, pet: null };
      const user = requirePro(found, "pets", subject);
      const pet = await readActivePet(sql, workspace, user.id);
      if (!pet) throw new Refusal("not_found", "no_active_pet", "This user has no pet yet.");
      const { profile: _, ...base } = pet;
      return { ok: true as const, pet: { ...base, profile: wholeProfile(pet) } };
    },
  );

  app.post(
    "/v1/pets/active/save",
    {
      schema: {
        ...{ tags, security },
        summary: "Merge a profile into the active pet; the first save creates the pet",
        body: z.object({
          request_id: z
            .string()
            .max(100)
            .nullish()
            .describe("A UUID; may also come as the header X-Request-Id"),
          user: aUser,
          pet_profile: z.unknown(),
        }),
        response: { 200: savedAnswer, default: errorBody },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const requestId = requestIdOf(request, body.request_id);
      const { pet_profile: profile } = body;
      if (!isRecord(profile)) throw badRequest("invalid_pet_profile", "pet_profile is an object.");
      const [workspace, now] = [await workspaceId(), clock.now()];
      const { telegram_user_id: telegramUserId, locale = null } = body.user;
      const result = await sql.begin(async (tx) => {
        const beginning = await beginRequest(
          tx,
          {
            ...{ workspaceId: workspace, requestId, route: "pets/active/save", telegramUserId, locale },
            ...{ payloadHash: payloadHash(body), petId: null, wants: null, clientMessageId: null },
          },
          settings,
          now,
        );
        if (beginning.kind === "repeated") return { repeated: true, answer: beginning.response };
        if (beginning.kind === "out_of_quota")
          throw new Error("a request that costs nothing was out of quota");
        const { userId, attempt } = beginning.request;
        requirePro(await findUser(tx, workspace, telegramUserId), "pets", subject, locale);
        const known = await readActivePet(tx, workspace, userId);
        const petId = await savePet(tx, { workspaceId: workspace, userId, now }, known, profile, subject);
        const answer = { ok: true as const, pet_id: petId };
        await tx`select advisor.finish_request(${workspace}, ${requestId}, ${attempt}, ${petId}, ${JSON.stringify(answer)}::text::jsonb, ${now})`;
        return { repeated: false, answer };
      });
      if (result.repeated) reply.header("x-dedup-hit", "1");
      return savedAnswer.parse(result.answer);
    },
  );
}
