import { z } from "zod";

/** The kinds of nodes that our exports have, in their versions, with the parameters that we give them and no others. */

const text = z.string();
const expression = z.string().startsWith("={{");
const options = z.strictObject({});

const condition = z.strictObject({
  options: z.strictObject({
    caseSensitive: z.literal(true),
    typeValidation: z.literal("strict"),
    version: z.literal(2),
  }),
  combinator: z.literal("and"),
  conditions: z.tuple([
    z.strictObject({
      id: text,
      leftValue: expression,
      rightValue: text,
      operator: z.union([
        z.strictObject({
          type: z.literal("boolean"),
          operation: z.literal("true"),
          singleValue: z.literal(true),
        }),
        z.strictObject({ type: z.literal("string"), operation: z.literal("equals") }),
      ]),
    }),
  ]),
});
export type Condition = z.output<typeof condition>;

export const ifParameters = z.strictObject({ conditions: condition, options });

export const switchParameters = z.strictObject({
  rules: z.strictObject({
    values: z.array(
      z.strictObject({ conditions: condition, renameOutput: z.literal(true), outputKey: text }),
    ),
  }),
  options,
});

export const webhookParameters = z.strictObject({
  httpMethod: z.literal("POST"),
  path: z.string().regex(/^[a-z0-9-]+$/),
  authentication: z.literal("headerAuth").optional(),
  responseMode: z.enum(["responseNode", "lastNode"]),
  options,
});

export const httpParameters = z.strictObject({
  method: z.enum(["GET", "POST"]),
  url: expression,
  authentication: z.literal("genericCredentialType").optional(),
  genericAuthType: z.literal("httpHeaderAuth").optional(),
  sendHeaders: z.literal(true).optional(),
  specifyHeaders: z.literal("json").optional(),
  jsonHeaders: expression.optional(),
  sendBody: z.literal(true).optional(),
  specifyBody: z.literal("json").optional(),
  jsonBody: expression.optional(),
  options: z.strictObject({
    timeout: z.number(),
    redirect: z.strictObject({ redirect: z.strictObject({ followRedirects: z.literal(false) }) }).optional(),
    batching: z
      .strictObject({ batch: z.strictObject({ batchSize: z.literal(1), batchInterval: z.literal(0) }) })
      .optional(),
    response: z.strictObject({
      response: z.strictObject({
        fullResponse: z.literal(true).optional(),
        neverError: z.literal(true).optional(),
        // Without it n8n reads JSON only where the type is exactly application/json, and our refusals are problem+json.
        responseFormat: z.literal("json"),
      }),
    }),
  }),
});

/** Only what is safe: the query is a constant, every value is a parameter, each item is a query of its own. */
export const postgresParameters = z.strictObject({
  operation: z.literal("executeQuery"),
  query: z
    .string()
    .regex(/^select\b/, "n8n would make an item of an empty answer")
    .regex(/^(?:(?!\{\{).)*$/s, "values go into a query as its parameters"),
  options: z.strictObject({
    queryBatching: z.literal("independently"),
    queryReplacement: expression.optional(),
  }),
});

export const respondParameters = z.strictObject({
  respondWith: z.literal("json"),
  responseBody: expression,
  options: z.strictObject({
    responseCode: expression,
    responseHeaders: z
      .strictObject({ entries: z.array(z.strictObject({ name: text, value: expression })) })
      .optional(),
  }),
});

export const codeParameters = z.strictObject({
  mode: z.enum(["runOnceForEachItem", "runOnceForAllItems"]),
  jsCode: text,
});

export const callParameters = z.strictObject({
  workflowId: z.strictObject({
    __rl: z.literal(true),
    value: text,
    mode: z.literal("list"),
    cachedResultName: text,
  }),
  workflowInputs: z.strictObject({
    mappingMode: z.literal("defineBelow"),
    value: z.strictObject({}),
    matchingColumns: z.tuple([]),
    schema: z.tuple([]),
    attemptToConvertTypes: z.literal(false),
    convertFieldsToString: z.literal(true),
  }),
  mode: z.literal("once"),
  options: z.strictObject({ waitForSubWorkflow: z.literal(true) }),
});

const every = (field: string, amount: string) =>
  z.strictObject({ field: z.literal(field), [amount]: z.int().min(1) });
const scheduleParameters = z.strictObject({
  rule: z.strictObject({
    interval: z.tuple([z.union([every("seconds", "secondsInterval"), every("minutes", "minutesInterval")])]),
  }),
});

const kind = <Kind extends string>(name: Kind, version: number, parameters: z.ZodType) => ({
  kind: name,
  type: `n8n-nodes-base.${name}`,
  version,
  parameters,
});

/** No Wait node among them: the document forbids it. */
export const nodeKinds = [
  kind("webhook", 2, webhookParameters),
  kind("scheduleTrigger", 1.2, scheduleParameters),
  kind("executeWorkflowTrigger", 1.1, z.strictObject({ inputSource: z.literal("passthrough") })),
  kind("httpRequest", 4.2, httpParameters),
  kind("postgres", 2.5, postgresParameters),
  kind("code", 2, codeParameters),
  kind("if", 2.2, ifParameters),
  kind("switch", 3.2, switchParameters),
  kind("respondToWebhook", 1.1, respondParameters),
  kind("executeWorkflow", 1.2, callParameters),
] as const;
