ALTER TABLE "jobs" ADD COLUMN "options" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;