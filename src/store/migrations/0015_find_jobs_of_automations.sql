-- docent: no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "jobs_of_automation" ON "jobs" USING btree ("project_id","automation_id","created_at","id") WHERE automation_id IS NOT NULL;
