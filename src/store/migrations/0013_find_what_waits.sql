-- docent: no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_queued" ON "jobs" USING btree ("project_id","queue_no") WHERE queue_no IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "turns_running" ON "turns" USING btree ("job_id") WHERE state = 'running';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "pull_requests_look" ON "pull_requests" USING btree ("look_at") WHERE state = 'open';
