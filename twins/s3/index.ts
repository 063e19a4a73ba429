export { type S3Twin, type S3TwinSettings, startS3Twin } from "./start-s3-twin.ts";
