import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { stemMorphology } from "../language/index.ts";
import { scoreRoutes } from "./index.ts";

let database: TestDatabase;
let server: TestHttpServer;
let headers: { authorization: string };
let path: string;
beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  const language = async () => ({ morphology: stemMorphology() });
  server = await startTestHttpServer({
    sql,
    modules: [{ name: "seo", routes: (app) => scoreRoutes(app, { sql, language }) }],
  });
  const workspace = await aWorkspace(sql, { name: "Мебель" });
  path = `/api/v1/seo/score?workspace_id=${workspace}`;
  headers = await server.bearer(["read"], workspace);
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

describe("POST /api/v1/seo/score", () => {
  const body = { body: "## Стол\n\nУгловой стол у окна.", phrase: "угловой стол", title: "Угловой стол" };

  it("answers with the score and its explanation, to whoever may read", async () => {
    const answer = await server.call(path, { headers, body: { ...body, adds: { schema: true } } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      ...{ total: expect.any(Number), gate: "block", passed: false, words: 5 },
      breakdown: { seo: expect.any(Number) },
      issues: expect.arrayContaining([expect.objectContaining({ id: "metaDescription", points: 0, max: 4 })]),
    });
    expect((await server.call(path, { body })).status).toBe(401);
  });

  it("refuses what it cannot score, with pointers", async () => {
    const wrong = { ...body, phrase: " ", target_words: { min: 900, max: 100 }, extra: 1 };
    const answer = await server.call(path, { headers, body: wrong });
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toContain("/phrase");
    const tooLong = { ...body, body: "я".repeat(100_001) };
    expect((await server.call(path, { headers, body: tooLong })).status).toBe(400);
  });
});
