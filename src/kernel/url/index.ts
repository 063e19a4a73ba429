export { type DatabaseAddress, type DatabaseHost, databaseAddress } from "./database-address.ts";
export { parsedUrl } from "./parsed-url.ts";
