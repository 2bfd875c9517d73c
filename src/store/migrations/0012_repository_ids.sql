-- docent: expand
ALTER TABLE "projects" ADD COLUMN "repository_id" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "repository_id_url" text;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "repository_id" text;
