-- docent: no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_operation" ON "audit_log" USING btree ("operation","at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_actor_kind" ON "audit_log" USING btree ("actor_kind","at","id") WHERE actor_kind IN ('operator', 'anonymous', 'upkeep');--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_project_by_outcome" ON "jobs" USING btree ("project_id",(CASE WHEN status <> 'active' THEN coalesce(outcome, CASE WHEN error_code IS NOT NULL THEN 'failed' END) END),"created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_project_by_model" ON "jobs" USING btree ("project_id","model","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_with_pull_request" ON "jobs" USING btree ("project_id","created_at","id") WHERE pr_link IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "pull_requests_by_state" ON "pull_requests" USING btree ("project_id","state","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_undelivered" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id") WHERE state <> 'delivered';
