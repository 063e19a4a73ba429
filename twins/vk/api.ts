import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, answerCall, type Call as JournaledCall, type StatusFault } from "../shared/index.ts";
import { captchaNeeded } from "./captcha.ts";
import { ApiError, errorNames, refuse } from "./errors.ts";
import { methods } from "./methods/index.ts";
import { type Token, wallName } from "./model.ts";
import { paramsOf } from "./params.ts";
import { checkPace, checkRights, liveToken } from "./token-check.ts";
import type { Vk } from "./twin.ts";

const bodyLimit = 2 * 1024 * 1024;

/** Parameters that appear neither in the journal nor in a refusal's copy of the request. */
const secrets = ["access_token", "captcha_key"];

/** `POST /vk/method/<method>` with a form; a query works too. */
export async function apiRoutes(app: FastifyInstance, vk: Vk): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit }, (_request, body, done) => done(null, body));
  app.route<{ Params: { method: string } }>({
    method: ["GET", "POST"],
    url: "/vk/method/:method",
    handler: (request, reply) => serve(vk, request.params.method, request, reply),
  });
}

function serve(vk: Vk, name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const given = parametersOf(request);
  const secret = given.access_token ?? /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const known = secret === undefined ? undefined : vk.store.token(secret);
  return answerCall(vk.context, reply, {
    call: journaled(vk, name, known, given),
    request: withoutSecrets(given),
    work: async () => answering(name, given, () => run(vk, name, secret, given)),
    refusal: (fault) => scripted(vk, name, secret ?? "", given, fault),
  });
}

function run(vk: Vk, name: string, secret: string | undefined, given: Record<string, string>) {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) throw refuse(3);
  const params = paramsOf(given);
  if (!given.v) throw refuse(8, "v (version) is required");
  if (!/^\d{1,2}\.\d{1,4}$/.test(given.v)) throw refuse(100, "v (version) is invalid");
  const token = liveToken(vk, secret);
  checkPace(vk, token);
  checkRights(vk, name, method, token, params);
  return method.handle(vk, { token, params });
}

/** VK's refusals are answers with status 200; any other exception is a bug of the twin. */
function answering(
  name: string,
  given: Record<string, string>,
  work: () => { response: unknown; created?: readonly string[] },
): Answer {
  try {
    const { response, created } = work();
    return { status: 200, body: { response }, ...(created && { created }) };
  } catch (error) {
    if (error instanceof ApiError) return envelope(name, given, error);
    throw error;
  }
}

function envelope(name: string, given: Record<string, string>, error: ApiError): Answer {
  const asked = { method: name, oauth: "1", ...withoutSecrets(given) };
  const request_params = Object.entries(asked).map(([key, value]) => ({ key, value }));
  return {
    status: 200,
    body: { error: { error_code: error.code, error_msg: error.message, ...error.extra, request_params } },
  };
}

/** The answer of VK's proxy when it fails: a status and a page, no envelope. */
const page = (status: number): Answer => ({
  status,
  body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
  headers: { "content-type": "text/html" },
});

const codeOfStatus: Readonly<Record<number, number>> = { 400: 100, 401: 5, 403: 15, 404: 3, 429: 6 };

/** A script gives VK's own error number with `code`; a 5xx status alone comes from the proxy. */
function scripted(
  vk: Vk,
  name: string,
  secret: string,
  given: Record<string, string>,
  { status, code, description }: StatusFault,
): Answer {
  const number = code ?? codeOfStatus[status];
  if (number === undefined) return page(status);
  if (number === 14) return envelope(name, given, captchaNeeded(vk, secret));
  const redirect = { redirect_uri: `${vk.context.options.baseUrl}/vk/validation` };
  const text = description ?? errorNames[number] ?? "Unknown error occurred";
  return envelope(name, given, new ApiError(number, text, number === 17 ? redirect : {}));
}

function parametersOf(request: FastifyRequest): Record<string, string> {
  const query = Object.entries(typeof request.query === "object" ? { ...request.query } : {});
  const form = typeof request.body === "string" ? [...new URLSearchParams(request.body)] : [];
  return Object.fromEntries(
    [...query, ...form].flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])),
  );
}

/** Scripts and the journal identify a token by the short name or number of its community or person. */
function journaled(
  { store }: Vk,
  name: string,
  token: Token | undefined,
  given: Record<string, string>,
): JournaledCall {
  const holder = token?.groupId === undefined ? store.user(token?.userId ?? 0) : store.group(token.groupId);
  const wall = Number(given.owner_id ?? -Number(given.group_id));
  return {
    provider: "vk",
    method: name,
    ...(holder && { bot: holder.screen_name, botId: String(holder.id) }),
    ...(Number.isSafeInteger(wall) && wall !== 0 && { chat: wallName(wall) }),
  };
}

function withoutSecrets(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !secrets.includes(key)));
}
