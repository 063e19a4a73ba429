import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../../../tests/support/browser.ts";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({ sql: database.sql });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

it("shows the API in a browser without breaking its own security policy", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${server.url()}/docs`);
    await page.getByText("/api/v1/session/password").waitFor();
    await page.getByText("Sign in by password or by a one-time link").click();
    await page.getByRole("button", { name: "Try it out" }).waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});
