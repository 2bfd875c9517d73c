-- docent: expand, no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_project" ON "jobs" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_project_by_status" ON "jobs" USING btree ("project_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_unsettled" ON "jobs" USING btree ("updated_at","id") WHERE (status = 'active' OR bell_pending);
