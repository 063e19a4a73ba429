import { z } from "zod";
import { reason, somethingOf } from "../../workspaces/index.ts";
import { projectFields } from "./project-fields.ts";

const f = projectFields;

export const projectSchema = z
  .object({
    id: z.int(),
    user_id: z.int(),
    name: z.string(),
    company_name: z.string(),
    specialization: z.string(),
    website_url: z.string().nullable(),
    company_city: z.string().nullable(),
    company_address: z.string().nullable(),
    company_phone: z.string().nullable(),
    company_email: z.string().nullable(),
    company_instagram: z.string().nullable(),
    company_vk: z.string().nullable(),
    company_pinterest: z.string().nullable(),
    company_telegram: z.string().nullable(),
    experience: z.string().nullable(),
    advantages: z.string().nullable(),
    description: z.string().nullable(),
    timezone: z.string(),
    created_at: z.date(),
    filled: z.int().describe("How many of the 15 fields have a value"),
    categories: z.int(),
    connections: z.int(),
    publications: z.int().describe("How many succeeded"),
  })
  .meta({ id: "SeoProject" });
export type Project = z.infer<typeof projectSchema>;

const timezone = z
  .string()
  .max(50)
  .describe("Of its schedules: an IANA name, such as `Europe/Moscow`, which it is unless given");

/** Null clears a field. */
const card = {
  website_url: f.website_url.schema.nullable().describe("The site's address"),
  company_city: f.company_city.schema.nullable().describe("The city"),
  company_address: f.company_address.schema.nullable().describe("The address"),
  company_phone: f.company_phone.schema.nullable().describe("The phone: 5 to 15 digits"),
  company_email: f.company_email.schema.nullable().describe("The e-mail address"),
  company_instagram: f.company_instagram.schema.nullable().describe("The Instagram account"),
  company_vk: f.company_vk.schema.nullable().describe("The VK community"),
  company_pinterest: f.company_pinterest.schema.nullable().describe("The Pinterest account"),
  company_telegram: f.company_telegram.schema.nullable().describe("The Telegram channel"),
  experience: f.experience.schema.nullable().describe("Experience, 2 to 500 characters"),
  advantages: f.advantages.schema.nullable().describe("Advantages, 2 to 500 characters"),
  description: f.description.schema.nullable().describe("Anything else to know, 2 to 500 characters"),
  timezone,
};

const named = {
  name: f.name.schema.describe("2 to 100 characters"),
  company_name: f.company_name.schema.describe("The company's name, 2 to 200 characters"),
  specialization: f.specialization.schema.describe("What the company does, 5 to 500 characters"),
};

export const newProject = z
  .strictObject(card)
  .partial()
  .extend({ ...named, reason: reason.optional() });
export type NewProject = Omit<z.infer<typeof newProject>, "reason">;

export const projectChanges = somethingOf(
  z
    .strictObject({ ...named, ...card })
    .partial()
    .extend({ reason: reason.optional() }),
);
export type ProjectChanges = Omit<z.infer<typeof projectChanges>, "reason">;

export const consequencesSchema = z
  .object({
    categories: z.int(),
    phrases: z.int(),
    connections: z.int(),
    schedules: z.int().describe("Switched on; they are cancelled first"),
    drafts: z.int().describe("Previews that wait for a decision; they are cancelled first"),
    tokens_returned: z.int().describe("What was charged for these drafts and goes back"),
    publications: z
      .int()
      .describe("Publications whose history goes with a project; with a category it stays"),
  })
  .meta({ id: "SeoConsequences" });
export type Consequences = z.infer<typeof consequencesSchema>;
