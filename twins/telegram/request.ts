import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { badRequest, entityTooLarge } from "./api-error.ts";
import { limits } from "./limits.ts";
import { type Params, paramsOf, type Upload } from "./params.ts";

const jsonBodyBytes = 4 * 1024 * 1024;

/** Makes the scope accept the body types that the provider accepts, without parsing them yet. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, {
    limits: { fileSize: limits.upload.other, fieldSize: jsonBodyBytes, files: 25, fields: 200 },
    throwFileSizeLimit: false,
  });
  app.addContentTypeParser(
    ["application/json", "application/x-www-form-urlencoded"],
    { parseAs: "string", bodyLimit: jsonBodyBytes },
    (_request, body, done) => done(null, body),
  );
  // A body of any other type is ignored; the query may still have the fields.
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    payload.on("end", () => done(null, ""));
    payload.on("error", done);
  });
}

/** The call's fields from its query and its body, in any form. */
export async function readParams(request: FastifyRequest): Promise<Params> {
  const values: Record<string, unknown> = { ...asRecord(request.query) };
  const uploads = new Map<string, Upload>();
  const type = request.headers["content-type"] ?? "";
  if (request.isMultipart()) {
    await readParts(request, values, uploads);
  } else if (typeof request.body === "string" && request.body !== "") {
    const body = type.startsWith("application/json")
      ? parseJson(request.body)
      : Object.fromEntries(new URLSearchParams(request.body));
    Object.assign(values, body);
  }
  return paramsOf(values, uploads);
}

async function readParts(
  request: FastifyRequest,
  values: Record<string, unknown>,
  uploads: Map<string, Upload>,
): Promise<void> {
  for await (const part of request.parts()) {
    if (part.type === "field") {
      values[part.fieldname] = part.value;
      continue;
    }
    const bytes = await part.toBuffer();
    if (part.file.truncated) throw entityTooLarge();
    uploads.set(part.fieldname, { bytes, fileName: part.filename, contentType: part.mimetype });
  }
}

function parseJson(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw badRequest("can't parse JSON object");
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
