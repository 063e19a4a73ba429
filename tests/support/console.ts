/** An operator at the console, in a real browser. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import {
  addMember,
  addOperator,
  createSignInLink,
  findOperator,
  type Role,
  signInUrl,
} from "../../src/http/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import type { RunningSystem } from "./running-system.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface OpenOptions {
  /** An administrator of the installation unless given. */
  readonly role?: Role;
  readonly width?: number;
  readonly locale?: string;
  readonly dark?: boolean;
  /** Of the browser; Moscow's unless given. */
  readonly zone?: string;
}

/** Signs a new operator in and opens a path of the console. A bug in the page fails the test. */
export async function openConsole(
  browser: Browser,
  { system, database }: RunningSystem,
  path: string,
  { role, width = 1280, locale = "ru-RU", dark = false, zone = "Europe/Moscow" }: OpenOptions = {},
): Promise<Page> {
  const login = `${role ?? "administrator"}-${crypto.randomUUID().slice(0, 8)}@example.org`;
  await addOperator(database.sql, { login, name: "Анна", clock });
  if (role) await giveRole(database.sql, login, role);
  else await database.sql`update molva.operators set administrator = true where login = ${login}`;
  const context = await browser.newContext({
    ...{ locale, viewport: { width, height: 900 }, timezoneId: zone },
    ...{ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" },
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => expect.fail(`the page failed: ${error.message}`));
  const link = await createSignInLink(database.sql, login, { clock });
  await page.goto(signInUrl(system.url(), link ?? ""));
  await page.locator(".shell").waitFor();
  if (path !== "/") await page.goto(`${system.url()}${path}`);
  return page;
}

async function giveRole(sql: RunningSystem["database"]["sql"], login: string, role: Role): Promise<void> {
  const operator = await findOperator(sql, login);
  if (!operator) throw new Error(`${login} was not added`);
  await addMember(sql, {
    ...{ workspaceId: demo.workspaceId, operatorId: operator.id, role },
    now: clock.now(),
  });
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds against WCAG A and AA on the page as it is now, a line each. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the page's policy forbids scripts from elsewhere.
  await page.evaluate(axe);
  const found: readonly Violation[] = await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then((result) => result.violations)",
  );
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}
