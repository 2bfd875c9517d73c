-- docent: no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_branch" ON "jobs" USING btree ("project_id",(options ->> 'branch')) WHERE (options ->> 'branch') IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_metadata" ON "jobs" USING gin ("metadata" jsonb_path_ops) WHERE metadata <> '{}'::jsonb;