import { z } from "zod";
import { type App, problem } from "../../http/index.ts";
import { pageOfAll, reason } from "../../workspaces/index.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { consequencesOf, type DeleteDeps } from "../projects/delete.ts";
import { consequencesSchema } from "../projects/shape.ts";
import { addCategory, categoryPage, changeCategory, deleteCategory, readCategory } from "./categories.ts";
import { clusterSchema } from "./clusters.ts";
import { givenClusters } from "./given-clusters.ts";
import { keywordsCsv, keywordsTxt } from "./keyword-export.ts";
import { addClusters, addUploaded, type KeywordsChanged, readClusters, removeKeywords } from "./keywords.ts";
import { readPrices, readReviews, setPrices, setReviews } from "./lists.ts";
import { readPriceLines } from "./price-lines.ts";
import { priceSheetLimits, readPriceSheet } from "./price-sheet.ts";
import {
  categoryChanges,
  categorySchema,
  givenKeywords,
  keywordsChangedSchema,
  newCategory,
  priceSchema,
  removedKeywords,
  reviewSchema,
} from "./shape.ts";

const params = z.object({ ...person, category_id: idText });

export function categoryRoutes(app: App, deps: DeleteDeps): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  const ofProject = z.object({ ...person, project_id: idText });
  routes.list(
    "/projects/:project_id/categories",
    {
      scope: "people",
      summary: "The categories of a project, the newest first; each reading is recorded",
      params: ofProject,
      item: categorySchema,
    },
    async (asked) =>
      categoryPage(sql, await readFor(deps, asked, "categories"), asked.params.project_id, asked.page),
  );
  routes.post(
    "/projects/:project_id/categories",
    {
      ...{ scope: "write", summary: "Add a category", params: ofProject, status: 201 },
      ...{ body: newCategory, answer: categorySchema },
    },
    (asked) => addCategory(deps, whoseOf(asked), asked.params.project_id, asked.body, asked.by),
  );
  routes.get(
    "/categories/:category_id",
    { scope: "people", summary: "One category; each reading is recorded", params, answer: categorySchema },
    async (asked) => readCategory(sql, await readFor(deps, asked, "category"), asked.params.category_id),
  );
  routes.patch(
    "/categories/:category_id",
    {
      ...{ scope: "write", summary: "Change the name or the description", params },
      ...{ body: categoryChanges, answer: categorySchema },
    },
    (asked) => changeCategory(deps, whoseOf(asked), asked.params.category_id, asked.body, asked.by),
  );
  routes.get(
    "/categories/:category_id/consequences",
    {
      scope: "read",
      summary: "What a deletion of the category would take with it",
      params,
      answer: consequencesSchema,
    },
    async (asked) => {
      const whose = whoseOf(asked);
      const { project_id: projectId, id: categoryId } = await readCategory(
        sql,
        whose,
        asked.params.category_id,
      );
      return consequencesOf(sql, { whose, projectId, categoryId });
    },
  );
  routes.delete(
    "/categories/:category_id",
    { scope: "write", summary: "Delete a category; tokens of its drafts go back, schedules end", params },
    async ({ by, dryRun, ...asked }) => {
      await deleteCategory(deps, whoseOf(asked), asked.params.category_id, { by, dryRun });
    },
  );
  keywordRoutes(app, deps);
  listRoutes(app, deps);
}

function keywordRoutes(app: App, deps: DeleteDeps): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  routes.list(
    "/categories/:category_id/keywords",
    {
      scope: "people",
      summary: "The clusters of a category; each reading is recorded",
      params,
      item: clusterSchema,
    },
    async (asked) =>
      pageOfAll(
        await readClusters(sql, await readFor(deps, asked, "keywords"), asked.params.category_id),
        asked.page,
      ),
  );
  routes.get(
    "/categories/:category_id/keywords/export",
    {
      scope: "people",
      summary: "All phrases as a file; each reading is recorded",
      params,
      query: { format: z.enum(["csv", "txt"]).optional().describe("csv unless given") },
      answer: z.string(),
    },
    async (asked) => {
      const { category_id } = asked.params;
      const { format = "csv" } = asked.query;
      const clusters = await readClusters(sql, await readFor(deps, asked, "keywords"), category_id);
      return asked.reply
        .type(format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8")
        .header("content-disposition", `attachment; filename="keywords-${category_id}.${format}"`)
        .send(format === "csv" ? keywordsCsv(clusters) : keywordsTxt(clusters));
    },
  );
  routes.post(
    "/categories/:category_id/keywords",
    {
      ...{ scope: "write", summary: "Add clusters or phrases; known phrases are not added again", params },
      ...{ body: givenKeywords, answer: keywordsChangedSchema },
    },
    async (asked) => {
      const { clusters, phrases } = asked.body;
      const whose = whoseOf(asked);
      const category = await readCategory(sql, whose, asked.params.category_id);
      return inAnswer(
        clusters
          ? await addClusters(deps, whose, category.id, givenClusters(clusters), asked.by)
          : await addUploaded(deps, whose, category, phrases ?? [], {}, asked.by),
      );
    },
  );
  routes.post(
    "/categories/:category_id/keywords/remove",
    {
      ...{
        scope: "write",
        summary: "Remove clusters or phrases; a cluster without phrases vanishes",
        params,
      },
      ...{ body: removedKeywords, answer: keywordsChangedSchema },
    },
    async (asked) => {
      const { clusters = [], phrases = [], all = false } = asked.body;
      const removed = { clusters, phrases, all };
      return inAnswer(
        await removeKeywords(deps, whoseOf(asked), asked.params.category_id, removed, asked.by),
      );
    },
  );
}

const inAnswer = ({ warning, ...changed }: KeywordsChanged) => ({ ...changed, warning: warning?.en ?? null });

const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

function listRoutes(app: App, deps: DeleteDeps): void {
  const { sql } = deps;
  const routes = personRoutes(app, deps);
  const prices = z.object({ items: z.array(priceSchema) });
  routes.get(
    "/categories/:category_id/prices",
    { scope: "people", summary: "The price list; each reading is recorded", params, answer: prices },
    async (asked) => ({
      items: await readPrices(sql, await readFor(deps, asked, "prices"), asked.params.category_id),
    }),
  );
  routes.put(
    "/categories/:category_id/prices",
    {
      scope: "write",
      summary: "Replace the price list by lines `Name — Price[ — Description]`",
      params,
      body: z.strictObject({ text: z.string().max(700_000), reason: reason.optional() }),
      answer: prices,
    },
    async (asked) => {
      const items = readPriceLines(asked.body.text);
      await setPrices(deps, whoseOf(asked), asked.params.category_id, items, asked.by);
      return { items };
    },
  );
  routes.delete(
    "/categories/:category_id/prices",
    { scope: "write", summary: "Remove the price list", params },
    async ({ by, dryRun, ...asked }) => {
      await readCategory(sql, whoseOf(asked), asked.params.category_id);
      if (!dryRun) await setPrices(deps, whoseOf(asked), asked.params.category_id, [], by);
    },
  );
  app.register(async (files: App) => sheetRoute(files, deps));
  const reviews = z.array(reviewSchema);
  routes.get(
    "/categories/:category_id/reviews",
    {
      scope: "people",
      summary: "The reviews; each reading is recorded",
      params,
      answer: z.object({ items: reviews }),
    },
    async (asked) => ({
      items: await readReviews(sql, await readFor(deps, asked, "reviews"), asked.params.category_id),
    }),
  );
  routes.put(
    "/categories/:category_id/reviews",
    {
      ...{ scope: "write", summary: "Replace the reviews", params },
      body: z.strictObject({ items: reviews, reason: reason.optional() }),
      answer: z.object({ items: reviews }),
    },
    async (asked) => ({
      items: await setReviews(deps, whoseOf(asked), asked.params.category_id, asked.body.items, asked.by),
    }),
  );
}

/** The body is the file itself. */
function sheetRoute(app: App, deps: DeleteDeps): void {
  app.addContentTypeParser(
    sheetType,
    { parseAs: "buffer", bodyLimit: priceSheetLimits.bytes + 1 },
    // In an object, because the routes of a workspace take bodies apart.
    (_request, file, done) => done(null, { file }),
  );
  personRoutes(app, deps).put(
    "/categories/:category_id/prices/sheet",
    {
      scope: "write",
      summary: "Replace the price list by an Excel file: columns name, price, description",
      description: `The body is the file, at most 5 MB, with Content-Type: ${sheetType}.`,
      params,
      answer: z.object({ items: z.array(priceSchema) }),
    },
    async (asked) => {
      const { file } = z.object({ file: z.unknown() }).catch({ file: undefined }).parse(asked.request.body);
      if (!Buffer.isBuffer(file))
        throw problem("unsupported_media_type", {
          detail: `Send the file itself with Content-Type: ${sheetType}.`,
        });
      const items = await readPriceSheet(file);
      await setPrices(deps, whoseOf(asked), asked.params.category_id, items, asked.by);
      return { items };
    },
  );
}
