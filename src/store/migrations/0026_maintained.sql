ALTER TABLE "analytics_projects" ADD COLUMN "maintained_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "analytics_projects" ADD COLUMN "maintained_fence" bigint;