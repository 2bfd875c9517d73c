ALTER TABLE "api_keys" ADD COLUMN "link_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "link_password" "bytea";--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_link_hash" ON "api_keys" USING btree ("link_hash");