ALTER TABLE "analytics_projects" DROP COLUMN "salt_policy";--> statement-breakpoint
ALTER TABLE "analytics_projects" DROP COLUMN "retention_days";