ALTER TABLE "jobs" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "created_by_name" text;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "settled_at" timestamp (3) with time zone;