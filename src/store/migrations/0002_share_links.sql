ALTER TABLE "api_keys" ADD COLUMN "link_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "link_password" "bytea";