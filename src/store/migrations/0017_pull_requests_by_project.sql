-- docent: no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_creator" ON "jobs" USING btree ("project_id","created_by","created_at","id") WHERE created_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "pull_requests_of_project" ON "pull_requests" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "pull_requests_open" ON "pull_requests" USING btree ("project_id","created_at","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "pull_requests_settled" ON "pull_requests" USING btree ("project_id",(coalesce(settled_at, updated_at))) WHERE state <> 'open';
